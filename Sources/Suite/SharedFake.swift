import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySystem

/// The fake and the transport that all checks of a run share.
struct SharedFake: Sendable {
  /// The minimum of a client's timeout, for busy machines.
  private static let timeoutMin = Duration.milliseconds(100)

  let server: FakeServer
  let transport: CurlTransport
  let index: RequestIndex
  let timeScale: Double
  let guardTime: Duration
  private let noteCommand: @Sendable (Int32, Bool) -> Void
  /// What clients of TLS trust, or why there is none; `nil` where no check needs it.
  private let authority: Result<RunAuthority, Failure>?

  /// - Parameter speaksTLS: whether cases that only clients of TLS meet are served.
  static func start(
    _ library: ContractLibrary, _ configuration: SuiteConfiguration, speaksTLS: Bool = false
  ) async throws(SystemError) -> SharedFake {
    let authority =
      speaksTLS
      ? Result { () throws(Failure) in try configuration.makeAuthority() } : nil
    let trusted = try? authority?.get()
    var server = ServerConfiguration()
    server.timeScale = configuration.timeScale
    server.seed = configuration.seed
    server.rewritesLinks = configuration.rewritesLinks
    server.callbackSender = CallbackClient()
    server.certificates = trusted?.certificates
    // All other checks are of plain HTTP, which costs less.
    server.announcesTLS = false
    server.limits.sessionCountMax = max(1_000, 2 * configuration.jobCountMax)
    server.limits.heldCountMax = server.limits.sessionCountMax
    var connection = CurlConfiguration()
    connection.ignoresProxies = true
    connection.trustFile = trusted?.trustFile
    connection.connectionCountMax = max(256, 4 * configuration.jobCountMax)
    return SharedFake(
      server: try await FakeServer.start(library, configuration: server),
      transport: CurlTransport(connection), index: library.index,
      timeScale: configuration.timeScale, guardTime: configuration.guardTime,
      noteCommand: configuration.noteCommand, authority: authority)
  }

  func close() async {
    await transport.close()
    await server.close()
  }

  /// Serves one check in its own session and checks it.
  func run(_ check: PlannedCheck, session: String) async -> Attempt {
    prepare(check, session)
    let limit = check.timeMax(timeScale: timeScale, guardTime: guardTime)
    let start = ContinuousClock.now
    let outcome: ConsumerOutcome?
    var refused: [String] = []
    var port: SessionPort?
    do throws(Failure) {
      let address = try await address(of: session, for: check)
      port = address.secure?.port
      (outcome, refused) = await run(check, at: address, within: limit)
    } catch {
      outcome = .notStarted(error.message)
    }
    let duration = ContinuousClock.now - start
    await server.callbacksEnded(
      session: session, within: check.callbackTimeMax(timeScale: timeScale))
    let brokenHandshakeCount = server.brokenHandshakeCount(session: session)
    let journal = await server.forget(session: session)
    if let port { await server.close(port) }
    return Attempt(
      check, outcome, journal: journal, refused: refused,
      brokenHandshakeCount: brokenHandshakeCount, index: index, duration: duration, limit: limit)
  }

  /// Where the consumer of a check reaches the fake: on a port of its own, if it has to begin TLS.
  private func address(
    of session: String, for check: PlannedCheck
  ) async throws(Failure) -> FakeAddress {
    guard check.needsTLS, let authority else { return FakeAddress(server, session: session) }
    let trustFile = try authority.get().trustFile
    do throws(SystemError) {
      let port = try await server.openPort(session: session)
      return FakeAddress(server, session: session, secure: (port, trustFile))
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  private func run(
    _ check: PlannedCheck, at address: FakeAddress, within limit: Duration
  ) async -> (outcome: ConsumerOutcome?, refused: [String]) {
    switch check.callee {
    case .service(let service): await call(service, for: check, at: address, within: limit)
    case .command(let command): (await run(command, for: check, at: address, within: limit), [])
    }
  }

  private func call(
    _ service: ServiceConsumer, for check: PlannedCheck, at address: FakeAddress,
    within limit: Duration
  ) async -> (outcome: ConsumerOutcome?, refused: [String]) {
    let timeout = timeout(of: check)
    let fence = FakeOnlyTransport(
      transport, within: "\(address.url)/", timeout: timeout,
      // Earlier requests must get through, however busy the machine is.
      of: check.expectsTimeout ? check.expectation.requestCount : nil)
    let call = ConsumerCall(
      transport: fence, baseURL: baseURL(at: address), arguments: check.expectation.arguments,
      timeout: timeout)
    return (await service.outcome(of: call, within: limit), fence.refusedRequests)
  }

  /// Runs a command in a session that is forgotten afterwards.
  ///
  /// - Parameters:
  ///   - caseName: an added case that is served instead.
  ///   - isOnce: whether it is served only once.
  func runOnce(
    _ command: CommandConsumer, for check: PlannedCheck, serving caseName: String? = nil,
    isOnce: Bool = false, _ session: String, within limit: Duration
  ) async -> (outcome: ConsumerOutcome?, journal: [JournalEntry]) {
    prepare(check, session)
    if let caseName {
      if isOnce {
        server.serveOnce(caseName, for: check.contract.id, session: session)
      } else {
        server.use(caseName, for: check.contract.id, session: session)
      }
    }
    let address = FakeAddress(server, session: session)
    let outcome = await run(command, for: check, at: address, within: limit)
    return (outcome, await server.forget(session: session))
  }

  /// Runs a command that gets this address; `nil` when it did not end in time.
  private func run(
    _ command: CommandConsumer, for check: PlannedCheck, at address: FakeAddress,
    within limit: Duration
  ) async -> ConsumerOutcome? {
    let environment = CommandEnvironment(
      passing: command.variableNames, index.upstreams, at: address,
      serving: (check.served.name, check.contract))
    let ending = await command.ending(
      environment: environment.variables, within: limit, note: noteCommand)
    switch ending {
    case .success(let ending):
      // Ports and sessions differ from run to run, but reports should not.
      return ending.map { ending in
        .ended(
          ending.missing(withheld: environment.withheldNames)
            .replacing(address.url, with: ""))
      }
    case .failure(let error): return .notStarted("\(error)")
    }
  }

  func prepare(_ check: PlannedCheck, _ session: String) {
    check.choose(on: server, session: session)
    // A response meant to come too late waits until the client has disconnected, however slow the
    // machine.
    if check.expectsTimeout, check.served.stall == nil {
      _ = server.hold(check.contract.id, case: check.served.name, session: session)
    }
  }

  /// Shortened only if the contract expects a timeout, in which case the response is held.
  private func timeout(of check: PlannedCheck) -> Duration? {
    guard let timeout = check.expectation.timeout, check.expectsTimeout else {
      return check.expectation.timeout
    }
    return min(timeout, max(timeout * timeScale, Self.timeoutMin))
  }

  /// The address of each upstream.
  func baseURL(at address: FakeAddress) -> @Sendable (String) -> String? {
    { [index] name in index.upstream(named: name).map(address.baseURL) }
  }
}
