import Glibc
import UnderstudyCLinux
import UnderstudyFindings

/// The program that workers run, and its words.
package struct WorkerProgram: Sendable {
  private let path: String
  fileprivate let words: [String]
  /// Whether what services print is shown where we print errors.
  let showsOutput: Bool

  package init(_ words: [String], at path: String = "/proc/self/exe", showsOutput: Bool) {
    (self.words, self.path, self.showsOutput) = (words, path, showsOutput)
  }

  fileprivate func start(_ actions: inout posix_spawn_file_actions_t) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: what services start ends with it, and keys of the terminal reach only us.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = Self.environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    guard posix_spawn(&id, path, &actions, &attributes, arguments, variables) == 0 else {
      return nil
    }
    return id
  }

  /// Ours, but for backtraces: one takes a second, and says more about the runtime than about the
  /// service.
  private static var environment: [String] {
    var variables: [String] = []
    var entry = clinux_environ()
    while let text = entry?.pointee {
      variables.append(String(cString: text))
      entry = entry?.successor()
    }
    return variables.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") } + ["SWIFT_BACKTRACE=enable=no"]
  }
}

/// A process of this program that runs services, of which it may crash or hang, and what it tells.
///
/// It has an order on its input and tells lines on its output, until we let go of it.
final class WorkerProcess {
  enum Event {
    case line(WorkerLine)
    /// No line came in time.
    case silence
    /// It is over; with its last words if it crashed.
    case end(String)
    case interruption
  }

  private static let errorBytesMax = 1 << 16
  /// A longer line is none of ours.
  private static let lineBytesMax = 1 << 26

  private let id: pid_t
  /// Readable when the process has ended, whoever still has its pipes.
  private let process: Int32
  private let orders: Int32
  private let lines: Int32
  private let errors: Int32
  private let showsOutput: Bool
  private var unsent: ArraySlice<UInt8>
  private var begunLine: [UInt8] = []
  private var ready: ArraySlice<[UInt8]> = []
  private var errorText: [UInt8] = []
  private var isErrorOpen = true
  private var areLinesOpen = true
  private var isInterrupted = false
  private var ending: String?

  /// `nil` when it cannot be started.
  init?(_ program: WorkerProgram, _ order: WorkerOrder) {
    // Made in this order, none of the child's ends is closed before it is in its place.
    guard let orders = PipeEnds(), let lines = PipeEnds(), let errors = PipeEnds() else {
      return nil
    }
    for end in [orders.write, lines.read, errors.read] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    // Before it starts: there is somebody who can read it yet.
    unsent = order.bytes[...]
    unsent = unsent.dropFirst(max(0, write(orders.write, order.bytes, unsent.count)))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, orders.read, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, lines.write, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
    let id = program.start(&actions)
    posix_spawn_file_actions_destroy(&actions)
    guard let id else { return nil }
    let process = clinux_pidfd_open(id)
    guard process >= 0 else {
      kill(-id, SIGKILL)
      waitpid(id, nil, 0)
      return nil
    }
    (self.id, self.process, showsOutput) = (id, process, program.showsOutput)
    (self.orders, self.lines, self.errors) = (
      orders.takeWrite(), lines.takeRead(), errors.takeRead()
    )
  }

  deinit {
    if ending == nil { _ = collect() }
    for end in [process, orders, lines, errors] { close(end) }
  }

  /// The next line, or what came instead of one.
  ///
  /// - Parameter interruption: a descriptor; once it is readable, nothing more is waited for.
  func next(until end: ContinuousClock.Instant, or interruption: Int32 = -1) -> Event {
    while true {
      while let bytes = ready.popFirst() {
        // Services may write there, too.
        if let line = WorkerLine(parsing: bytes[...]) { return .line(line) }
      }
      if let ending { return .end(ending) }
      if isInterrupted { return .interruption }
      var files = [
        pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        pollfd(fd: areLinesOpen ? lines : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isErrorOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unsent.isEmpty ? -1 : orders, events: Int16(POLLOUT), revents: 0),
      ]
      let rest = end - .now
      if poll(&files, nfds_t(files.count), Int32(clamping: rest.milliseconds + 1)) > 0 {
        if files[4].revents != 0 { sendOrder() }
        if files[2].revents != 0 { _ = readErrors() }
        if files[1].revents != 0 { _ = readLines() }
        isInterrupted = files[3].revents != 0
        if files[0].revents != 0 {
          for _ in 0..<2 where !readLines() { break }
          ending = collect()
        }
      }
      if rest <= .zero, ready.isEmpty, ending == nil, !isInterrupted { return .silence }
    }
  }

  private func sendOrder() {
    let count = write(orders, Array(unsent), unsent.count)
    if count >= 0 {
      unsent = unsent.dropFirst(count)
    } else if errno != EINTR, errno != EAGAIN {
      unsent = []
    }
  }

  /// Whether there was anything.
  private func readLines() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(lines, &chunk, chunk.count)
    guard count > 0 else {
      if count == 0 { areLinesOpen = false }
      return false
    }
    var rest = chunk[..<count]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      ready.append(begunLine + rest[..<end])
      begunLine = []
      rest = rest[(end + 1)...]
    }
    begunLine = begunLine.count > Self.lineBytesMax ? [] : begunLine + rest
    return true
  }

  /// Whether there was anything.
  private func readErrors() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(errors, &chunk, chunk.count)
    guard count > 0 else {
      if count == 0 { isErrorOpen = false }
      return false
    }
    errorText = (errorText + chunk[..<count]).suffix(Self.errorBytesMax)
    if showsOutput { _ = write(STDERR_FILENO, chunk, count) }
    return true
  }

  /// Ends it, with what it has started, and says how it ended.
  private func collect() -> String {
    // What it has written fills a pipe once at most. Others may have the pipe, and write for ever.
    for _ in 0..<16 where !readErrors() { break }
    // As long as it is not collected, its number is nobody else's.
    kill(-id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let text = String(decoding: errorText, as: UTF8.self)
    if let reason = text.split(separator: "\n").last(where: { $0.contains("Fatal error") }),
      let start = reason.firstRange(of: "Fatal error")
    {
      return String(reason[start.lowerBound...])
    }
    let signal = status & 0x7F
    return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "ended by signal \(signal)"
  }
}

/// Both ends of a pipe, which no other program gets; closed unless they are taken.
private final class PipeEnds {
  private(set) var read: Int32
  private(set) var write: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (read, write) = (ends[0], ends[1])
  }

  deinit {
    for end in [read, write] where end >= 0 { close(end) }
  }

  func takeRead() -> Int32 {
    defer { read = -1 }
    return read
  }

  func takeWrite() -> Int32 {
    defer { write = -1 }
    return write
  }
}
