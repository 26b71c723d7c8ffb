package import ContractModel
import Glibc

/// A fake of the upstreams in a library: a port of its own, its own sessions and journal, on loops
/// it may share with others.
///
/// Any thread may use it. It serves until it is closed.
package final class FakeUpstream: Sendable {
  /// Where it listens; the port is the one the kernel chose if none was asked for.
  package let address: SocketAddress
  let core: ServerCore
  /// The loops it is served by, and its number on each.
  private let places: [(loop: EventLoop, seat: Int)]

  /// Starts to listen; requests are answered from this moment on.
  package static func start(
    _ library: ContractLibrary, configuration: ServerConfiguration = ServerConfiguration(),
    on pool: LoopPool = .shared
  ) async throws(SystemError) -> FakeUpstream {
    let core = ServerCore(PlayableLibrary(library), configuration)
    var address = configuration.address
    var places: [(loop: EventLoop, seat: Int)] = []
    for loop in try pool.loops(count: configuration.threadCount) {
      let socket = try Socket.listen(on: address, sharesPort: configuration.threadCount > 1)
      address = SocketAddress(host: address.host, port: socket.port)
      let authority = "\(address)"
      let seat = await loop.ask { loop in
        loop.seat(Seat(listener: socket.descriptor, authority: authority, core: core))
      }
      if let seat { places.append((loop, seat)) }
    }
    core.places = places.map { Place(loop: $0.loop, seat: $0.seat) }
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
    let prefix = session.map { "/~\($0)" } ?? ""
    return "http://\(address)\(prefix)/\(upstream.name)\(upstream.basePath)"
  }

  /// Stops listening, drops what is still to be sent or held, and returns how many clients were
  /// connected.
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
