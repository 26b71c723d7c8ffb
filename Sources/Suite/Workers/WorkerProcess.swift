import UnderstudyCore
import UnderstudyFindings
import UnderstudySystem

/// The program that workers run, and its arguments.
package struct WorkerProgram: Sendable {
  private let path: String
  private let words: [String]
  private let environment: [String]
  private let folder = try? ScratchFolder()
  /// Where a worker may write whom the clients of its fake are to trust. It is removed after each
  /// worker, which may have crashed; `nil` where no file can be.
  var trustFile: String? { folder.map { "\($0.path)/ca.pem" } }
  /// Whether the output of services goes to our standard error.
  let showsOutput: Bool

  package init(
    _ words: [String], at path: String = ThisProcess.program,
    environment: [String] = Environment.variables, showsOutput: Bool
  ) {
    (self.words, self.path, self.showsOutput) = (words, path, showsOutput)
    // A backtrace takes a second, and shows more of the runtime than of the service.
    let added = folder.map { "\(Self.trustFileVariable)=\($0.path)/ca.pem" }
    self.environment =
      environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
      + ["SWIFT_BACKTRACE=enable=no"] + [added].compactMap(\.self)
  }

  /// Tells a worker where to write it.
  static let trustFileVariable = "UNDERSTUDY_TRUST_FILE"

  /// In its own process group: child processes of services end with it, and terminal signals reach
  /// only us.
  fileprivate func start(_ streams: ChildProcess.Streams) throws(SystemError) -> ChildProcess {
    try ChildProcess(words, at: path, environment: environment, streams, isApart: true)
  }
}

/// A process of this program that runs services, which may crash or hang it, and its messages.
///
/// It reads instructions from its input and writes lines to its output, until this is released.
final class WorkerProcess {
  enum Event {
    case line(WorkerLine)
    /// No line came in time.
    case silence
    /// It has ended; with its last output if it crashed.
    case end(String)
    case interruption
  }

  private static let errorBytesMax = 1 << 16
  /// A longer line is not a worker's.
  private static let lineBytesMax = 1 << 26

  /// `nil` once its end is known.
  private var process: ChildProcess?
  private let orders: Pipe
  private let lines: Pipe
  private let errors: Pipe
  private let showsOutput: Bool
  private let trustFile: String?
  private var unsent: ArraySlice<UInt8>
  private var begunLine: [UInt8] = []
  private var ready: ArraySlice<[UInt8]> = []
  private var errorText: [UInt8] = []
  /// What services print, as far as it is shown, and the start of a scalar.
  private var shown = TextStream(isColoured: false)
  private var unshown: [UInt8] = []
  private var isErrorOpen = true
  private var areLinesOpen = true
  private var isInterrupted = false
  private var ending: String?
  /// The commands that it runs, which are not in its process group.
  private var commands: Set<Int32> = []

  /// Returns `nil` when it cannot be started.
  init?(_ program: WorkerProgram, _ order: WorkerOrder) {
    // In this order, none of the child's ends is closed before it is moved into place.
    guard let orders = try? Pipe(), let lines = try? Pipe(), let errors = try? Pipe() else {
      return nil
    }
    orders.writeWithoutWaiting()
    lines.readWithoutWaiting()
    errors.readWithoutWaiting()
    (self.orders, self.lines, self.errors) = (orders, lines, errors)
    (showsOutput, trustFile) = (program.showsOutput, program.trustFile)
    // Before it starts, while the other end is still open.
    unsent = order.bytes[...]
    unsent = unsent.dropFirst(orders.write(unsent) ?? 0)
    var streams = ChildProcess.Streams()
    (streams.input, streams.output, streams.errors) = (orders, lines, errors)
    do throws(SystemError) {
      process = try program.start(streams)
    } catch {
      return nil
    }
    orders.closeReadEnd()
    lines.closeWriteEnd()
    errors.closeWriteEnd()
  }

  deinit {
    _ = collect()
    if let trustFile { try? FileRoot.anywhere.remove(trustFile) }
    for _ in 0..<16 where !readLines() { break }
    while nextLine() != nil {}
    for number in commands { ChildProcess.killGroup(number) }
  }

  /// The next line, or the event in its place.
  ///
  /// - Parameter interruption: a descriptor; waiting stops once it is readable.
  func next(until end: ContinuousClock.Instant, or interruption: Int32 = -1) -> Event {
    while true {
      if let line = nextLine() { return .line(line) }
      if let ending { return .end(ending) }
      if isInterrupted { return .interruption }
      let rest = end - .now
      let events = Readiness.wait(
        for: [
          process?.descriptor ?? -1, areLinesOpen ? lines.readEnd : -1,
          isErrorOpen ? errors.readEnd : -1, interruption, unsent.isEmpty ? -1 : orders.writeEnd,
        ], writes: [4], milliseconds: Int32(clamping: rest.milliseconds + 1))
      if events.contains(4) { unsent = orders.write(unsent).map { unsent.dropFirst($0) } ?? [] }
      if events.contains(2) { _ = readErrors() }
      if events.contains(1) { _ = readLines() }
      if events.contains(3) { isInterrupted = true }
      if events.contains(0) {
        for _ in 0..<2 where !readLines() { break }
        ending = collect()
      }
      if rest <= .zero, ready.isEmpty, ending == nil, !isInterrupted { return .silence }
    }
  }

  private func nextLine() -> WorkerLine? {
    while let bytes = ready.popFirst() {
      switch WorkerLine(parsing: bytes[...]) {
      case .commandBegun(let number): commands.insert(Int32(number))
      case .commandEnded(let number): commands.remove(Int32(number))
      case let line?: return line
      // Services may write there too.
      case nil: break
      }
    }
    return nil
  }

  /// Returns whether there was anything.
  private func readLines() -> Bool {
    guard var rest = lines.read(byteCountMax: 1 << 16) else { return false }
    guard !rest.isEmpty else {
      areLinesOpen = false
      return false
    }
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
    guard let chunk = errors.read(byteCountMax: 1 << 12) else { return false }
    guard !chunk.isEmpty else {
      isErrorOpen = false
      return false
    }
    errorText = (errorText + chunk).suffix(Self.errorBytesMax)
    if showsOutput { show(chunk) }
    return true
  }

  /// Services print what came from anywhere, and this is the output of a job.
  private func show(_ chunk: some Sequence<UInt8>) {
    unshown += chunk
    let whole = unshown.dropLast(unshown.cutScalarByteCount)
    shown.write(String(decoding: whole, as: UTF8.self))
    unshown.removeFirst(whole.count)
    _ = StandardStream.error.write(shown.bytes)
    shown.removeAll()
  }

  /// Ends it with its child processes, and returns how it ended.
  private func collect() -> String? {
    // Its output fills a pipe at most once. Other processes may hold the pipe and write forever.
    for _ in 0..<16 where !readErrors() { break }
    guard let ending = process.take()?.ending() else { return nil }
    let text = String(decoding: errorText, as: UTF8.self)
    if let reason = text.split(separator: "\n").last(where: { $0.contains("Fatal error") }),
      let start = reason.utf8.firstRange(ofBytes: "Fatal error".utf8)
    {
      return String(reason[start.lowerBound...])
    }
    return switch ending {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "ended by signal \(signal)"
    }
  }
}
