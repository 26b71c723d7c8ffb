import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process of this program that ends the commands it has started, should it be gone before them.
///
/// It reads from a pipe, whose end is the one reliable sign of that. On Linux it also finds
/// commands of which it has not been told yet, by a variable in their environment.
package enum CommandGuard {
  private static let started = Mutex<(writeEnd: Int32, mark: String)?>(nil)

  /// Without it, as in tests, commands of a killed process go on.
  ///
  /// - Parameter words: the command line of a process that calls `keep`.
  package static func start(_ words: [String], environment: [String]) throws(SystemError) {
    let orders = try Pipe()
    var streams = ChildProcess.Streams()
    streams.input = orders
    let process = try ChildProcess(
      words, at: ThisProcess.program, environment: environment, streams, isApart: true)
    let end = fcntl(orders.writeEnd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard end >= 0 else { throw .last("watch over commands") }
    started.withLock { $0 = (end, mark(of: process.number)) }
  }

  private static let variable = "UNDERSTUDY_GUARD="

  private static func mark(of process: Int32) -> String { "\(variable)\(process)" }

  /// The environment of a command that is to be found by it.
  package static func marking(_ environment: [String]) -> [String] {
    guard let mark = started.withLock({ $0?.mark }) else { return environment }
    return environment.filter { !$0.hasPrefix(variable) } + [mark]
  }

  /// Notes that a command runs, or that it has ended but is not collected yet.
  package static func note(_ process: Int32, isRunning: Bool) {
    started.withLock { started in
      var order = isRunning ? process : -process
      if let started { _ = systemWrite(started.writeEnd, &order, MemoryLayout<Int32>.size) }
    }
  }

  /// Waits for the end of the process that started this one, and ends the commands it has left.
  package static func keep() {
    // Readers of our streams must not wait for this process.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, stream) }
    var commands: Set<Int32> = []
    var order: Int32 = 0
    while true {
      let count = systemRead(STDIN_FILENO, &order, MemoryLayout<Int32>.size)
      if count < 0, Errno.last == .interrupted { continue }
      guard count == MemoryLayout<Int32>.size else { break }
      if order > 0 { commands.insert(order) } else { commands.remove(0 &- order) }
    }
    for process in commands { ProcessTree.kill(process) }
    ProcessTree.killAll(with: mark(of: getpid()))
  }
}
