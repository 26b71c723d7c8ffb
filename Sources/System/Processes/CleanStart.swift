#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// Keeps environment variables of this process from others of the same user.
///
/// The system shows them what a process was started with, whatever it has done to that since. So it
/// starts itself again with few variables, and receives the others through pipes.
package enum CleanStart {
  /// Names the pipes.
  private static let variable = "UNDERSTUDY_PIPES"

  /// Returns once the process is one that was started with these variables only, and has all again.
  ///
  /// - Parameter isKept: whether a variable of this name is for everybody.
  package static func begin(keeping isKept: (String) -> Bool) throws(SystemError) {
    if let text = getenv(variable).map({ String(cString: $0) }) {
      unsetenv(variable)
      return receive(from: text.split(separator: ",").compactMap { Int32($0) })
    }
    let variables = Environment.variables
    let kept = variables.filter { isKept(name(of: $0)) }
    guard kept.count < variables.count else { return }
    let pipes = try pipes(holding: variables.flatMap { Array($0.utf8) + [0] })
    let program = Descriptor.realPath(ThisProcess.program) ?? ThisProcess.program
    let names = pipes.map { String($0.readEnd) }.joined(separator: ",")
    let block = (kept + ["\(variable)=\(names)"]).map { strdup($0) } + [nil]
    for pipe in pipes {
      pipe.closeWriteEnd()
      _ = fcntl(pipe.readEnd, F_SETFD, 0)
    }
    withExtendedLifetime(pipes) { _ = execve(program, CommandLine.unsafeArgv, block) }
    throw .last("start itself again")
  }

  /// From now on, other processes cannot look into this one, where the system has such a barrier.
  package static func hide(_ calls: SystemCalls = .chosen) {
    #if !canImport(Darwin)
      if calls == .fast { clinux_hide() }
    #endif
  }

  /// From now on, this thread and what it starts cannot look into processes that it did not start,
  /// where the system has such a barrier. It lasts until the thread ends.
  package static func fenceThread(_ calls: SystemCalls = .chosen) {
    #if !canImport(Darwin)
      if calls == .fast { clinux_fence() }
    #endif
  }

  /// As many as it takes, since nobody reads yet and each holds only so much.
  private static func pipes(holding bytes: [UInt8]) throws(SystemError) -> [Pipe] {
    var pipes: [Pipe] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let pipe = try Pipe()
      pipe.writeWithoutWaiting()
      pipes.append(pipe)
      while let count = pipe.write(rest), count > 0 { rest = rest.dropFirst(count) }
    }
    return pipes
  }

  private static func receive(from pipes: [Int32]) {
    var bytes: [UInt8] = []
    for number in pipes where number > STDERR_FILENO {
      let pipe = Descriptor(number)
      while let count = try? pipe.read(onto: &bytes, byteCountMax: 1 << 16), count > 0 {}
    }
    for entry in bytes.split(separator: 0) {
      let text = String(decoding: entry, as: UTF8.self)
      let name = name(of: text)
      if name.utf8.count < text.utf8.count {
        setenv(name, String(text.dropFirst(name.count + 1)), 1)
      }
    }
  }

  private static func name(of variable: String) -> String { String(variable.prefix { $0 != "=" }) }
}
