import Synchronization
import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// `…/hold` and `/held`: what a client of the admin API can do with responses.
@Suite struct HoldingTests {
  private static let hold = "/contracts/shop/items/hold"

  /// A client whose request waits for its response, and the response's id.
  private static func waiting(
    _ line: String = "GET /shop/items", _ headers: [String] = [], body: String? = nil,
    on server: FakeServer
  ) async throws -> (client: WireClient, id: Int) {
    let client = try server.client()
    client.ask(line, headers, body: body)
    let request = try #require(await server.nextRequest())
    #expect(request.outcome == .held)
    return (client, Int(request.sequence))
  }

  private static func held(
    on server: FakeServer, session: String? = nil
  ) throws -> [JSONValue] {
    let list = try server.admin("GET", "/held", session: session).json()["held"]
    return list?.elements.map { $0 } ?? []
  }

  private static func ids(on server: FakeServer, session: String? = nil) throws -> [Int?] {
    try held(on: server, session: session).map { $0["id"]?.int }
  }

  @Test("responses are held, listed without secrets, and released", arguments: [1, 2])
  func release(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      let response = try server.admin("PUT", Self.hold)
      #expect(try response.json()["held"]?.bool == true)
      let (client, id) = try await Self.waiting(
        "GET /shop/items?a=1", ["Authorization: Bearer s3cr3t"], on: server)
      let held = try #require(try Self.held(on: server).first)
      #expect(held["id"]?.int == id)
      #expect(held["contract"]?.string == "shop/items")
      #expect(held["since"]?.string == held["request"]?["time"]?.string)
      #expect(held["request"]?["query"]?.string == "a=1")
      #expect(held["request"]?["outcome"]?.string == "held")
      #expect(!String(decoding: held.compact, as: UTF8.self).contains("s3cr3t"))
      let journal = try server.admin("GET", "/journal?outcome=held").json()["requests"]
      #expect(journal?[0]?["sequence"]?.int == id)
      #expect(await client.isSilent(on: server))
      #expect(try server.admin("POST", "/held/\(id)/release").status == 204)
      #expect(try client.response().text == "[1,2]")
      #expect(try Self.ids(on: server) == [])
      #expect(await server.journal().map(\.outcome) == [.responded])
    }
  }

  @Test(
    "another case is served when a response is released",
    arguments: [("gone", 410, "HTTP/1.1 410"), ("reset", nil, "")])
  func otherCase(name: String, status: Int?, start: String) async throws {
    let told = Mutex<[String]>([])
    try await SmallServer.with {
      $0.listener = { batch in
        for exchange in batch {
          guard case .served(let served) = exchange.source else { continue }
          let status = exchange.record.status.map { "\($0)" } ?? "-"
          told.withLock { $0.append("\(served) \(status) \(exchange.record.outcome)") }
        }
      }
    } _: { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (client, id) = try await Self.waiting(on: server)
      let body = #"{"case":"\#(name)"}"#
      #expect(try server.admin("POST", "/held/\(id)/release", body: body).status == 204)
      client.shutWriting()
      let (text, end) = client.receiveAll()
      #expect(text.hasPrefix(start))
      #expect(end == (status == nil ? .reset : .closed))
      let entry = try #require(await server.journal().first)
      #expect(entry.caseName == name)
      #expect(entry.reason == .hand)
      #expect(entry.status == status)
      #expect(entry.outcome == (status == nil ? .reset : .responded))
    }
    let outcome = status == nil ? "- reset" : "410 responded"
    #expect(told.withLock { $0 } == ["shop/items#\(name) \(outcome)"])
  }

  /// A contract whose cases read the request and change the state.
  private static let basket = [
    "shop/upstream.json": #"{ "summary": "A shop" }"#,
    "shop/basket.json": #"""
    { "summary": "Puts something in", "request": { "method": "POST", "path": "/basket/{id}" },
      "cases": {
        "ok": { "status": 201, "body": {} },
        "full": { "status": 409, "template": ["body", "headers"], "then": { "basket": "full" },
                  "headers": { "X-Item": "{path.id} {header.x-color}" },
                  "body": { "item": "{body./name} {query.n}" } },
        "third": { "when": { "count": { "above": 2 } }, "status": 429 } } }
    """#,
  ]

  @Test("the other case sees the whole request, changes the state, and counts no request twice")
  func facts() async throws {
    try await SmallServer.with(Self.basket) { (server) async throws in
      _ = try server.admin("PUT", "/contracts/shop/basket/hold")
      let (client, id) = try await Self.waiting(
        "POST /shop/basket/7?n=2", ["X-Color: red"], body: #"{"name":"cup"}"#, on: server)
      let body = #"{"case":"full"}"#
      #expect(try server.admin("POST", "/held/\(id)/release", body: body).status == 204)
      let response = try client.response()
      #expect(response.status == 409)
      #expect(response.values(of: "X-Item") == ["7 red"])
      #expect(response.text == #"{"item":"cup 2"}"#)
      #expect(
        try server.admin("GET", "/state").text
          == #"{"state":{"shop":{"basket":"full"}}}"# + "\n")
      let ended = try server.admin("DELETE", "/contracts/shop/basket/hold")
      #expect(try ended.json()["held"]?.bool == false)
      let statuses = try (0..<2).map { _ in try client.exchange("POST /shop/basket/8").status }
      #expect(statuses == [201, 429])
    }
  }

  @Test("a page of another origin may read the other case as it may read the first")
  func crossOrigin() async throws {
    try await SmallServer.with {
      $0.allowsCORS = true
    } _: { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (client, id) = try await Self.waiting(
        "GET /shop/items", ["Origin: http://page.example"], on: server)
      _ = try server.admin("POST", "/held/\(id)/release", body: #"{"case":"gone"}"#)
      let response = try client.response()
      #expect(response.status == 410)
      #expect(response.values(of: "Access-Control-Allow-Origin") == ["http://page.example"])
    }
  }

  @Test("the connection of a held response is reset")
  func drop() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (client, id) = try await Self.waiting(on: server)
      #expect(try server.admin("DELETE", "/held/\(id)").status == 204)
      #expect(client.receiveAll() == ("", .reset))
      let entry = try #require(await server.journal().first)
      #expect(entry.status == nil)
      #expect(entry.outcome == .reset)
    }
  }

  @Test("the end of a hold releases what is held, and holds no more")
  func end() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let waiting = [
        try await Self.waiting(on: server).client, try await Self.waiting(on: server).client,
      ]
      let response = try server.admin("DELETE", Self.hold)
      #expect(try response.json()["held"]?.bool == false)
      #expect(try Self.ids(on: server) == [])
      for client in waiting { #expect(try client.response().status == 200) }
      #expect(try server.client().exchange("GET /shop/items").status == 200)
      #expect(try server.admin("DELETE", Self.hold).status == 200)
    }
  }

  @Test("a client that leaves is not in the list any more")
  func clientLeaves() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (client, id) = try await Self.waiting(on: server)
      #expect(try Self.ids(on: server) == [id])
      client.shutWriting()
      #expect(client.receiveAll().text == "")
      #expect(try Self.ids(on: server) == [])
      #expect(await server.journal().map(\.outcome) == [.clientLeft])
      let refusal = try server.admin("POST", "/held/\(id)/release")
      #expect(
        refusal.text == """
          {"title":"There is no such held response","status":404,\
          "detail":"no held response \\"\(id)\\""}

          """)
    }
  }

  @Test("a case that does not exist is not served, and the response stays held")
  func unknownCase() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (client, id) = try await Self.waiting(on: server)
      let wrong = [
        (
          #"{"case":"gnoe"}"#, "no case \"shop/items#gnoe\"",
          "did you mean \"shop/items#gone\"?"
        ),
        (#"{"cse":"gone"}"#, "unknown key \"cse\"", "did you mean \"case\"?"),
        (#"{}"#, "no \"case\"", "add \"case\""),
      ]
      for (body, detail, fix) in wrong {
        let refusal = try server.admin("POST", "/held/\(id)/release", body: body)
        #expect(refusal.status == (body.contains("gnoe") ? 404 : 400))
        #expect(try refusal.json()["detail"]?.string == detail)
        #expect(try refusal.json()["fix"]?.string == fix)
      }
      let refusal = try server.admin("DELETE", "/held/99")
      #expect(try refusal.json()["fix"]?.string == "known: \(id)")
      #expect(await client.isSilent(on: server))
      #expect(try Self.ids(on: server) == [id])
    }
  }

  @Test("a session holds and lists its own responses, and its end drops them")
  func sessions() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.admin("PUT", Self.hold, session: "a")
      _ = try server.admin("PUT", Self.hold, session: "b")
      #expect(try server.client().exchange("GET /shop/items").status == 200)
      _ = await server.nextRequest()
      let (first, a) = try await Self.waiting("GET /~a/shop/items", on: server)
      let (second, b) = try await Self.waiting("GET /~b/shop/items", on: server)
      #expect(try Self.ids(on: server) == [a, b])
      #expect(try Self.ids(on: server, session: "a") == [a])
      #expect(try server.admin("POST", "/held/\(b)/release", session: "a").status == 404)
      #expect(try server.admin("DELETE", "/sessions/a").status == 204)
      #expect(first.receiveAll().text == "")
      #expect(try Self.ids(on: server) == [b])
      #expect(try server.admin("POST", "/reset").status == 204)
      #expect(second.receiveAll().text == "")
      #expect(try Self.ids(on: server) == [])
      #expect(try server.client().exchange("GET /~b/shop/items").status == 200)
    }
  }

  @Test("a test in the server's process and a client of the admin API share one hold")
  func shared() async throws {
    try await SmallServer.with { (server) async throws in
      let hold = server.hold("shop/items")
      #expect(try server.admin("PUT", Self.hold).status == 200)
      let (client, id) = try await Self.waiting(on: server)
      let response = try #require(await hold.next())
      #expect(try Self.ids(on: server) == [id])
      #expect(try server.admin("POST", "/held/\(id)/release").status == 204)
      #expect(try client.response().status == 200)
      #expect(await response.release() == false)
      #expect(try server.admin("DELETE", Self.hold).status == 200)
      #expect(await hold.next() == nil)
    }
  }

  @Test("requests beyond the limit are served at once, until there is room")
  func countMax() async throws {
    try await SmallServer.with {
      $0.limits.heldCountMax = 2
    } _: { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let (first, _) = try await Self.waiting(on: server)
      let (second, id) = try await Self.waiting(on: server)
      #expect(try server.client().exchange("GET /shop/items").status == 200)
      _ = await server.nextRequest()
      #expect(await server.journal().map(\.outcome) == [.held, .held, .responded])
      first.shutWriting()
      #expect(first.receiveAll().text == "")
      let (third, _) = try await Self.waiting(on: server)
      #expect(try server.admin("POST", "/held/\(id)/release").status == 204)
      #expect(try second.response().status == 200)
      #expect(await third.isSilent(on: server))
    }
  }

  @Test("large requests are held until they take too much memory")
  func byteCountMax() async throws {
    try await SmallServer.with {
      $0.limits.heldByteCountMax = 10
    } _: { (server) async throws in
      _ = try server.admin("PUT", "/contracts/shop/add/hold")
      let body = String(repeating: "a", count: 20)
      let (client, id) = try await Self.waiting("POST /shop/items", body: body, on: server)
      #expect(try server.client().exchange("POST /shop/items", body: "a").status == 201)
      _ = await server.nextRequest()
      #expect(try server.admin("POST", "/held/\(id)/release").status == 204)
      #expect(try client.response().status == 201)
      _ = try await Self.waiting("POST /shop/items", body: body, on: server)
    }
  }

  @Test("a response that was held too long is released as it would have been")
  func timeMax() async throws {
    try await SmallServer.with {
      $0.limits.heldMax = .milliseconds(5)
    } _: { (server) async throws in
      _ = try server.admin("PUT", Self.hold)
      let client = try server.client()
      for _ in 0..<2 {
        #expect(try client.exchange("GET /shop/items").text == "[1,2]")
        #expect(await server.nextRequest()?.outcome == .responded)
      }
      #expect(try Self.ids(on: server) == [])
    }
  }
}
