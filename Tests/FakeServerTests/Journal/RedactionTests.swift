import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

@Suite struct RedactionTests {
  @Test("secrets are nowhere in it")
  func redacted() async throws {
    try await SmallServer.with {
      $0.redactedNames = ["X-Session", "token"]
    } _: { (server) async throws in
      let names = [
        "authorization", "Proxy-Authorization", "COOKIE", "Set-Cookie", "X-Api-Key", "x-session",
      ]
      _ = try server.client().exchange(
        "GET /shop/items?token=hush&x-API-key=hush&to%6ben=hush&page=2&token",
        names.map { "\($0): hush" } + ["X-Other: seen"])
      let entry = try server.admin("GET", "/journal").json()["requests"]?[0]
      #expect(
        entry?["headers"]?.elements.dropFirst().map { $0["value"]?.string }
          == Array(repeating: "[redacted]", count: 6) + ["seen"])
      #expect(
        entry?["query"]?.string
          == "token=[redacted]&x-API-key=[redacted]&to%6ben=[redacted]&page=2&token=[redacted]")
      // A test in the same process has to see what it has sent.
      let own = try #require(await server.journal().first)
      #expect(own.headers.dropFirst().map(\.value) == Array(repeating: "hush", count: 6) + ["seen"])
      #expect(own.query == "token=hush&x-API-key=hush&to%6ben=hush&page=2&token")
    }
  }

  @Test("a compressed body is left out")
  func compressed() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange(
        "POST /shop/items", ["Content-Encoding: gzip"], body: "a body with hush")
      for path in ["/journal", "/journal.har"] {
        let text = try server.admin("GET", path).text
        #expect(!text.contains("hush") && text.contains("[redacted]"), "\(path)")
      }
    }
    let zipped = Request("POST", "/a", headers: [], body: [0x1F, 0x8B, 8, 0])
    #expect(SecretMask.standard.masked(zipped).body == Array(SecretMask.mark.utf8))
    let plain = Request(
      "POST", "/a", headers: [HeaderField(name: "Content-Encoding", value: "identity")], body: [65])
    #expect(SecretMask.standard.masked(plain).body == [65])
  }

  @Test("a near miss does not reveal the secret that missed")
  func redactedMiss() async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET /shop/items/1", ["Authorization: Basic hush"])
      #expect(response.status == 404)
      let unmatched = try server.admin("GET", "/journal/unmatched")
      #expect(!unmatched.text.contains("hush"))
      let nearest = try unmatched.json()["requests"]?[0]?["nearest"]?[0]
      #expect(nearest?["contract"]?.string == "shop/item")
      #expect(
        nearest?["differences"]?[0]?.string
          == "header.Authorization: found \"[redacted]\", expected a match of ^Bearer ")
    }
  }

  @Test(
    "in a body only the values of secret members are masked, in the layout that was sent",
    arguments: [
      (
        #"{"name": "a", "password" : "hush\"x", "n": 1}"#,
        #"{"name": "a", "password" : "[redacted]", "n": 1}"#
      ),
      (
        #"[{"api_key":12.5},{"apiKey":null}]"#,
        #"[{"api_key":"[redacted]"},{"apiKey":null}]"#
      ),
      (
        #"{"secret": {"a": ["]", {"b": 1}]}, "token": [1, [2]], "to\u006ben": 1}"#,
        #"{"secret": {"a": ["[redacted]", {"b": "[redacted]"}]}, "token": ["[redacted]", ["[redacted]"]], "to\u006ben": "[redacted]"}"#
      ),
      (#"{"access_token": "hus"#, #"{"access_token": "[redacted]""#),
      (#"{"a": {"token": {"b": "hus"#, #"{"a": {"token": {"b": "[redacted]""#),
      (
        #"{"a": "token", "tokenCount": 1, "b": ["password"]}"#,
        #"{"a": "token", "tokenCount": 1, "b": ["password"]}"#
      ),
      (
        #"{"tokens": ["hush"], "credentials": {"a": "hush"}}"#,
        #"{"tokens": ["[redacted]"], "credentials": {"a": "[redacted]"}}"#
      ),
      (#"{"a": "x, "password": "hush"}"#, #"{"a": "x, "password": "[redacted]"}"#),
      (#"{"a": "C:\", "password": "hush"}"#, #"{"a": "C:\", "password": "[redacted]"}"#),
      (
        #"{"user[password]": "hush", "user.token": 1, "user": {"name": "a"}}"#,
        #"{"user[password]": "[redacted]", "user.token": "[redacted]", "user": {"name": "a"}}"#
      ),
      (#"{"token""#, #"{"token""#), (#"{"token":"#, #"{"token":"#),
      (
        #"{"tokens": 812, "secret": true, "password": "", "token": -1.5e3}"#,
        #"{"tokens": 812, "secret": true, "password": "", "token": "[redacted]"}"#
      ),
      (
        #"{"SECRETS": [1, 2], "max_tokens": 100, "passphrase": {"n": 1}, "passwd": 4711"#,
        #"{"SECRETS": [1, 2], "max_tokens": 100, "passphrase": {"n": "[redacted]"}, "passwd": "[redacted]""#
      ),
      (#"{"password": hush, "token": hush"#, #"{"password": "[redacted]", "token": "[redacted]""#),
      ("no \"json\" at all \\", "no \"json\" at all \\"), ("", ""),
    ])
  func bodies(body: String, expected: String) {
    let redacted = SecretMask.standard.masked(
      Array(body.utf8), of: "application/json", namedNumber: SecretMask.quotedMark)
    #expect(String(decoding: redacted, as: UTF8.self) == expected)
  }

  @Test("a form is masked as a query is")
  func form() async throws {
    try await SmallServer.with { (server) async throws in
      _ = try server.client().exchange(
        "POST /shop/items", ["Content-Type: application/x-www-form-urlencoded; charset=utf-8"],
        body: "user=a&pass%77ord=hush&client_secret=hush")
      let entry = try server.admin("GET", "/journal").json()["requests"]?[0]
      #expect(
        entry?["body"]?.string == "user=a&pass%77ord=[redacted]&client_secret=[redacted]")
      #expect(entry?["bodyBytes"]?.int == 41)
    }
  }

  @Test(
    "a body is masked by its type, and as JSON",
    arguments: [
      ("application/x-www-form-urlencoded", #"{"password":"hush"}"#, #"{"password":"[redacted]"}"#),
      (
        "application/x-www-form-urlencoded", "user[password]=hush&user%5Btoken%5D=hush&user[a]=1",
        "user[password]=[redacted]&user%5Btoken%5D=[redacted]&user[a]=1"
      ),
      (
        "Multipart/Form-Data; boundary=B",
        """
        --B\r
        Content-Disposition: form-data; name="user"\r
        \r
        a\r
        --B\r
        content-disposition: form-data; filename="x"; name="user[pass-word]"\r
        Content-Type: text/plain\r
        \r
        hush\r
        hush\r
        --B\r
        Content-Disposition: form-data; name="json"\r
        \r
        {"token": "hush"}\r
        --B\r
        Content-Disposition: form-data; name=token\r
        \r
        hush\r
        --B--\r

        """,
        """
        --B\r
        Content-Disposition: form-data; name="user"\r
        \r
        a\r
        --B\r
        content-disposition: form-data; filename="x"; name="user[pass-word]"\r
        Content-Type: text/plain\r
        \r
        [redacted]\r
        --B\r
        Content-Disposition: form-data; name="json"\r
        \r
        {"token": "[redacted]"}\r
        --B\r
        Content-Disposition: form-data; name=token\r
        \r
        [redacted]\r
        --B--\r

        """
      ),
      (
        "multipart/form-data", "\n--B\nContent-Disposition: form-data; name=secret\n\nhush",
        "\n--B\nContent-Disposition: form-data; name=secret\n\n[redacted]"
      ),
      ("multipart/form-data", #"{"token": "hush"}"#, #"{"token": "[redacted]"}"#),
    ])
  func typed(type: String, body: String, expected: String) {
    let request = Request(
      "POST", "/", headers: [HeaderField(name: "content-type", value: type)], body: Array(body.utf8)
    )
    let redacted = SecretMask.standard.masked(request)
    #expect(String(decoding: redacted.body, as: UTF8.self) == expected)
  }

  @Test("the query of the page a request comes from is masked, too")
  func referer() {
    let page = HeaderField(name: "Referer", value: "https://page.example/?a=1&token=hush")
    #expect(
      SecretMask.standard.masked(Request("GET", "/", headers: [page])).headers.map(\.value)
        == ["https://page.example/?a=1&token=[redacted]"])
  }

  @Test("a listener gets no secrets either")
  func watched() async throws {
    let told = Told()
    try await SmallServer.with {
      $0.listener = { exchanges in told.exchanges.withLock { $0 += exchanges } }
    } _: { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("GET /shop/items?page=1&token=hush")
      _ = try client.exchange("GET /shop/items/1?api_key=hush", ["Authorization: Basic hush"])
      _ = try client.exchange("POST /shop/login", body: #"{"password":"hush"}"#)
    }
    let exchanges = told.exchanges.withLock { $0 }
    #expect(
      exchanges.map(\.target) == [
        "/shop/items?page=1&token=[redacted]", "/shop/items/1?api_key=[redacted]", "/shop/login",
      ])
    let differences = exchanges.flatMap { exchange -> [String] in
      guard case .unmatched(let explanation) = exchange.source else { return [] }
      return explanation.nearMisses.flatMap(\.differences).map(\.description)
    }
    #expect(!differences.isEmpty)
    #expect(differences.allSatisfy { !$0.contains("hush") })
  }

  @Test("no secret of a request is in the request log or reported to a listener")
  func everySecret() async throws {
    let told = Told()
    try await SmallServer.with {
      $0.listener = { exchanges in told.exchanges.withLock { $0 += exchanges } }
    } _: { (server) async throws in
      let client = try server.client()
      for (text, secret) in SecretTable.texts {
        let encoded = PercentEncoding.encode(text)
        let line = text.split(separator: "\n").joined(separator: " ")
        _ = try client.exchange(
          "POST /shop/none?note=\(encoded)", ["X-Note: \(line)", "Location: \(line)"], body: text)
        let journal = try server.admin("GET", "/journal?limit=1&path=/shop/none").text
        #expect(journal.contains("[redacted]"))
        #expect(!journal.contains(secret), "\(text)")
        #expect(try !server.admin("GET", "/journal/unmatched?limit=1").text.contains(secret))
      }
    }
    let targets = told.exchanges.withLock { $0 }.map(\.target)
      .filter { $0.hasPrefix("/shop/none") }
    #expect(targets == SecretTable.texts.map { _ in "/shop/none?note=[redacted]" })
  }

  @Test("a token in a path is shown neither in the request log nor in near misses")
  func path() async throws {
    let told = Told()
    try await SmallServer.with {
      $0.listener = { exchanges in told.exchanges.withLock { $0 += exchanges } }
    } _: { (server) async throws in
      let token = "q8ZrT3bK9wXy2LmN5vHd7sGf"
      let client = try server.client()
      _ = try client.exchange("GET /shop/api/webhooks/123456789012/\(token)")
      _ = try client.exchange("GET /shop/items/ghp_\(token)AAAAbbbbCCCC")
      for path in ["/journal", "/journal/unmatched"] {
        let text = try server.admin("GET", path).text
        #expect(text.contains("[redacted]"))
        #expect(!text.contains(token))
      }
    }
    let lines = told.exchanges.withLock { $0 }.map { exchange -> String in
      guard case .unmatched(let explanation) = exchange.source else { return exchange.target }
      return "\(exchange.target) \(explanation.complaint) \(explanation.nearMisses)"
    }
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.contains("[redacted]") && !$0.contains("q8ZrT3bK") })
  }

  private final class Told: Sendable {
    let exchanges = Mutex<[Exchange]>([])
  }
}
