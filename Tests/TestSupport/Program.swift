internal import Foundation

/// A program that runs until it is no longer referred to.
package final class Program: Sendable {
  private let id: pid_t

  /// Starts it; what it prints goes to `output`.
  package init(
    _ name: String, _ arguments: [String], output: Int32? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
    // Debian has servers where only an administrator looks.
    let path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
    var variables = [strdup(path)]
    defer { for text in words + variables { free(text) } }
    words.append(nil)
    variables.append(nil)
    let files = path.dropFirst(5).split(separator: ":").map { "\($0)/\(name)" }
    guard let file = files.first(where: { access($0, X_OK) == 0 }) else {
      throw ProgramError("\(name) is not installed: run ci/setup")
    }
    var id: pid_t = 0
    let code = posix_spawn(&id, file, &actions, nil, words, variables)
    guard code == 0 else { throw ProgramError("cannot start \(file): \(code)") }
    self.id = id
  }

  deinit {
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// What a script of the shell prints until it ends, whatever its exit code.
  package static func output(of script: String) async throws -> String {
    let pipe = Pipe()
    let program = try Program(
      "sh", ["-c", script], output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let reading = pipe.fileHandleForReading
    return try await offPool {
      defer { withExtendedLifetime(program) {} }
      return String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
    }
  }

  /// Runs a program to its end, off the pool of threads that tests share.
  package static func run(_ name: String, _ arguments: [String], in folder: String) async throws {
    try await offPool {
      let program = try Program("env", ["-C", folder, name] + arguments)
      var status: Int32 = 0
      // Leaves the child to be collected by `deinit`.
      var information = siginfo_t()
      waitid(P_PID, id_t(program.id), &information, Int32(WEXITED | WNOWAIT))
      status = information._sifields._sigchld.si_status
      guard status == 0 else {
        throw ProgramError("\(name) \(arguments.joined(separator: " ")): failed with \(status)")
      }
    }
  }
}

package struct ProgramError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Runs what blocks on a thread of its own.
package func offPool<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
