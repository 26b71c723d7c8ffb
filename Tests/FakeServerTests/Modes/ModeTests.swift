import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyHTTP

@testable import UnderstudyFakeServer

/// Contracts, upstreams and servers that response or do not.
@Suite struct ModeTests {
  private static let files = SmallServer.files.merging([
    "bank/upstream.json": #"""
    { "summary": "A bank",
      "scenarios": {
        "closed": { "mode": "off" }, "half": { "mode": "off", "modes": { "rates": "fake" } } } }
    """#,
    "bank/rates.json": #"""
    { "request": { "method": "GET", "path": "/rates" }, "cases": { "ok": { "status": 200 } } }
    """#,
    "bank/news.json": #"""
    { "request": { "method": "GET", "path": "/news" }, "cases": { "ok": { "status": 200 } } }
    """#,
  ]) { $1 }

  /// The status of a response; `nil` for a connection that was reset before one.
  private static func status(
    _ server: FakeServer, _ line: String, _ headers: [String] = []
  ) throws -> Int? {
    let client = try server.client()
    client.ask(line, headers)
    let (bytes, end) = client.receiveBytes()
    if end == .reset { return nil }
    return try ReceivedResponse.parse(bytes, isClosed: true)?.status
  }

  private static func set(
    _ mode: String?, _ path: String, of server: FakeServer, session: String? = nil
  ) throws -> ReceivedResponse {
    try server.admin(
      mode == nil ? "DELETE" : "PUT", "\(path)/mode", session: session,
      body: mode.map { #"{"mode":"\#($0)"}"# })
  }

  @Test("an upstream that is off resets every connection until it is on again", arguments: [1, 2])
  func off(threads: Int) async throws {
    try await SmallServer.with(Self.files, threads: threads) { (server) async throws in
      let open = try server.client()
      #expect(try open.exchange("GET /bank/rates").status == 200)
      let set = try Self.set("off", "/upstreams/bank", of: server)
      #expect(set.status == 200)
      #expect(try set.json()["mode"]?.string == "off")
      open.ask("GET /bank/rates")
      #expect(open.receiveAllBytes().end == .reset)
      for line in ["GET /bank/rates", "HEAD /bank/none", "POST /~w/bank/rates", "GET /bank"] {
        #expect(try Self.status(server, line) == nil)
      }
      #expect(try Self.status(server, "GET /bank/rates", ["Prefer: example=ok"]) == nil)
      #expect(try Self.status(server, "GET /shop/items") == 200)
      #expect(try server.admin("GET", "/health").status == 200)
      let cleared = try Self.set(nil, "/upstreams/bank", of: server)
      #expect(try cleared.json()["mode"]?.string == "fake")
      #expect(try Self.status(server, "GET /bank/rates") == 200)
    }
  }

  @Test("the most specific mode that is set counts, a session's own before the main session's")
  func precedence() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let paths = [
        "/bank/rates", "/bank/news", "/shop/items", "/~w/bank/rates", "/~w/shop/items",
        "/~v/bank/rates", "/",
      ]
      func responded() throws -> [Bool] {
        try paths.map { try Self.status(server, "GET \($0)") != nil }
      }
      let (yes, no) = (true, false)
      _ = try Self.set("off", "", of: server)
      #expect(try responded() == [no, no, no, no, no, no, no])
      _ = try Self.set("fake", "/upstreams/bank", of: server)
      #expect(try responded() == [yes, yes, no, yes, no, yes, no])
      _ = try Self.set("off", "/contracts/bank/rates", of: server)
      #expect(try responded() == [no, yes, no, no, no, no, no])
      _ = try Self.set("fake", "", of: server, session: "w")
      #expect(try responded() == [no, yes, no, yes, yes, no, no])
      _ = try Self.set("off", "/upstreams/shop", of: server, session: "w")
      #expect(try responded() == [no, yes, no, yes, no, no, no])
      _ = try Self.set(nil, "/contracts/bank/rates", of: server)
      _ = try Self.set(nil, "", of: server)
      #expect(try responded() == [yes, yes, yes, yes, no, yes, yes])
      #expect(try server.admin("POST", "/reset", session: "w").status == 204)
      #expect(try responded() == [yes, yes, yes, yes, yes, yes, yes])
    }
  }

  @Test("a session's own mode concerns only its clients")
  func session() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      _ = try Self.set("off", "/contracts/shop/items", of: server, session: "w")
      #expect(try Self.status(server, "GET /~w/shop/items") == nil)
      #expect(try Self.status(server, "POST /~w/shop/items") == 201)
      #expect(try Self.status(server, "GET /shop/items") == 200)
      #expect(try Self.status(server, "GET /~v/shop/items") == 200)
    }
  }

  @Test("the list says the modes, and a reset returns to fake")
  func list() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      func modes() throws -> [String] {
        let list = try server.admin("GET", "/contracts").json()
        let rows = ["upstreams", "contracts"].flatMap { list[$0]?.elements.map { $0 } ?? [] }
        return ([list] + rows).compactMap { $0["mode"]?.string }
      }
      let fake = Array(repeating: "fake", count: 9)
      #expect(try modes() == fake)
      _ = try Self.set("off", "/upstreams/bank", of: server)
      _ = try Self.set("fake", "/contracts/bank/news", of: server)
      #expect(
        try modes() == ["fake", "off", "fake", "fake", "off", "fake", "fake", "fake", "fake"])
      #expect(try server.admin("POST", "/reset").status == 204)
      #expect(try modes() == fake)
      #expect(try Self.status(server, "GET /bank/rates") == 200)
    }
  }

  @Test("a scenario sets modes")
  func scenario() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      #expect(try server.admin("POST", "/scenarios/bank/closed").status == 204)
      #expect(try Self.status(server, "GET /bank/rates") == nil)
      #expect(try server.admin("POST", "/scenarios/bank/half").status == 204)
      #expect(try Self.status(server, "GET /bank/rates") == 200)
      #expect(try Self.status(server, "GET /bank/news") == nil)
    }
  }

  @Test("the request log and the log say that it was the mode")
  func journal() async throws {
    let told = Mutex<[String]>([])
    try await SmallServer.with(Self.files) { configuration in
      configuration.listener = { batch in
        for case .mode(let words) in batch.map(\.source) { told.withLock { $0.append(words) } }
      }
    } _: { (server) async throws in
      server.set(.off, for: .upstream("bank"))
      server.set(.off, for: .contract("items", of: "shop"))
      for line in ["GET /bank/rates", "GET /shop/items"] {
        #expect(try Self.status(server, line) == nil)
      }
      server.set(.off, for: .server)
      #expect(try Self.status(server, "GET /") == nil)
      let journal = await server.journal()
      #expect(journal.map(\.reason) == [.mode, .mode, .mode])
      #expect(journal.map(\.outcome) == [.reset, .reset, .reset])
      #expect(journal.allSatisfy { $0.status == nil && !$0.isUnmatched })
    }
    #expect(told.withLock { $0 } == ["bank is off", "shop/items is off", "the server is off"])
  }

  @Test(
    "what is no mode, or cannot be one, is refused with a fix",
    arguments: [
      ("/upstreams/bank", "of", 400, "found mode \"of\", expected \"fake\", \"live\" or \"off\""),
      ("/upstreams/bnk", "off", 404, "no upstream \"bnk\""),
      ("/contracts/bank/rate", "off", 404, "no contract \"bank/rate\""),
      (
        "/upstreams/bank", "live", 409,
        "mode \"live\" needs a live API: bank has no \"baseURL\" in upstream.json"
      ),
      (
        "", "live", 409,
        "mode \"live\" needs a live API: the upstreams have no \"baseURL\" in upstream.json"
      ),
    ])
  func refused(path: String, mode: String, status: Int, detail: String) async throws {
    try await SmallServer.with(Self.files) {
      $0.live = { _, _ in nil }
    } _: { (server) async throws in
      let response = try Self.set(mode, path, of: server)
      #expect(response.status == status)
      #expect(try response.json()["detail"]?.string == detail)
      #expect(try response.json()["fix"]?.string != nil)
      #expect(try Self.status(server, "GET /bank/rates") == 200)
    }
  }

  @Test("a server without a way to live APIs says so")
  func noWay() async throws {
    try await SmallServer.with(Self.files) { (server) async throws in
      let response = try Self.set("live", "/upstreams/bank", of: server)
      #expect(response.status == 501)
      #expect(
        try response.json()["detail"]?.string
          == "only understudy serve and understudy run can serve mode \"live\"")
    }
  }
}
