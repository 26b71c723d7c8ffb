import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyRecording
import UnderstudySystem
import UnderstudyWireMockAdmin

/// Runs a server: prints requests, reloads changed contracts, stops.
///
/// Runs on one thread, which waits for events; the server's threads only add finished requests to
/// the queue.
struct ServeSession: ~Copyable {
  /// The time limit of open requests once the server is stopping.
  private static let grace = Duration.seconds(5)
  /// The minimum time limit of recording at the end.
  private static let recordingGrace = Duration.seconds(2)
  /// Requests are printed at most this often, many at a time.
  private static let printingInterval = Duration.milliseconds(50)

  private let configuration: ServerConfiguration
  private let queue: ExchangeQueue
  private let opensPage: Bool
  private let signals: SignalWatch
  private var watch: ContractWatch
  private var log: ServeLog
  private var printedAt: ContinuousClock.Instant?
  private var recorder: ServeRecorder?
  /// Stubs that are served in place of contracts.
  private let stubs: WireMockAPI?
  private let allClientsGone: Wakeup
  /// Fires when the admin API is asked to stop the server.
  private let shutdownRequested: Wakeup

  init(
    _ watch: consuming ContractWatch, _ configuration: ServerConfiguration,
    _ queue: ExchangeQueue, _ format: OutputFormat, recorder: ServeRecorder? = nil,
    stubs: WireMockAPI? = nil, trust: ServeTrust? = nil, parents: ParentProxies? = nil,
    opensPage: Bool = false
  ) throws(SystemError) {
    let signals = try SignalWatch()
    let (allClientsGone, shutdownRequested) = (try Wakeup(), try Wakeup())
    self.allClientsGone = allClientsGone
    self.shutdownRequested = shutdownRequested
    self.signals = signals
    self.watch = watch
    self.recorder = recorder
    self.stubs = stubs
    self.opensPage = opensPage
    log = ServeLog(
      format, recording: recorder?.baseURLs ?? [:], trust: trust, parents: parents)
    var configuration = configuration
    configuration.shutdownRequested = { shutdownRequested.wake() }
    self.configuration = configuration
    self.queue = queue
  }

  mutating func serve(
    _ initialCases: InitialCases, on terminal: inout Terminal
  ) throws(SystemError) -> ExitCode {
    let pool = LoopPool(loopCountMax: configuration.threadCount)
    let server = try open(initialCases, on: pool, &terminal)
    run(server, &terminal)
    finish(server, &terminal)
    pool.stop()
    return .pass
  }

  /// Only the watch retains the contracts and their compiled form, until it reads new ones.
  private mutating func open(
    _ initialCases: InitialCases, on pool: LoopPool, _ terminal: inout Terminal
  ) throws(SystemError) -> FakeServer {
    let library = watch.library
    let server = try Blocking.start(
      stubs == nil ? library : ServeWireMock.rest, configuration, on: pool)
    try initialCases.apply(to: server)
    log.opening(library, server, to: &terminal)
    if opensPage { PageOpener.open(server.dashboardURL, &terminal) }
    _ = terminal.flush()
    return server
  }

  /// Runs until a signal or a request to stop.
  private mutating func run(_ server: FakeServer, _ terminal: inout Terminal) {
    while !signals.take(), !shutdownRequested.hasWoken {
      wait(
        for: [watch.descriptor, shutdownRequested.descriptor]
          + (recorder.map { [$0.descriptor] } ?? []),
        milliseconds: watch.millisecondsLeft ?? -1)
      watch.takeEvents()
      // Requests that the old contracts responded come first.
      print(&terminal)
      if watch.millisecondsLeft == 0, let outcome = watch.reload() {
        follow(outcome, on: server)
        if !isStillEmpty(outcome) { log.reload(outcome, server, to: &terminal) }
        _ = terminal.flush()
      }
      let ends = [signals.descriptor, shutdownRequested.descriptor]
      record(&terminal) { !Readiness.isReadable(ends) }
    }
  }

  private mutating func follow(_ outcome: ContractWatch.Outcome, on server: FakeServer) {
    server.follow(outcome, readAt: watch.readAt, replacesContracts: stubs == nil)
    guard let stubs else { return }
    switch outcome {
    case .broken, .unreadable: return
    case .changed, .mended:
      // The watch has just read them without errors, so what fails now passes.
      do throws(Failure) { try stubs.reload(server) } catch { watch.tryAgain() }
    }
  }

  /// Runs until the last request is served, another signal, or the time limit.
  private mutating func finish(_ server: FakeServer, _ terminal: inout Terminal) {
    let end = ContinuousClock.now + Self.grace
    server.retire { [allClientsGone] in allClientsGone.wake() }
    var left = Self.grace
    var isHurried = signals.take()
    while !allClientsGone.hasWoken, !isHurried, left > .zero {
      let milliseconds = RequestLines.milliseconds(left) + 1
      wait(for: [allClientsGone.descriptor], milliseconds: Int32(clamping: milliseconds))
      print(&terminal)
      left = end - ContinuousClock.now
      isHurried = signals.take()
    }
    let cutOffCount = (try? Blocking.run { await server.close() }) ?? 0
    print(&terminal, isLast: true)
    // One more signal ends this process, whatever it is doing.
    signals.letThrough()
    let latest = max(end, ContinuousClock.now + Self.recordingGrace)
    if !isHurried { record(&terminal) { ContinuousClock.now < latest } }
    log.unrecorded(endpointCount: recorder?.waitingCount ?? 0, to: &terminal)
    log.closing(
      requestCount: configuration.listener == nil ? server.requestCount : nil,
      cutOffCount: cutOffCount, to: &terminal)
    _ = terminal.flush()
  }

  /// Whether there are no contracts to read because nothing was recorded yet.
  private borrowing func isStillEmpty(_ outcome: ContractWatch.Outcome) -> Bool {
    guard case .unreadable = outcome else { return false }
    return recorder != nil && watch.library.contracts.isEmpty
  }

  /// Writes contracts for the requests sent to live APIs since the last call.
  private mutating func record(
    _ terminal: inout Terminal, while goesOn: @escaping @Sendable () -> Bool
  ) {
    guard let outcome = recorder?.record(while: goesOn) else { return }
    log.recorded(outcome, to: &terminal)
    _ = terminal.flush()
  }

  private borrowing func wait(for others: [Int32], milliseconds: Int32) {
    let now = ContinuousClock.now
    // What has just been printed gets company before the next time.
    let rest = printedAt.map { $0 + Self.printingInterval - now } ?? .zero
    let isResting = rest > .zero
    let limit =
      [isResting ? rest : nil, log.deadline.map { $0 - now }].compactMap(\.self).min()
      .map { Int32(clamping: $0.milliseconds + 1) }
      .map { milliseconds < 0 ? $0 : min(milliseconds, $0) } ?? milliseconds
    _ = Readiness.wait(
      for: [signals.descriptor, isResting ? -1 : queue.descriptor] + others, milliseconds: limit)
  }

  private mutating func print(_ terminal: inout Terminal, isLast: Bool = false) {
    let batch = queue.take()
    if !batch.isEmpty { printedAt = .now }
    log.requests(batch, isLast: isLast, to: &terminal)
    _ = terminal.flush()
  }
}
