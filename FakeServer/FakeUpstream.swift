import Synchronization
package import UnderstudyContractModel
package import UnderstudySystem

/// A fake of the upstreams in a library: a port of its own, its own sessions and journal, on loops
/// it may share with others.
///
/// Any thread may use it. It serves until it is closed.
package final class FakeUpstream: Sendable {
  /// Where it listens; the port is the one the kernel chose if none was asked for.
  package let address: SocketAddress
  let core: ServerCore
  /// The number of the last request that a test was given.
  let given = Atomic<UInt64>(0)

  /// Starts to listen; requests are answered from this moment on.
  package static func start(
    _ library: ContractLibrary, configuration: ServerConfiguration = ServerConfiguration(),
    on pool: LoopPool = .shared
  ) async throws(SystemError) -> FakeUpstream {
    let loops = try pool.loops(count: configuration.threadCount)
    let ports = try ListeningPort.open(for: library, configuration)
    let core = ServerCore(
      library, configuration, api: Admin.self,
      ownAddresses: Dictionary(
        ports.compactMap { port in port.upstreamName.map { ($0, port.address) } },
        uniquingKeysWith: { first, _ in first }))
    var places: [ServerCore.ListenerID] = []
    for port in ports {
      for (loop, descriptor) in zip(loops, port.descriptors) {
        let number = await loop.ask { loop in
          let server = PortServer(
            authority: "\(port.address.local)", upstreamName: port.upstreamName, core: core)
          return loop.listen(server.listener(descriptor))
        }
        if let number { places.append(ServerCore.ListenerID(loop: loop, number: number)) }
      }
    }
    core.places = places
    return FakeUpstream(address: ports.first?.address ?? configuration.address, core: core)
  }

  private init(address: SocketAddress, core: ServerCore) {
    self.address = address
    self.core = core
  }

  /// The address to give a client of one upstream; a session of its own keeps it apart from others.
  package func baseURL(of upstream: Upstream, session: String? = nil) -> String {
    core.baseURL(of: upstream, at: "\(address.local)", session: session ?? "")
  }

  /// Whether upstreams have ports of their own: those that were there at the start.
  package var givesPorts: Bool { core.configuration.givesPorts }

  package func hasOwnPort(_ upstreamName: String) -> Bool { core.hasOwnPort(upstreamName) }

  /// Answers requests from now on by these contracts; those under way keep theirs.
  package func replaceContracts(with library: ContractLibrary) {
    core.replaceLibrary(with: library)
  }

  /// Takes no more clients and answers the requests that are under way. The closure is called once,
  /// on any thread, when the last client has gone; `close` still has to be called.
  package func retire(whenEmpty: @escaping @Sendable () -> Void) {
    let places = core.places
    let left = AnswerCollector<Void>(count: places.count) { _ in whenEmpty() }
    for place in places {
      place.loop.post { loop in loop.retire(place.number) { left.add(()) } }
    }
  }

  /// Stops listening, drops what is still to be sent or held, and returns how many clients were
  /// connected. The journal can still be read.
  @discardableResult
  package func close() async -> Int {
    for session in core.allSessions { session.endHolds() }
    core.arrivals.close()
    var connectedCount = 0
    for place in core.places {
      connectedCount += await place.loop.ask { $0.leave(place.number) } ?? 0
    }
    return connectedCount
  }

  /// Lets every request to a contract play this case; `nil` for what it would play by itself.
  package func use(_ caseName: String?, for contractID: String, session: String = "") {
    core.session(named: session).use(caseName, for: contractID)
  }

  /// Plays these cases one after the other; the last repeats.
  package func play(_ caseNames: [String], for contractID: String, session: String = "") {
    core.session(named: session).start(caseNames, for: contractID)
  }

  /// Plays a scenario of one of its upstreams from the beginning.
  package func play(_ scenario: Scenario, of upstream: Upstream, session: String = "") {
    core.session(named: session).start(scenario, of: upstream)
  }
}
