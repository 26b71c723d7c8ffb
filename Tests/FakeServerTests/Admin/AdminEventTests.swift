import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// `GET /events`: what is told, and to whom.
@Suite struct AdminEventTests {
  @Test("a request is told as the request log has it, secrets masked", arguments: [1, 2])
  func request(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      #expect(!server.core.events.isCollecting)
      let client = try EventClient(server)
      #expect(client.head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
      #expect(client.head.contains("\r\nCache-Control: no-store\r\n"))
      _ = try server.client().exchange("GET /shop/items?a=1", ["Authorization: Bearer s3cr3t"])
      _ = try server.client().exchange("GET /shop/nothing")
      let events = [try #require(try client.next()), try #require(try client.next())]
      #expect(events.map(\.name) == ["request", "request"])
      #expect(events[1].id == events[0].id + 1)
      let journal = try server.admin("GET", "/journal").json()["requests"]?.elements.map(\.compact)
      #expect(events.map(\.data.compact) == journal)
      #expect(!events[0].text.contains("s3cr3t"))
    }
  }

  @Test("choices, scripts, state and resets are told")
  func steering() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try EventClient(server)
      let items = "/contracts/shop/items"
      _ = try server.admin("PUT", "\(items)/case", body: #"{"case":"gone"}"#)
      _ = try server.admin("DELETE", "\(items)/case", session: "a")
      _ = try server.admin("POST", "\(items)/script", body: #"{"cases":["gone","ok"]}"#)
      _ = try server.admin("POST", "/scenarios/shop/restock")
      _ = try server.admin("PUT", "/state", body: #"{"state":{"shop":{"shelf":"full"}}}"#)
      _ = try server.admin("DELETE", "/state")
      _ = try server.admin("PUT", "\(items)/mode", body: #"{"mode":"off"}"#)
      _ = try server.admin("DELETE", "/mode", session: "a")
      _ = try server.admin("POST", "/reset", session: "a")
      _ = try server.admin("POST", "/reset")
      server.use("ok", for: "shop/item")
      #expect(
        try client.texts(12) == [
          #"choice {"session":"","contract":"shop/items","case":"gone"}"#,
          #"choice {"session":"a","contract":"shop/items","case":null}"#,
          #"script {"session":"","contract":"shop/items","cases":["gone","ok"]}"#,
          #"script {"session":"","contract":"shop/items","cases":["empty","ok"]}"#,
          #"state {"session":"","upstream":"shop","state":{"shelf":"empty"}}"#,
          #"state {"session":"","upstream":"shop","state":{"shelf":"full"}}"#,
          #"state {"session":"","upstream":null,"state":{}}"#,
          #"mode {"session":"","upstream":"shop","contract":"shop/items","mode":"off"}"#,
          #"mode {"session":"a","upstream":null,"contract":null,"mode":null}"#,
          #"reset {"session":"a"}"#,
          "reset {}",
          #"choice {"session":"","contract":"shop/item","case":"ok"}"#,
        ])
    }
  }

  @Test("contracts made at run time are told")
  func stubs() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try EventClient(server)
      let contract = SmallServer.files["shop/items.json"]
      _ = try server.admin("PUT", "/contracts/shop/items", session: "a", body: contract)
      _ = try server.admin("DELETE", "/contracts/shop/items", session: "a")
      server.change(RankedChange(), of: "shop")
      #expect(
        try client.texts(3) == [
          #"stub {"session":"a","upstream":"shop","contract":"shop/items","removed":false}"#,
          #"stub {"session":"a","upstream":"shop","contract":"shop/items","removed":true}"#,
          #"stub {"session":"","upstream":"shop","contract":null,"removed":false}"#,
        ])
    }
  }

  @Test("clearing the state tells what sessions begin with")
  func startingState() async throws {
    let files = [
      "shop/upstream.json": #"{ "summary": "A shop", "state": { "shelf": "full" } }"#,
      "shop/look.json": #"""
      { "summary": "The shelf", "request": { "method": "GET", "path": "/look" },
        "cases": { "ok": { "status": 204 } } }
      """#,
    ]
    try await SmallServer.with(files) { (server) async throws in
      let client = try EventClient(server)
      #expect(try server.admin("DELETE", "/state").status == 204)
      #expect(
        try client.texts(2) == [
          #"state {"session":"","upstream":null,"state":{}}"#,
          #"state {"session":"","upstream":"shop","state":{"shelf":"full"}}"#,
        ])
    }
  }

  @Test("a request that changes the state tells of both")
  func stateByRequest() async throws {
    let files = [
      "shop/upstream.json": #"{ "summary": "A shop" }"#,
      "shop/take.json": #"""
      { "summary": "Takes one", "request": { "method": "POST", "path": "/take/{id}" },
        "cases": { "ok": { "status": 204, "then": { "taken": "{path.id}", "left": null } } } }
      """#,
    ]
    try await SmallServer.with(files) { (server) async throws in
      let client = try EventClient(server)
      #expect(try server.client().exchange("POST /shop/take/7").status == 204)
      let event = try #require(try client.next())
      #expect(event.name == "state")
      #expect(event.data["upstream"]?.string == "shop")
      #expect(event.data["state"]?["taken"]?.string == "7")
      #expect(event.data["state"]?["left"]?.kind == .null)
      #expect(try client.next()?.name == "request")
    }
  }

  @Test("held responses are told, how they are released, and how their requests end")
  func held() async throws {
    try await SmallServer.with { (server) async throws in
      let listener = try EventClient(server)
      _ = try server.admin("PUT", "/contracts/shop/items/hold")
      #expect(
        try listener.next()?.text
          == #"hold {"session":"","contract":"shop/items","held":true}"#)
      var clients: [WireClient] = []
      func hold() throws -> UInt64 {
        clients.append(try server.client())
        clients.last?.ask("GET /shop/items")
        let event = try #require(try listener.next())
        #expect(event.name == "held")
        #expect(event.data["request"]?["outcome"]?.string == "held")
        return UInt64(try #require(event.data["id"]?.int))
      }
      func outcome() throws -> [String?] {
        let request = try listener.next()
        return ["case", "outcome"].map { request?.data[$0]?.string }
      }
      let releases: [(body: String?, name: String, end: [String?])] = [
        (nil, "ok", ["ok", "responded"]), (#"{"case":"gone"}"#, "gone", ["gone", "responded"]),
        (#"{"case":"reset"}"#, "reset", ["reset", "reset"]),
      ]
      for (body, name, end) in releases {
        let id = try hold()
        #expect(try server.admin("POST", "/held/\(id)/release", body: body).status == 204)
        #expect(
          try listener.next()?.text
            == #"released {"session":"","id":\#(id),"contract":"shop/items","case":"\#(name)"}"#)
        #expect(try outcome() == end)
      }
      let dropped = try hold()
      _ = try server.admin("DELETE", "/held/\(dropped)")
      #expect(
        try listener.next()?.text
          == #"released {"session":"","id":\#(dropped),"contract":"shop/items","case":null}"#)
      #expect(try outcome() == ["ok", "reset"])
      _ = try hold()
      clients.last?.shutWriting()
      #expect(try outcome() == ["ok", "clientLeft"])
      // A reset ends what is held; the listeners stay.
      _ = try hold()
      _ = try server.admin("POST", "/reset")
      #expect(try outcome() == ["ok", "cancelled"])
      #expect(try listener.next()?.text == "reset {}")
    }
  }

  @Test("a session's listeners get its events, and end with it")
  func session() async throws {
    try await SmallServer.with { (server) async throws in
      let everything = try EventClient(server)
      let a = try EventClient(server, session: "a")
      let client = try server.client()
      for session in ["b", "a"] { _ = try client.exchange("GET /~\(session)/shop/items") }
      server.follow(.mended(ContractLibrary(reading: [:])), readAt: .max)
      #expect(try a.next()?.data["session"]?.string == "a")
      #expect(try a.next()?.name == "reloaded")
      #expect(try server.admin("DELETE", "/sessions/b").status == 204)
      #expect(try server.admin("DELETE", "/sessions/a").status == 204)
      #expect(try a.next()?.text == #"reset {"session":"a"}"#)
      #expect(try a.next() == nil)
      // The connection can be used again.
      #expect(try a.client.exchange("GET /shop/items").status == 200)
      let names = try (0..<6).map { _ in try everything.next()?.name }
      #expect(names == ["request", "request", "reloaded", "reset", "reset", "request"])
    }
  }

  @Test("a session that is forgotten to make room ends its listeners")
  func forgottenSession() async throws {
    try await SmallServer.with {
      $0.limits.sessionCountMax = 1
    } _: { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("GET /~a/shop/items")
      let listener = try EventClient(server, session: "a")
      _ = try client.exchange("GET /~b/shop/items")
      #expect(try listener.next()?.text == #"reset {"session":"a"}"#)
      #expect(try listener.next() == nil)
    }
  }

  @Test("what a change of files leads to is told")
  func reload() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try EventClient(server)
      let old = ContractLibrary(reading: SmallServer.files)
      let new = ContractLibrary(reading: SmallServer.files.filter { $0.key != "shop/login.json" })
      server.follow(.changed(new, LibraryChange(from: old, to: new)), readAt: .max)
      server.follow(.broken(ContractLibrary(reading: ["shop/items.json": "{"])), readAt: .max)
      server.follow(.unreadable(Failure(message: "no such folder")), readAt: .max)
      server.follow(.mended(new), readAt: .max)
      #expect(
        try client.next()?.text == #"reloaded {"added":[],"changed":[],"removed":["shop/login"]}"#)
      let broken = try #require(try client.next())
      #expect(broken.name == "rejected")
      let count = broken.data["diagnostics"]?.count ?? 0
      #expect(broken.data["message"]?.string == "\(count.of("error"))")
      #expect(broken.data["diagnostics"]?[0]?["severity"]?.string == "error")
      #expect(
        try client.texts(2) == [
          #"rejected {"message":"no such folder","diagnostics":[]}"#,
          #"reloaded {"added":[],"changed":[],"removed":[]}"#,
        ])
      #expect(try server.client().exchange("POST /shop/login").status == 404)
    }
  }

  @Test("every event is as described")
  func described() async throws {
    try await SmallServer.with {
      $0.recording = RecordedFiles()
    } _: { (server) async throws in
      let listener = try EventClient(server)
      let hold = server.hold("shop/items")
      let client = try server.client()
      client.ask("GET /shop/items")
      await hold.next()?.release()
      _ = try client.response()
      #expect(try server.admin("PUT", "/contracts/shop/item/hold").status == 200)
      server.use("gone", for: "shop/items")
      let stub = "/contracts/shop/made"
      let text = #"""
        { "request": { "method": "GET", "path": "/made" },
          "cases": { "ok": { "status": 200, "callbacks": { "a": { "url": "http://localhost/" } } } } }
        """#
      #expect(try server.admin("PUT", stub, body: text).status == 201)
      #expect(try client.exchange("GET /shop/made").status == 200)
      await server.callbacksEnded()
      #expect(try server.admin("DELETE", stub).status == 204)
      #expect(try server.admin("PUT", "/mode", body: #"{"mode":"fake"}"#).status < 300)
      #expect(try server.admin("POST", "/recording/start").status == 200)
      server.change(RankedChange(), of: "shop", session: "a")
      _ = server.use(scenario: "restock", of: "shop")
      server.follow(.mended(ContractLibrary(reading: [:])), readAt: .max)
      server.follow(.broken(ContractLibrary(reading: ["shop/items.json": "{"])), readAt: .max)
      await server.reset()
      var names: Set<String> = []
      let document = try JSONDocument(parsing: AdminDescription.text).root
      while names.count < 14 {
        let event = try #require(try listener.next())
        try AdminDescriptionTests.expect(event.data, isEvent: event.name)
        names.insert(event.name)
      }
      let first = try #require(try EventClient(server, after: 1).next())
      try AdminDescriptionTests.expect(first.data, isEvent: first.name)
      names.insert(first.name)
      let described = document["components"]?["schemas"]?["Events"]?["properties"]?.members
      #expect(names == Set(described?.map(\.key) ?? []))
    }
  }

  @Test("who may not use the admin API may not listen either")
  func gate() async throws {
    try await SmallServer.with {
      $0.adminToken = "right"
    } _: { (server) async throws in
      #expect(try server.admin("GET", "/events").status == 401)
      let token = "Authorization: Bearer right"
      let foreign = try server.admin("GET", "/events", [token, "Origin: http://evil.example"])
      #expect(foreign.status == 403)
      let wrong = try server.admin("GET", "/events", [token, "Last-Event-ID: last"])
      #expect(
        wrong.text == """
          {"title":"The request cannot be understood","status":400,\
          "detail":"found Last-Event-ID \\"last\\", expected the id of an event, a whole number",\
          "fix":"leave it out to get the events from now on"}

          """)
      #expect(!server.core.events.isCollecting)
    }
  }
}
