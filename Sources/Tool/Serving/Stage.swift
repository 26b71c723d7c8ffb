import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySystem

/// A server from its first line to its last: prints requests, reads changed contracts, ends.
///
/// Everything here happens on one thread, which waits for whatever comes next; the server's own
/// threads only leave finished requests in the queue.
struct Stage: ~Copyable {
  /// How long requests under way may take once it is told to end.
  private static let grace = Duration.seconds(5)
  /// How long recording may take in the end, at least.
  private static let recordingGrace = Duration.seconds(2)

  private let configuration: ServerConfiguration
  private let queue: ExchangeQueue
  private let signals: SignalWatch
  private var watch: ContractWatch
  private var log: ServeLog
  private var recorder: ServeRecorder?
  private let curtain: Wakeup
  /// Opens when the admin API is asked to end the server.
  private let call: Wakeup

  init(
    _ paths: [String], _ library: ContractLibrary, _ configuration: ServerConfiguration,
    _ queue: ExchangeQueue, _ format: OutputFormat, recorder: ServeRecorder? = nil
  ) throws(SystemError) {
    let signals = try SignalWatch()
    let watch = try ContractWatch(paths, library)
    let (curtain, call) = (try Wakeup(), try Wakeup())
    self.curtain = curtain
    self.call = call
    self.signals = signals
    self.watch = watch
    self.recorder = recorder
    log = ServeLog(format, recording: recorder?.baseURLs ?? [:])
    var configuration = configuration
    configuration.shutdownRequested = { call.wake() }
    self.configuration = configuration
    self.queue = queue
  }

  mutating func play(
    _ direction: Direction, on terminal: inout Terminal
  ) throws(SystemError) -> ExitCode {
    let pool = LoopPool(loopCountMax: configuration.threadCount)
    let server = try open(direction, on: pool, &terminal)
    run(server, &terminal)
    finish(server, &terminal)
    pool.stop()
    return .pass
  }

  /// Only the watch keeps the contracts, and what they are compiled to, until it reads others.
  private mutating func open(
    _ direction: Direction, on pool: LoopPool, _ terminal: inout Terminal
  ) throws(SystemError) -> FakeUpstream {
    let library = watch.library
    let server = try Blocking.start(library, configuration, on: pool)
    direction.apply(to: server)
    log.opening(library, server, to: &terminal)
    _ = terminal.flush()
    return server
  }

  /// Until a signal comes, or somebody asks for the end.
  private mutating func run(_ server: FakeUpstream, _ terminal: inout Terminal) {
    while !signals.take(), !call.hasWoken {
      wait(
        for: [watch.descriptor, call.descriptor] + (recorder.map { [$0.descriptor] } ?? []),
        milliseconds: watch.millisecondsLeft ?? -1)
      watch.takeEvents()
      if watch.millisecondsLeft == 0, let outcome = watch.reload() {
        if case .changed(let library, _) = outcome { server.replaceContracts(with: library) }
        if !isStillEmpty(outcome) { log.reload(outcome, server, to: &terminal) }
      }
      print(&terminal)
      let ends = [signals.descriptor, call.descriptor]
      record(&terminal) { !Readiness.isReadable(ends) }
    }
  }

  /// Until the last request is answered, another signal comes, or the time is over.
  private mutating func finish(_ server: FakeUpstream, _ terminal: inout Terminal) {
    let end = ContinuousClock.now + Self.grace
    server.retire { [curtain] in curtain.wake() }
    var left = Self.grace
    while !curtain.hasWoken, !signals.take(), left > .zero {
      let milliseconds = RequestLines.milliseconds(left) + 1
      wait(for: [curtain.descriptor], milliseconds: Int32(clamping: milliseconds))
      print(&terminal)
      left = end - ContinuousClock.now
    }
    let cutOffCount = (try? Blocking.run { await server.close() }) ?? 0
    print(&terminal)
    let ends = [signals.descriptor]
    let latest = max(end, ContinuousClock.now + Self.recordingGrace)
    record(&terminal) { ContinuousClock.now < latest && !Readiness.isReadable(ends) }
    log.unrecorded(endpointCount: recorder?.waitingCount ?? 0, to: &terminal)
    log.closing(cutOffCount: cutOffCount, to: &terminal)
    _ = terminal.flush()
  }

  /// Whether there is nothing to read since nothing was recorded yet.
  private borrowing func isStillEmpty(_ outcome: ContractWatch.Outcome) -> Bool {
    guard case .unreadable = outcome else { return false }
    return recorder != nil && watch.library.contracts.isEmpty
  }

  /// Writes contracts of what was asked of live APIs meanwhile.
  private mutating func record(_ terminal: inout Terminal, while goesOn: () -> Bool) {
    guard let outcome = recorder?.record(while: goesOn) else { return }
    log.recorded(outcome, to: &terminal)
    _ = terminal.flush()
  }

  private borrowing func wait(for others: [Int32], milliseconds: Int32) {
    _ = Readiness.wait(
      for: [signals.descriptor, queue.descriptor] + others, milliseconds: milliseconds)
  }

  private mutating func print(_ terminal: inout Terminal) {
    log.requests(queue.take(), to: &terminal)
    _ = terminal.flush()
  }
}
