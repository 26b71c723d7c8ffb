import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

/// The requests that follow a response.
@Suite struct CallbackTests {
  private static let files = [
    "pay/upstream.json": #"""
    { "summary": "Payments", "callbacks": ["hooks.example.com", "other.example:8443"] }
    """#,
    "pay/create.json": #"""
    { "request": { "method": "POST", "path": "/payments/{kind}" },
      "cases": {
        "ok": {
          "status": 201, "headers": { "X-Id": "{uuid}" }, "template": ["headers", "body"],
          "body": { "id": "{uuid}", "number": "{counter as json}" }, "then": { "last": "{uuid}" },
          "callbacks": {
            "paid": {
              "url": "{body./callbackUrl}", "headers": { "X-Kind": "{path.kind}", "X-A": ["1", "2"] },
              "template": ["headers", "body"],
              "body": { "id": "{uuid}", "number": "{counter as json}", "was": "{state.last}" },
              "expect": { "status": 204 }
            },
            "seen": { "method": "GET", "url": "http://127.0.0.1:9/seen?kind={path.kind}" }
          }
        },
        "other": { "status": 202, "callbacks": { "late": { "url": "http://localhost/late", "text": "\\{" } } },
        "quiet": { "status": 204 }
      } }
    """#,
  ]

  private func with(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (FakeServer, NotedCallbacks) async throws -> Void
  ) async throws {
    let callbacks = NotedCallbacks()
    try await SmallServer.with(Self.files) { configuration in
      configuration.callbackSender = callbacks
      configure(&configuration)
    } _: { (server) async throws in
      try await test(server, callbacks)
    }
  }

  private static func body(to url: String) -> String { #"{ "callbackUrl": "\#(url)" }"# }

  @Test("a callback has the values of the request and of its response")
  func values() async throws {
    try await with { (server, callbacks) async throws in
      let client = try server.client()
      let first = try client.exchange(
        "POST /pay/payments/card", body: Self.body(to: "http://127.0.0.1:1/paid"))
      await server.callbacksEnded()
      let id = try #require(try first.json()["id"]?.string)
      #expect(
        callbacks.sent.sorted() == [
          "GET http://127.0.0.1:9/seen?kind=card ",
          #"POST http://127.0.0.1:1/paid X-Kind: card X-A: 1 X-A: 2 {"id":"\#(id)","number":1,"was":""}"#,
        ])
      let second = try client.exchange(
        "POST /pay/payments/card", body: Self.body(to: "http://127.0.0.1:1/paid"))
      await server.callbacksEnded()
      let next = try #require(try second.json()["id"]?.string)
      #expect(
        callbacks.sent.contains { $0.hasSuffix(#"{"id":"\#(next)","number":2,"was":"\#(id)"}"#) })
    }
  }

  @Test("the request log has what came of each callback")
  func log() async throws {
    try await with { (server, _) async throws in
      let client = try server.client()
      _ = try client.exchange(
        "POST /pay/payments/card", body: Self.body(to: "http://127.0.0.1:1/broken?token=invented"))
      await server.callbacksEnded()
      _ = try client.exchange("POST /pay/payments/card", ["Prefer: example=quiet"], body: "{}")
      let found = try server.admin("GET", "/journal").json()["requests"]
      let callbacks = try #require(found?[0]?["callbacks"])
      #expect(
        callbacks.elements.map { $0["outcome"]?.string } == ["failed", "responded"])
      #expect(callbacks[0]?["url"]?.string == "http://127.0.0.1:1/broken?token=[redacted]")
      #expect(callbacks[0]?["message"]?.string == "POST http://127.0.0.1:1/broken: no connection")
      #expect(callbacks[0]?["expectedStatus"]?.int == 204)
      #expect(callbacks[1]?["status"]?.int == 204)
      #expect(found?[1]?["callbacks"] == nil)
    }
  }

  @Test("a client of the request log can wait for a callback")
  func waiting() async throws {
    try await with { (server, _) async throws in
      let client = try server.client()
      _ = try client.exchange("POST /pay/payments/card", ["Prefer: example=other"], body: "{}")
      let query = JournalQuery { $0.callback = "late" }
      let found = await server.core.awaitRequests(query, within: .seconds(60))
      #expect(found?.map { $0.callbacks.map(\.outcome) } == [[.responded]])
      #expect(try server.admin("GET", "/journal?callback=late").json()["requests"]?.count == 1)
      #expect(try server.admin("GET", "/journal?callback=paid").json()["requests"]?.count == 0)
    }
  }

  @Test(
    "a callback goes to this machine and to declared hosts",
    arguments: [
      ("http://127.0.0.1:8080/x?y=1", nil),
      ("https://localhost/x", nil),
      ("http://a.localhost/x", nil),
      ("http://[::1]:80", nil),
      ("https://HOOKS.example.com:8443/x", nil),
      ("https://other.example:8443", nil),
      (
        "https://other.example/x",
        "other.example is neither on this machine nor declared by pay"
      ),
      (
        "http://10.0.0.1:90/x", "10.0.0.1:90 is neither on this machine nor declared by pay"
      ),
      (
        "http://169.254.169.254/latest",
        "169.254.169.254 is a link-local or unspecified address, where no callback is sent"
      ),
      (
        "http://0.0.0.0:1/",
        "0.0.0.0:1 is a link-local or unspecified address, where no callback is sent"
      ),
      (
        "http://127.0.0.1:1@example.com/",
        #"found "http://[redacted]@example.com/", expected a URL"#
      ),
      ("file:///etc/hosts", #"found "file:///etc/hosts", expected a URL"#),
      ("", #"found "", expected a URL"#),
    ] as [(String, String?)])
  func addresses(_ url: String, _ refusal: String?) async throws {
    try await with { (server, callbacks) async throws in
      _ = try server.client().exchange("POST /pay/payments/card", body: Self.body(to: url))
      await server.callbacksEnded()
      let attempt = try #require(await server.journal().first?.callbacks.first)
      #expect(attempt.problem?.message == refusal)
      #expect(attempt.outcome == (refusal == nil ? .responded : .refused))
      #expect(callbacks.sent.count == (refusal == nil ? 2 : 1))
    }
  }

  @Test("pages of other sites lead to no callback")
  func pages() async throws {
    try await with { (server, callbacks) async throws in
      let response = try server.client().exchange(
        "POST /pay/payments/card", ["Origin: https://evil.example"],
        body: Self.body(to: "http://127.0.0.1:1/x"))
      #expect(response.status == 201)
      await server.callbacksEnded()
      let attempts = try #require(await server.journal().first?.callbacks)
      #expect(attempts.map(\.outcome) == [.refused, .refused])
      #expect(
        attempts[0].problem?.message.hasPrefix(#"found Origin "https://evil.example""#) == true)
      #expect(callbacks.sent == [])
    }
  }

  @Test("beyond the limit, callbacks are refused")
  func limit() async throws {
    try await with {
      $0.limits.callbackCountMax = 1
    } _: { (server, callbacks) async throws in
      _ = try server.client().exchange(
        "POST /pay/payments/card", body: Self.body(to: "http://127.0.0.1:1/never"))
      _ = await callbacks.sent(1)
      let attempts = try #require(await server.journal().first?.callbacks)
      #expect(attempts.map(\.outcome) == [.underWay, .refused])
      #expect(
        attempts[1].problem?.message
          == "1 callbacks are waiting or under way, which is the maximum")
    }
  }

  @Test("a reset and the end of the server cancel callbacks", arguments: [true, false])
  func cancelled(_ isReset: Bool) async throws {
    try await with { (server, callbacks) async throws in
      _ = try server.client().exchange(
        "POST /~w/pay/payments/card", body: Self.body(to: "http://127.0.0.1:1/never"))
      _ = await callbacks.sent(2)
      let query = JournalQuery { $0.callback = "seen" }
      #expect(await server.core.awaitRequests(query, within: .seconds(60))?.count == 1)
      if isReset {
        await server.reset(session: "w")
        await callbacks.cancelled(1)
        #expect(await server.journal().isEmpty)
      } else {
        await server.close()
        await callbacks.cancelled(1)
        let attempts = try #require(await server.journal().first?.callbacks)
        #expect(attempts.map(\.outcome) == [.cancelled, .responded])
      }
    }
  }

  @Test("a server without a sender says so")
  func none() async throws {
    try await with {
      $0.callbackSender = nil
    } _: { (server, _) async throws in
      _ = try server.client().exchange("POST /pay/payments/x", ["Prefer: example=other"])
      await server.callbacksEnded()
      let attempt = try #require(await server.journal().first?.callbacks.first)
      #expect(attempt.ending == "this server sends no callbacks")
    }
  }

  @Test("a held response that is released as another case has the callbacks of that case")
  func held() async throws {
    try await with { (server, callbacks) async throws in
      let client = try server.client()
      let hold = server.hold("pay/create")
      for name in ["other", "quiet"] {
        client.ask("POST /pay/payments/x", body: Self.body(to: "http://127.0.0.1:1/x"))
        let waiting = try #require(await hold.next())
        _ = try server.admin(
          "POST", "/held/\(waiting.request.sequence)/release", body: #"{"case":"\#(name)"}"#)
        _ = try client.response()
        await server.callbacksEnded()
      }
      #expect(callbacks.sent == [#"POST http://localhost/late \{"#])
      #expect(await server.journal().map { $0.callbacks.map(\.name) } == [["late"], []])
    }
  }

  @Test("who listens to events is told of each callback once it is over")
  func events() async throws {
    try await with { (server, _) async throws in
      let listener = try EventClient(server)
      _ = try server.client().exchange("POST /pay/payments/x", ["Prefer: example=other"])
      var events = [try #require(try listener.next()), try #require(try listener.next())]
      events.sort { $0.name < $1.name }
      #expect(events.map(\.name) == ["callback", "request"])
      let data = events[0].data
      #expect(data["case"]?.string == "other")
      #expect(data["sequence"]?.int == 1)
      #expect(data["callback"]?["status"]?.int == 204)
    }
  }
}
