import Findings
import Glibc

/// A process of this program that feeds mutants to consumers, and what it tells.
final class WorkerProcess {
  enum Event {
    case line(WorkerLine)
    /// Nothing came for as long as it may take.
    case silence
    /// It is over; with its last words if it crashed.
    case end(String)
  }

  private static let errorBytesMax = 1 << 16

  private let id: pid_t
  private let lines: Int32
  private let errors: Int32
  private var buffer: [UInt8] = []
  private var ready: ArraySlice<[UInt8]> = []
  private var errorText: [UInt8] = []
  private var isErrorOpen = true
  private var isCollected = false

  /// `nil` when it cannot be started.
  init?(_ words: [String]) {
    var (lines, errors): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&lines) == 0 else { return nil }
    guard pipe(&errors) == 0 else {
      for end in lines { close(end) }
      return nil
    }
    for end in lines + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO)
    posix_spawn_file_actions_adddup2(&actions, lines[1], MutationWorker.descriptor)
    let arguments = words.map { strdup($0) } + [nil]
    let variables = Self.environment.map { strdup($0) } + [nil]
    var id: pid_t = 0
    let code = posix_spawn(&id, "/proc/self/exe", &actions, nil, arguments, variables)
    for text in arguments + variables { free(text) }
    posix_spawn_file_actions_destroy(&actions)
    close(lines[1])
    close(errors[1])
    guard code == 0 else {
      close(lines[0])
      close(errors[0])
      return nil
    }
    (self.id, self.lines, self.errors) = (id, lines[0], errors[0])
  }

  /// Ours, but for backtraces: one takes a second, and says more about the runtime than about the
  /// mutant.
  private static var environment: [String] {
    var variables: [String] = []
    var entry = environ
    while let text = entry.pointee {
      variables.append(String(cString: text))
      entry += 1
    }
    return variables.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") } + ["SWIFT_BACKTRACE=enable=no"]
  }

  deinit {
    if !isCollected {
      kill(id, SIGKILL)
      collect()
    }
    close(lines)
    close(errors)
  }

  func next(within limit: Duration) -> Event {
    let end = ContinuousClock.now + limit
    while ready.isEmpty {
      var files = [
        pollfd(fd: lines, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isErrorOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&files, 2, Int32(clamping: (end - .now).milliseconds + 1))
      if count == 0, .now >= end { return .silence }
      if files[1].revents != 0 { readErrors() }
      if files[0].revents != 0, !readLines() {
        while isErrorOpen { readErrors() }
        return .end(collect())
      }
    }
    guard let bytes = ready.popFirst(), let line = WorkerLine(parsing: bytes[...]) else {
      return next(within: limit)
    }
    return .line(line)
  }

  /// Whether there may be more.
  private func readLines() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(lines, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    buffer += chunk[..<count]
    var parts = buffer.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    buffer = Array(parts.removeLast())
    ready = parts.map { Array($0) }[...]
    return true
  }

  private func readErrors() {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(errors, &chunk, chunk.count)
    if count > 0 {
      errorText = (errorText + chunk[..<count]).suffix(Self.errorBytesMax)
    } else if count == 0 || errno != EINTR {
      isErrorOpen = false
    }
  }

  @discardableResult
  private func collect() -> String {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    isCollected = true
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
