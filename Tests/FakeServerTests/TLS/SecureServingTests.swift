import Testing
import UnderstudyClient
import UnderstudyCore

@testable import UnderstudyFakeServer

@Suite("A server with certificates")
struct SecureServingTests {
  @Test("responds to HTTPS and HTTP on one port")
  func respondsToBoth() async throws {
    try await SecureServer.with { secure in
      let response = try await secure.get("/shop/items")
      #expect(response.status == 200)
      #expect(response.body == Array("[1,2]".utf8))
      let plain = try WireClient(port: secure.port)
      plain.ask("GET /shop/items")
      #expect(try plain.response().body == Array("[1,2]".utf8))
      let entries = await secure.server.journal()
      #expect(entries.map(\.record.isSecure) == [true, false])
    }
  }
}
