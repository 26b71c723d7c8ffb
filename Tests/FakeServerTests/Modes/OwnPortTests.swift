import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Upstreams with a port of their own, which refuses clients while they are off.
@Suite struct OwnPortTests {
  private static let files = SmallServer.files.merging([
    "bank/upstream.json": #"""
    { "summary": "A bank", "scenarios": { "closed": { "mode": "off" } } }
    """#,
    "bank/rates.json": #"""
    { "request": { "method": "GET", "path": "/rates" }, "cases": { "ok": { "status": 200 } } }
    """#,
  ]) { $1 }

  private static func port(of name: String, _ server: FakeServer) throws -> UInt16 {
    let url = try #require(server.baseURL(of: name).flatMap { WebURL(base: $0) })
    return UInt16(try #require(url.port))
  }

  /// The status of a response; `nil` for a connection that is refused.
  private static func status(_ port: UInt16, _ path: String = "/rates") throws -> Int? {
    do {
      return try WireClient(port: port).exchange("GET \(path)").status
    } catch let error as WireError where error.code == ECONNREFUSED {
      return nil
    }
  }

  private static func set(_ mode: String?, _ path: String, of server: FakeServer) throws {
    let response = try server.admin(
      mode == nil ? "DELETE" : "PUT", "\(path)/mode", body: mode.map { #"{"mode":"\#($0)"}"# })
    #expect(response.status == 200)
  }

  @Test(
    "it is refused while the upstream is off, and the port stays its own", arguments: [1, 2, 3])
  func refused(threads: Int) async throws {
    try await SmallServer.with(Self.files, threads: threads) {
      $0.givesPorts = true
    } _: { (server) async throws in
      let (bank, shop) = (try Self.port(of: "bank", server), try Self.port(of: "shop", server))
      let open = try WireClient(port: bank)
      #expect(try open.exchange("GET /rates").status == 200)
      for _ in 0..<20 {
        try Self.set("off", "/upstreams/bank", of: server)
        for _ in 0..<3 { #expect(try Self.status(bank) == nil) }
        #expect(try Self.status(shop, "/items") == 200)
        try Self.set(nil, "/upstreams/bank", of: server)
        for _ in 0..<3 { #expect(try Self.status(bank) == 200) }
      }
      #expect(try open.exchange("GET /rates").status == 200)
      try Self.set("off", "/upstreams/bank", of: server)
      open.ask("GET /rates")
      #expect(open.receiveAllBytes().end == .reset)
    }
  }

  @Test("so does the mode of the server, a scenario, and a reset opens it again")
  func others() async throws {
    try await SmallServer.with(Self.files) {
      $0.givesPorts = true
    } _: { (server) async throws in
      let (bank, shop) = (try Self.port(of: "bank", server), try Self.port(of: "shop", server))
      try Self.set("off", "", of: server)
      #expect(try Self.status(bank) == nil)
      #expect(try Self.status(shop, "/items") == nil)
      try Self.set("fake", "/contracts/shop/items", of: server)
      #expect(try Self.status(shop, "/items") == 200)
      #expect(try server.admin("POST", "/reset").status == 204)
      #expect(try Self.status(bank) == 200)
      #expect(try server.admin("POST", "/scenarios/bank/closed").status == 204)
      #expect(try Self.status(bank) == nil)
      await server.reset()
      #expect(try Self.status(bank) == 200)
    }
  }

  @Test("a session's own mode leaves the port open")
  func session() async throws {
    try await SmallServer.with(Self.files) {
      $0.givesPorts = true
    } _: { (server) async throws in
      let bank = try Self.port(of: "bank", server)
      server.set(.off, for: .upstream("bank"), session: "w")
      #expect(try Self.status(bank) == 200)
      let client = try WireClient(port: bank)
      client.ask("GET /~w/rates")
      #expect(client.receiveAllBytes().end == .reset)
    }
  }

  @Test("a server ends while a port is refused")
  func end() async throws {
    try await SmallServer.with(Self.files) {
      $0.givesPorts = true
    } _: { (server) async throws in
      let bank = try Self.port(of: "bank", server)
      try Self.set("off", "/upstreams/bank", of: server)
      await withCheckedContinuation { continuation in
        server.retire { continuation.resume() }
      }
      #expect(try Self.status(bank) == nil)
    }
  }
}
