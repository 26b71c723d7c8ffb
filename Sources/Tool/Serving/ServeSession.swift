import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySystem

/// A server from its first line to its last: prints requests, reads changed contracts, ends.
///
/// Everything here happens on one thread, which waits for whatever comes next; the server's own
/// threads only leave finished requests in the queue.
struct ServeSession: ~Copyable {
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
  private let allClientsGone: Wakeup
  /// Opens when the admin API is asked to end the server.
  private let shutdownRequested: Wakeup

  init(
    _ paths: [String], _ library: ContractLibrary, _ configuration: ServerConfiguration,
    _ queue: ExchangeQueue, _ format: OutputFormat, recorder: ServeRecorder? = nil
  ) throws(SystemError) {
    let signals = try SignalWatch()
    let watch = try ContractWatch(paths, library)
    let (allClientsGone, shutdownRequested) = (try Wakeup(), try Wakeup())
    self.allClientsGone = allClientsGone
    self.shutdownRequested = shutdownRequested
    self.signals = signals
    self.watch = watch
    self.recorder = recorder
    log = ServeLog(format, recording: recorder?.baseURLs ?? [:])
    var configuration = configuration
    configuration.shutdownRequested = { shutdownRequested.wake() }
    self.configuration = configuration
    self.queue = queue
  }

  mutating func play(
    _ initialCases: InitialCases, on terminal: inout Terminal
  ) throws(SystemError) -> ExitCode {
    let pool = LoopPool(loopCountMax: configuration.threadCount)
    let server = try open(initialCases, on: pool, &terminal)
    run(server, &terminal)
    finish(server, &terminal)
    pool.stop()
    return .pass
  }

  /// Only the watch keeps the contracts, and what they are compiled to, until it reads others.
  private mutating func open(
    _ initialCases: InitialCases, on pool: LoopPool, _ terminal: inout Terminal
  ) throws(SystemError) -> FakeUpstream {
    let library = watch.library
    let server = try Blocking.start(library, configuration, on: pool)
    initialCases.apply(to: server)
    log.opening(library, server, to: &terminal)
    _ = terminal.flush()
    return server
  }

  /// Until a signal comes, or somebody asks for the end.
  private mutating func run(_ server: FakeUpstream, _ terminal: inout Terminal) {
    while !signals.take(), !shutdownRequested.hasWoken {
      wait(
        for: [watch.descriptor, shutdownRequested.descriptor]
          + (recorder.map { [$0.descriptor] } ?? []),
        milliseconds: watch.millisecondsLeft ?? -1)
      watch.takeEvents()
      if watch.millisecondsLeft == 0, let outcome = watch.reload() {
        if case .changed(let library, _) = outcome { server.replaceContracts(with: library) }
        if !isStillEmpty(outcome) { log.reload(outcome, server, to: &terminal) }
      }
      print(&terminal)
      let ends = [signals.descriptor, shutdownRequested.descriptor]
      record(&terminal) { !Readiness.isReadable(ends) }
    }
  }

  /// Until the last request is answered, another signal comes, or the time is over.
  private mutating func finish(_ server: FakeUpstream, _ terminal: inout Terminal) {
    let end = ContinuousClock.now + Self.grace
    server.retire { [allClientsGone] in allClientsGone.wake() }
    var left = Self.grace
    while !allClientsGone.hasWoken, !signals.take(), left > .zero {
      let milliseconds = RequestLines.milliseconds(left) + 1
      wait(for: [allClientsGone.descriptor], milliseconds: Int32(clamping: milliseconds))
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
