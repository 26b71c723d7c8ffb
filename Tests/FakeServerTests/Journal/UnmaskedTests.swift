import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// `GET /journal?unmasked=true`
@Suite struct UnmaskedTests {
  private static func secrets(
    _ server: FakeServer, _ path: String, session: String? = nil
  ) throws -> [String?] {
    let response = try server.admin("GET", path, session: session)
    #expect(response.status == 200)
    return try response.json()["requests"]?.elements.map { $0["query"]?.string } ?? []
  }

  private static func serve(_ test: (FakeServer) async throws -> Void) async throws {
    try await SmallServer.with { (server) async throws in
      for session in ["", "/~a", "/~b"] {
        _ = try server.client().exchange("GET \(session)/shop/items?token=hush\(session)")
      }
      try await test(server)
    }
  }

  @Test("a client on this machine sees the secrets of its own session")
  func own() async throws {
    try await Self.serve { (server) async throws in
      let path = "/journal?unmasked=true"
      #expect(try Self.secrets(server, path) == ["token=hush"])
      #expect(try Self.secrets(server, path + "&session=") == ["token=hush"])
      #expect(try Self.secrets(server, path, session: "a") == ["token=hush/~a"])
      #expect(try Self.secrets(server, path + "&wait=1s", session: "b") == ["token=hush/~b"])
      #expect(
        try Self.secrets(server, "/journal?unmasked=false")
          == Array(repeating: "token=[redacted]", count: 3))
    }
  }

  @Test("those of another session are asked for there")
  func other() async throws {
    try await Self.serve { (server) async throws in
      let response = try server.admin("GET", "/journal?session=a&unmasked=true")
      #expect(response.status == 400)
      #expect(
        response.text == """
          {"title":"The request cannot be understood","status":400,\
          "detail":"session \\"a\\" cannot be read with unmasked=true, which shows the secrets of one's \
          own session only","fix":"ask /~a/__understudy/journal?unmasked=true"}

          """)
    }
  }

  @Test("other machines never see secrets", arguments: ["", "a"])
  func elsewhere(session: String) async throws {
    try await Self.serve { (server) async throws in
      let gate = AccessGate(
        origin: Origin(isSecure: false, authority: "\(server.address)"), isLoopback: false,
        needsToken: false, token: nil)
      let request = Request(
        "GET", "/__understudy/journal?unmasked=true",
        headers: [HeaderField(name: "Host", value: "\(server.address)")])
      let (responses, continuation) = AsyncStream<OwnResponse>.makeStream()
      _ = Admin(core: server.core, sessionName: session).respond(request, through: gate) {
        continuation.yield($0)
      }
      var all = responses.makeAsyncIterator()
      let response = try #require(await all.next())
      #expect(response.status == 403)
      #expect(
        String(decoding: response.body, as: UTF8.self) == """
          {"title":"Only programs on this machine may see secrets","status":403,\
          "detail":"found unmasked=true from another machine, expected a client on the server's own",\
          "fix":"leave out unmasked, or run the client where the server runs"}

          """)
    }
  }
}
