import Synchronization
package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
package import UnderstudySystem

/// A fake of the upstreams in a library, with its own port, sessions and request log, on loops it
/// may share with other servers.
///
/// Any thread may use it. It serves until it is closed, and its request log can be read after that.
/// Its `ServerCore` is the state that all its ports share. `close` gives back its listening
/// sockets, one for each port on each loop; the loops belong to a `LoopPool`.
///
/// The folders, from the sockets up: `Loop` moves bytes, `Journal` keeps the requests, `Responses`
/// turns cases into bytes, `Choosing` decides which case a request gets, `Events` tells listeners
/// what happens, and `Serving` joins them for each port, forwards requests, and keeps what comes
/// back while that is recorded. `Admin` and `Page` are for whoever steers the server, and
/// `Watching` reads changed contracts again. Begin with this file and `FakeServer+Testing`, then
/// read `ServerCore` and `PortServer`.
package final class FakeServer: Sendable {
  let core: ServerCore
  /// The number of the last request returned to a test.
  let given = Atomic<UInt64>(0)

  /// Starts to listen. Requests are served from now on.
  package static func start(
    _ library: ContractLibrary, configuration: ServerConfiguration = ServerConfiguration(),
    on pool: LoopPool = .shared
  ) async throws(SystemError) -> FakeServer {
    let loops = try pool.loops(count: configuration.threadCount)
    let ports = try ListeningPort.open(for: library, configuration)
    let core = ServerCore(
      library, configuration, api: AdminAPI(), address: ports.first?.address,
      ownAddresses: Dictionary(
        ports.compactMap { port in port.upstreamName.map { ($0, port.address) } },
        uniquingKeysWith: { first, _ in first }))
    for port in ports {
      for (loop, descriptor) in zip(loops, port.descriptors) {
        let number = await loop.ask { loop in
          let server = PortServer(
            authority: "\(port.address.local)", upstreamName: port.upstreamName, core: core)
          return loop.listen(server.listener(descriptor))
        }
        if let number {
          core.add(
            ServerCore.ListenerID(
              loop: loop, number: number, port: port.address.port,
              upstreamName: port.isOwn ? port.upstreamName : nil))
        }
      }
    }
    core.begin(session: "")
    return FakeServer(core)
  }

  private init(_ core: ServerCore) {
    self.core = core
  }

  /// The server of a session.
  package convenience init(of session: ServerSession) { self.init(session.core) }

  /// Where people watch and steer the server in a browser.
  package var dashboardURL: String { "\(core.localOrigin)\(Admin.prefix)/" }

  /// The listening address; the kernel chooses the port if none was requested.
  package var address: SocketAddress { core.address }

  /// The listening address as a URL: `https://0.0.0.0:8080`.
  package var url: String {
    "\(Origin(isSecure: core.localOrigin.isSecure, authority: "\(address)"))"
  }

  /// The base URL for clients of one upstream; a session separates them from other clients.
  package func baseURL(of upstream: Upstream, session: String? = nil) -> String {
    core.baseURL(of: upstream, at: core.localOrigin, session: session ?? "")
  }

  /// How many requests it has received.
  package var requestCount: Int { Int(clamping: core.lastSequence) }

  /// Whether its own addresses are those of HTTPS.
  package var isSecure: Bool { core.localOrigin.isSecure }

  /// Where clients have it as their proxy; `nil` where they may not.
  package var proxyURL: String? {
    core.configuration.proxy != nil ? "http://\(core.address.local)" : nil
  }

  /// Whether the upstreams present at the start have ports of their own.
  package var givesPorts: Bool { core.configuration.givesPorts }

  package func hasOwnPort(_ upstreamName: String) -> Bool { core.hasOwnPort(upstreamName) }

  /// Responds to new requests from these contracts; requests in progress keep theirs.
  package func replaceContracts(with library: ContractLibrary) {
    core.replaceLibrary(with: library)
  }

  /// Responds with this contract before those of files, until a reset. It replaces one of its name.
  package func put(_ contract: Contract, session: String = "") {
    let session = core.session(named: session)
    // The limit is for clients.
    _ = try? session.stubs.put(contract, text: [])
    core.stubsChanged(of: session)
    core.events.add(
      .stub(upstream: contract.upstreamName, contract: contract.id), session: session.name)
  }

  /// Changes which contracts an upstream has, before those of files, of which the one of the lowest
  /// rank responds.
  package func change(
    _ change: RankedChange, of upstreamName: String, session: String = ""
  ) {
    let session = core.session(named: session)
    session.stubs.change(change, of: upstreamName)
    core.stubsChanged(of: session)
    core.events.add(.stub(upstream: upstreamName, contract: nil), session: session.name)
  }

  /// Does what a change of the files demands, and tells those who listen to events.
  ///
  /// - Parameter readAt: when reading them began, in monotonic nanoseconds.
  package func follow(
    _ outcome: ContractWatch.Outcome, readAt: Int64, replacesContracts: Bool = true
  ) {
    switch outcome {
    case .changed(let library, let change):
      if replacesContracts { core.replaceLibrary(with: library, readAt: readAt) }
      core.events.add(.reloaded(change))
    case .mended: core.events.add(.reloaded(nil))
    case .broken(let library):
      let errors = library.findings.filter { $0.severity == .error }
      core.events.add(.rejected(message: "\(errors.count.of("error"))", errors))
    case .unreadable(let failure): core.events.add(.rejected(message: failure.message, []))
    }
  }

  /// Accepts no more clients and serves the requests in progress. The closure is called once, on
  /// any thread, when the last client has left; `close` must still be called.
  package func retire(whenEmpty: @escaping @Sendable () -> Void) {
    core.events.close { [core] in
      let listeners = core.listeners
      let left = ResponseCollector<Void>(count: listeners.count) { _ in whenEmpty() }
      for listener in listeners {
        listener.loop.post { loop in loop.retire(listener.number) { left.add(()) } }
      }
    }
  }

  /// Stops listening, drops unsent and held responses, and returns how many clients were connected.
  /// The journal can still be read.
  @discardableResult
  package func close() async -> Int {
    for session in core.allSessions { session.endHolds() }
    core.closeCallbacks()
    core.arrivals.close()
    await withCheckedContinuation { continuation in
      core.events.close { continuation.resume() }
    }
    var connectedCount = 0
    for listener in core.listeners {
      connectedCount += await listener.loop.ask { $0.leave(listener.number) } ?? 0
    }
    // Nobody is given away any more.
    return connectedCount + (core.configuration.proxy?.passThrough?.stopAll() ?? 0)
  }

  /// Serves this case for the requests to a contract in whose place it stands; `nil` clears the
  /// choice.
  package func use(_ caseName: String?, for contractID: String, session: String = "") {
    let session = core.session(named: session)
    session.use(caseName, for: contractID)
    handshakesChanged(of: session, by: contractID)
  }

  /// Serves this case once, and then what was chosen before.
  package func serveOnce(_ caseName: String, for contractID: String, session: String = "") {
    let session = core.session(named: session)
    session.start([caseName], for: contractID, repeatsLast: false)
    handshakesChanged(of: session, by: contractID)
  }

  /// Serves these cases in order; the last repeats.
  package func use(_ caseNames: [String], for contractID: String, session: String = "") {
    let session = core.session(named: session)
    session.start(caseNames, for: contractID)
    handshakesChanged(of: session, by: contractID)
  }

  /// Serves a scenario of one of its upstreams from the start.
  package func use(_ scenario: Scenario, of upstream: Upstream, session: String = "") {
    let session = core.session(named: session)
    session.start(scenario, of: upstream)
    handshakesChanged(of: session, by: upstream.contracts)
    core.modesChanged(of: session)
  }

  private func handshakesChanged(of session: Session, by contractID: String) {
    let names = contractID.split(separator: "/", maxSplits: 1).map(String.init)
    guard names.count == 2 else { return }
    handshakesChanged(
      of: session, by: core.contracts(named: names[1], of: names[0], for: session))
  }

  /// Returns once idle clients of TLS are disconnected whose handshakes would break now.
  private func handshakesChanged(of session: Session, by contracts: [Contract]) {
    guard core.configuration.certificates != nil, let done = try? Wakeup() else { return }
    core.handshakesChanged(of: session, by: contracts) { done.wake() }
    while !done.hasWoken { _ = Readiness.wait(for: [done.descriptor]) }
  }

  /// Sets where the responses of the server, an upstream or a contract come from; `nil` clears it.
  package func set(_ mode: Mode?, for place: ModePlace, session: String = "") {
    let session = core.session(named: session)
    session.set(mode, for: place)
    core.modesChanged(of: session)
  }

  /// Waits until the ports of upstreams refuse or accept clients as their modes say.
  package func portsOpened() async {
    await withCheckedContinuation { continuation in
      core.openPorts { _ in continuation.resume() }
    }
  }
}
