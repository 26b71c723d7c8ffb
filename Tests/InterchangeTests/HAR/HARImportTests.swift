import Testing
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What becomes of the entries of a HAR.
@Suite struct HARImportTests {
  @Test("makes contracts that lint without errors, and a second time changes nothing")
  func twice() throws {
    let stage = try ImportStage()
    let document = HAR.log(
      HAR.entry("GET", "https://api.example.com/users/1"),
      HAR.entry(
        "GET", "https://api.example.com/users/2", status: 404, content: HAR.json(#"{"no":1}"#)))
    let plan = try stage.write(document)
    #expect(plan.drafts.map(\.id) == ["example/users-id"])
    #expect(plan.drafts.first?.cases.map(\.name) == ["ok", "not-found"])
    #expect(plan.notes == [])
    #expect(try stage.library().findings == [])
    let again = try stage.plan(document)
    #expect(again.changes.isEmpty && again.drafts.isEmpty && again.notes == [])
  }

  private static func product(_ name: String) -> String {
    HAR.entry(
      "GET", "https://api.example.com/products/\(name)", status: name == "NOPE" ? 404 : 200,
      content: HAR.json(
        name == "NOPE" ? #"{"error":"none"}"# : "{\"sku\":\"\(name)\",\"price\":1}"))
  }

  @Test(
    "siblings whose responses have one shape become one contract, and a second time changes nothing"
  )
  func slugs() throws {
    let stage = try ImportStage()
    let document = HAR.log(["TEA-1", "MUG-1", "NOPE"].map(Self.product))
    let plan = try stage.write(document)
    let draft = try #require(plan.drafts.first)
    #expect(plan.drafts.count == 1)
    #expect(draft.path == "/products/{id}")
    #expect(draft.cases.map(\.name) == ["ok", "ok-mug-1", "not-found"])
    #expect(draft.remarks.first == "guessed {id} from TEA-1, MUG-1, NOPE")
    #expect(plan.notes == [])
    #expect(try stage.library().findings == [])
    #expect(try stage.plan(document).changes.isEmpty)
  }

  @Test("of very many siblings, one contract has the first")
  func manySlugs() throws {
    let stage = try ImportStage()
    let plan = try stage.plan(HAR.log((0..<300).map { Self.product("TEA-\($0)x") }))
    #expect(plan.drafts.map(\.path) == ["/products/{id}"])
    #expect(plan.notes.count == 100)
    #expect(
      Set(plan.notes.map(\.reason)) == [
        "a contract is made from 200 different requests at most"
      ])
  }

  @Test("siblings that may be one are said, with the option to write")
  func offer() throws {
    let stage = try ImportStage()
    let plan = try stage.plan(
      HAR.log(
        ["cats", "dogs"].map {
          HAR.entry(
            "GET", "https://api.example.com/api/\($0)",
            content: HAR.json(#"{"name":"a","age":1,"tail":2}"#))
        }))
    #expect(plan.drafts.map(\.path) == ["/api/cats", "/api/dogs"])
    #expect(
      plan.drafts.map(\.remarks.first).first
        == "if cats, dogs are values of a parameter, add --path '/api/{id}' for one contract")
  }

  @Test("a second import adds the new status, and says what an existing contract keeps")
  func extended() throws {
    let stage = try ImportStage()
    let first = HAR.entry("GET", "https://api.example.com/users")
    try stage.write(HAR.log(first))
    let other = HAR.entry(content: HAR.json(#"{"a":2}"#))
    let plan = try stage.plan(HAR.log(other))
    #expect(plan.changes.isEmpty)
    #expect(
      plan.lines == [
        "leftOut GET /users: example/users already exists, and keeps its responses;"
          + " --force replaces it"
      ])
    #expect(
      try stage.plan(HAR.log(other), change: { $0.replacesContracts = true }).changes.count == 1)
    #expect(
      try stage.plan(HAR.log(first), change: { $0.replacesContracts = true }).changes.isEmpty)
    let added = try stage.plan(
      HAR.log(first, HAR.entry("GET", "https://api.example.com/users?x=1", status: 503)))
    #expect(added.drafts.map(\.fate) == [.extended])
  }

  @Test(
    "what has nothing for a contract is left out with its reason",
    arguments: [
      (
        HAR.entry(status: 0, more: #""_error": "net::ERR_FAILED""#),
        "no response came: net::ERR_FAILED"
      ),
      (HAR.entry(status: 0), "no response came"),
      (HAR.entry(status: 304), "304 stands for a body that the client had already"),
      (HAR.entry(status: 101), "it is a WebSocket"),
      (HAR.entry("GET", "wss://api.example.com/ws"), "it is a WebSocket"),
      (HAR.entry(more: #""_resourceType": "websocket""#), "it is a WebSocket"),
      (HAR.entry(status: 999), "no contract can have the status 999"),
      (HAR.entry("TRACE"), "no contract can have the method \"TRACE\""),
      (HAR.entry("HEAD"), "a contract for HEAD must be written by hand"),
      (
        HAR.entry(
          "OPTIONS", headers: [("Origin", "https://a.b"), ("Access-Control-Request-Method", "PUT")]),
        "\"understudy serve --cors\" responds to preflights of browsers"
      ),
      (HAR.entry("GET", "blob:https://a/1"), "its URL is neither http nor https"),
      (HAR.entry("GET", "https://a//b//c"), "no contract can have its URL"),
      (HAR.entry(content: #""size": 5000"#), "the file does not have its body"),
      (HAR.entry(content: #""text": "*", "encoding": "base64""#), "its body is not valid Base64"),
      ("3", "it has no request"), (#"{"request": {}}"#, "it has no response"),
      (#"{"request": {}, "response": {}}"#, "its request has no URL"),
      (
        #"{"request": {"url": "https://a/b"}, "response": {"status": 200}}"#,
        "its request has no method"
      ),
      (
        HAR.entry(
          "GET", "https://cdn.example.com/a.css", responded: [("Content-Type", "text/css")]),
        "no response of cdn.example.com is JSON; --all imports them"
      ),
      (
        HAR.entry(
          "GET", "https://api.example.com/", responded: [("Content-Type", "text/html")],
          content: #""text": "<p>""#),
        "its response is not JSON; --all imports it"
      ),
      (
        HAR.entry("GET", "https://api.example.com/AKIAIOSFODNN7EXAMPLE"),
        "GET /[redacted] has a secret in its path, so it is not recorded"
      ),
    ])
  func leftOut(entry: String, reason: String) throws {
    let plan = try ImportStage().plan(HAR.log(HAR.entry(), entry))
    #expect(plan.notes.filter { $0.kind == .leftOut }.map(\.reason) == [reason])
    #expect(plan.notes.map(\.pointer) == ["/log/entries/1"])
    #expect(plan.notes.map { "\($0.place)" } == ["1.har:3:1"])
    #expect(plan.drafts.map(\.id) == ["example/users"])
    #expect(plan.leavesSomethingOut)
  }

  @Test("empty responses, errors, redirects and what scripts ask for belong to an API")
  func besides() throws {
    let page = [("Content-Type", "text/html")]
    let plan = try ImportStage().plan(
      HAR.log(
        HAR.entry(), HAR.entry("DELETE", status: 204, responded: [], content: #""size": 0"#),
        HAR.entry(
          "GET", "https://api.example.com/old", status: 302, responded: [("Location", "/users")],
          content: #""size": 120"#),
        HAR.entry(
          "GET", "https://api.example.com/x", status: 502, responded: page,
          content: #""text": "<p>""#),
        HAR.entry(
          "GET", "https://api.example.com/y", responded: page, content: #""text": "<p>""#,
          more: #""_resourceType": "xhr""#)))
    #expect(plan.notes == [])
    #expect(plan.drafts.map(\.name) == ["users", "delete-users", "old", "x", "y"])
  }

  @Test("the same request with several responses gets a script in the order of the file")
  func script() throws {
    let stage = try ImportStage()
    try stage.write(
      HAR.log(["1", "2", "1", "3"].map { HAR.entry(content: HAR.json("{\"n\":\($0)}")) }))
    let contract = try stage.json("example/users.json")
    #expect(
      contract["scripts"].map { String(decoding: $0.compact, as: UTF8.self) }
        == #"{"as-recorded":["ok","ok-2","ok","ok-3"]}"#)
  }

  @Test("a live response may take twice as long as nearly all did, and at least 100 ms")
  func latency() throws {
    let stage = try ImportStage()
    let times = [40, 400, 30, 20]
    try stage.write(
      HAR.log(
        times.map { HAR.entry(more: #""time": \#($0), "timings": {"wait": -1}"#) }
          + [
            HAR.entry(
              "GET", "https://api.example.com/fast",
              more: #""time": 900, "timings": {"send": 1, "wait": 2, "receive": 3}"#)
          ]))
    #expect(
      try stage.json("example/users.json")["cases"]?["ok"]?["live"]?["latency"]?.string == "800ms")
    #expect(
      try stage.json("example/fast.json")["cases"]?["ok"]?["live"]?["latency"]?.string == "100ms")
  }

  @Test("nothing of a credential is written or shown")
  func secrets() throws {
    let stage = try ImportStage()
    let secret = "s3cr3t-0f-m1ne"
    let plan = try stage.write(
      HAR.log(
        HAR.entry(
          "POST", "https://api.example.com/login?api_key=\(secret)",
          headers: [
            (":authority", "api.example.com"), ("authorization", "Bearer \(secret)"),
            ("cookie", "session=\(secret)"),
          ],
          sent:
            #""postData": {"mimeType": "application/json", "text": "{\"password\":\"\#(secret)\"}"}"#,
          responded: [
            ("content-type", "application/json"), ("set-cookie", "session=\(secret)\nb=2; Path=/"),
          ], content: HAR.json("{\"token\":\"\(secret)\",\"echo\":\"\(secret)\"}"))))
    let text = try stage.text("example/post-login.json")
    #expect(!text.contains(secret))
    #expect(!"\(plan.notes)".contains(secret))
    #expect(
      plan.notes.filter { $0.kind == .masked }.map(\.subject) == [
        "example/post-login: /password as sent", "example/post-login: /token",
        "example/post-login: /echo", "example/post-login: query.api_key",
      ])
    #expect(text.contains("b="))
  }

  @Test("hosts become upstreams; --only-host and --upstream choose and name")
  func hosts() throws {
    let stage = try ImportStage()
    let document = HAR.log(
      HAR.entry("GET", "https://api.example.com/a"), HAR.entry("GET", "https://example.com/b"),
      HAR.entry("GET", "http://127.0.0.1:3000/v1/c"))
    #expect(
      try stage.plan(document).drafts.map(\.id) == [
        "example/a", "example-com/b", "127-0-0-1-3000/v1-c",
      ])
    let one = try stage.plan(document, change: { $0.hosts = ["127.0.0.1:3000"] })
    #expect(one.drafts.map(\.id) == ["127-0-0-1-3000/v1-c"])
    #expect(one.notes.map(\.kind) == [.skipped, .skipped])
    #expect(!one.leavesSomethingOut)
    let base = WebURL(base: "http://127.0.0.1:3000/v1")
    let named = try stage.plan(document, change: { $0.upstream = ("local", base) })
    #expect(named.drafts.map(\.id) == ["local/c"])
    #expect(
      complaint { try stage.plan(document, change: { $0.upstream = ("shop", nil) }) }
        == """
        found responses of api.example.com and example.com, expected those of one host for \
        --upstream shop
          fix: choose with --only-host api.example.com, or --upstream shop=https://api.example.com
        """)
  }

  @Test("what would take too long is left out with its limit")
  func limits() throws {
    let users = (0..<230).map { HAR.entry("GET", "https://api.example.com/users/\($0)") }
    let repeats = Array(repeating: HAR.entry("GET", "https://api.example.com/me"), count: 201)
    let tokens = (0..<1_100).map { number in
      HAR.entry(
        "GET", "https://api.example.com/x\(number / 100)",
        headers: [("Authorization", "Token-\(number)-\(number * 7_919)")])
    }
    let text = HAR.log(users + repeats + tokens)
    let log = try HARLog(ForeignDocument(reading: Array(text.utf8), file: "1.har"))
    var part = HARPart(
      RecordingTarget(
        folder: "none", upstreamName: "example", baseURL: WebURL(base: "https://api.example.com"),
        upstream: nil))
    var counts: [String: Int] = [:]
    for value in log.entries.elements {
      let entry = try HAREntry(value)
      let one = HARImport.Usable(
        entry: entry, place: Place("1.har"), pointer: "", title: entry.url.text)
      for note in part.add(one, at: entry.url.path) { counts[note.reason, default: 0] += 1 }
    }
    #expect(
      counts == [
        "a contract is made from 200 different requests at most": 30,
        "the same request came more than 200 times": 1,
        "more than 1000 different credentials were sent before it": 100,
      ])
  }

  @Test("a multipart body that is not compared is reported")
  func widened() throws {
    let sent = [
      ("POST", "multipart/form-data; boundary=x", #""text": "--x--""#),
      ("PUT", "multipart/mixed; boundary=x", #""text": "--x\r\n\r\na\r\n--x--""#),
      ("PATCH", "text/plain", #""params": [{"name": "a", "value": "1"}]"#),
    ]
    let plan = try ImportStage().plan(
      HAR.log(
        sent.map { method, type, data in
          HAR.entry(method, sent: #""postData": {"mimeType": "\#(type)", \#(data)}"#)
        }))
    #expect(
      plan.lines == [
        "widened POST https://api.example.com/users: a multipart body is not compared: its parts"
          + " cannot be read",
        "widened PUT https://api.example.com/users: a multipart body is not compared: its boundary"
          + " is different each time",
        "widened PATCH https://api.example.com/users: the file has the fields of a form, but its"
          + " type is \"text/plain\"",
      ])
    #expect(plan.drafts.count == 3)
  }

  @Test(
    "a form's fields become conditions, with its text or without",
    arguments: [
      (
        "application/x-www-form-urlencoded", #""text": "n=1&q=a+%26""#,
        #""params": [{"name": "n", "value": "2"}, {"name": "q", "value": "a &"}]"#,
        #"{"form":{"n":"2"}}"#
      ),
      ("", #""params": []"#, #""params": [{"name": "n", "value": "2"}]"#, #"{"form":{"n":"2"}}"#),
      (
        "multipart/form-data; boundary=x",
        #""params": [{"name": "n", "value": "1"}, {"name": "f", "fileName": "a.txt", "contentType": "text/plain"}]"#,
        #""params": [{"name": "n", "value": "1"}, {"name": "f", "fileName": "\"b\".txt", "value": "--fields"}]"#,
        #"{"multipart":{"f":{"equals":"--fields","filename":"\"b\".txt"}}}"#
      ),
      (
        "multipart/form-data; boundary=x",
        #""text": "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--x--\r\n""#,
        #""text": "cut off", "params": [{"name": "n", "value": "2"}]"#, #"{"multipart":{"n":"2"}}"#
      ),
    ])
  func forms(type: String, first: String, second: String, condition: String) throws {
    let stage = try ImportStage()
    let plan = try stage.write(
      HAR.log(
        [(first, 200), (second, 422)].map { data, status in
          HAR.entry(
            "POST", sent: #""postData": {"mimeType": "\#(type)", \#(data)}"#, status: status)
        }))
    #expect(plan.notes == [])
    #expect(try stage.library().findings == [])
    let invalid = try stage.json("example/post-users.json")["cases"]?["invalid"]
    let found = invalid?["when"]?["request"]?["body"]
    #expect(found.map { String(decoding: $0.compact, as: UTF8.self) } == condition)
  }

  @Test(
    "text was decoded, so its charset is UTF-8 now",
    arguments: [
      ("application/json; charset=ISO-8859-1", "application/json; charset=utf-8"),
      ("application/json;Charset = \"latin1\"; v=1", "application/json;Charset = \"utf-8\"; v=1"),
      ("application/json; v=latin1; charset=UTF-8", "application/json; v=latin1; charset=UTF-8"),
      ("application/json; charset=", "application/json; charset="),
    ])
  func charset(_ sent: String, _ expected: String) throws {
    let stage = try ImportStage()
    try stage.write(
      HAR.log(
        HAR.entry(responded: [("Content-Type", sent)], content: HAR.json(#"{"ö":"ü"}"#))))
    let served = try stage.json("example/users.json")["cases"]?["ok"]
    #expect(served?["headers"]?["Content-Type"]?.string == expected)
  }
}

/// The complaint of what must fail.
func complaint(_ body: () throws -> some Any) -> String {
  do {
    _ = try body()
    return "nothing was thrown"
  } catch {
    return "\(error)"
  }
}
