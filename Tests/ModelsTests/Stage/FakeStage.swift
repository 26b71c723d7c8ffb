import Synchronization
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyServices

/// Serves cases over a socket: the real client and the real fake.
final class FakeStage: Stage {
  var wiring: Wiring {
    var wiring = Wiring(transport)
    // What libcurl sends again by itself would move scripts on.
    wiring.options.goesOnce = true
    // A test that is kept waiting for a processor is not late.
    wiring.options.connectTimeout = .seconds(300)
    (wiring.options.totalTimeout, wiring.options.stallTimeout) = (nil, nil)
    return wiring
  }

  private let server: FakeServer
  private let transport: CurlTransport
  private let holds = Mutex<[String: Hold]>([:])

  static func open() async throws -> FakeStage {
    var configuration = ServerConfiguration()
    configuration.timeScale = 0.001
    let server = try await FakeServer.start(
      #require(Shipped.library), configuration: configuration)
    var direct = CurlConfiguration()
    direct.ignoresProxies = true
    return FakeStage(server, CurlTransport(direct))
  }

  private init(_ server: FakeServer, _ transport: CurlTransport) {
    self.server = server
    self.transport = transport
  }

  func baseURL(of upstream: String) throws -> WebURL {
    try #require(server.baseURL(of: upstream).flatMap { WebURL($0) })
  }

  func use(_ contract: String, _ cases: [String], at target: String?, held: Bool) throws {
    server.use(cases, for: contract)
    if held { holds.withLock { $0[contract] = server.hold(contract) } }
  }

  func use(scenario: String, of upstream: String) {
    #expect(server.use(scenario: scenario, of: upstream))
  }

  func nextHeld(_ contract: String) async throws -> @Sendable () async -> Void {
    let hold = try #require(holds.withLock { $0[contract] })
    let response = try #require(await hold.next())
    return { await response.release() }
  }

  func requests() async -> [String] {
    await server.journal().map { entry in
      let path = entry.path.dropFirst().drop { $0 != "/" }
      return "\(entry.method) \(path)\(entry.query.map { "?\($0)" } ?? "")"
    }
  }

  func close() async -> [String] {
    let unmatched = await server.journal().filter(\.isUnmatched)
    await server.close()
    await transport.close()
    return unmatched.map { "\($0.method) \($0.path): has no response" }
  }
}
