import Synchronization
package import UnderstudyContractModel

/// A fake of the upstreams in a library: a port of its own, its own sessions and journal, on loops
/// it may share with others.
///
/// Any thread may use it. It serves until it is closed.
package final class FakeUpstream: Sendable {
  /// Where it listens; the port is the one the kernel chose if none was asked for.
  package let address: SocketAddress
  let core: ServerCore
  /// The loops it is served by, and its numbers on each.
  private let places: [(loop: EventLoop, seat: Int)]

  /// Starts to listen; requests are answered from this moment on.
  package static func start(
    _ library: ContractLibrary, configuration: ServerConfiguration = ServerConfiguration(),
    on pool: LoopPool = .shared
  ) async throws(SystemError) -> FakeUpstream {
    let loops = try pool.loops(count: configuration.threadCount)
    let gates = try Gate.open(for: library, configuration)
    let core = ServerCore(
      library, configuration,
      ownAddresses: Dictionary(
        gates.compactMap { gate in gate.upstreamName.map { ($0, gate.address) } },
        uniquingKeysWith: { first, _ in first }))
    var places: [(loop: EventLoop, seat: Int)] = []
    for gate in gates {
      for (loop, descriptor) in zip(loops, gate.descriptors) {
        let seat = await loop.ask { loop in
          loop.seat(
            Seat(
              listener: descriptor, authority: "\(gate.address.local)",
              upstreamName: gate.upstreamName, core: core))
        }
        if let seat { places.append((loop, seat)) }
      }
    }
    core.places = places.map { Place(loop: $0.loop, seat: $0.seat) }
    let address = gates.first?.address ?? configuration.address
    return FakeUpstream(address: address, core: core, places: places)
  }

  private init(
    address: SocketAddress, core: ServerCore, places: [(loop: EventLoop, seat: Int)]
  ) {
    self.address = address
    self.core = core
    self.places = places
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
    let remaining = Countdown(places.count, then: whenEmpty)
    for (loop, seat) in places {
      loop.post { loop in loop.retire(seat) { remaining.step() } }
    }
  }

  /// Stops listening, drops what is still to be sent or held, and returns how many clients were
  /// connected. The journal can still be read.
  @discardableResult
  package func close() async -> Int {
    for session in core.allSessions { session.endHolds() }
    core.arrivals.close()
    var connectedCount = 0
    for (loop, seat) in places {
      connectedCount += await loop.ask { $0.leave(seat) } ?? 0
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
}

extension FakeUpstream {
  /// Plays a scenario of one of its upstreams from the beginning.
  package func play(_ scenario: Scenario, of upstream: Upstream, session: String = "") {
    core.session(named: session).start(scenario, of: upstream)
  }
}

/// Calls a closure when everybody has taken a step.
private final class Countdown: Sendable {
  private let remaining: Atomic<Int>
  private let closure: @Sendable () -> Void

  init(_ count: Int, then closure: @escaping @Sendable () -> Void) {
    remaining = Atomic(count)
    self.closure = closure
    if count == 0 { closure() }
  }

  func step() {
    if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { closure() }
  }
}
