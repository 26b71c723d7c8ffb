import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What a command line comes to, run inside the test's process.
struct CommandLineRun {
  let code: ExitCode
  let output: String
  let errors: String

  init(code: ExitCode, output: String, errors: String) {
    self.code = code
    self.output = output
    self.errors = errors
  }

  /// Splits `line` at spaces; tests whose words have spaces in them pass an array.
  init(
    _ line: String, of root: Command = Understudy.command, environment: [String: String] = [:]
  ) {
    self.init(
      words: line.split(separator: " ").map(String.init), of: root, environment: environment)
  }

  init(
    words: [String], of root: Command = Understudy.command, environment: [String: String] = [:],
    isColoured: Bool = false
  ) {
    var terminal = Terminal(isOutputColoured: isColoured, areErrorsColoured: isColoured)
    code = Understudy.run(words, of: root, environment: { environment[$0] }, on: &terminal)
    output = terminal.output.text
    errors = terminal.errors.text
  }
}

/// What a real process left behind.
struct ProcessRun: Sendable {
  private static let starting = NSLock()

  let code: Int32
  let output: String
  let errors: String

  init(code: Int32, output: String, errors: String) {
    self.code = code
    self.output = output
    self.errors = errors
  }

  init(
    _ executable: String, _ arguments: [String], directory: URL? = nil,
    environment: [String: String] = [:]
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    do {
      // Foundation has crashed when many were started at the same moment.
      Self.starting.lock()
      defer { Self.starting.unlock() }
      try process.run()
    }
    // What these processes say on stderr fits the pipe, so reading one after the other is safe.
    let line = ([executable] + arguments).joined(separator: " ")
    let read = { (pipe: Pipe) in
      let data = pipe.fileHandleForReading.readOn { came in
        Issue.record("\(line): no end, only this came: \(String(decoding: came, as: UTF8.self))")
        kill(process.processIdentifier, SIGKILL)
      }
      return String(decoding: data, as: UTF8.self)
    }
    (self.output, self.errors) = (read(output), read(errors))
    process.waitUntilExit()
    code = process.terminationStatus
  }

  /// The first executable of this name on the `PATH`.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }
}

/// Where this checkout and what was built from it are.
enum Checkout {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the tool, which is built beside the tests.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static let tool = products.appendingPathComponent("understudy")

  /// The same with our five services.
  static let showcase = products.appendingPathComponent("showcase")
}

/// Does what blocks on a thread of its own: those that tests share are few.
func offPool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}
