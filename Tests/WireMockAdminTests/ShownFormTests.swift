import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyInterchange
import UnderstudyJSON

@testable import UnderstudyFakeServer
@testable import UnderstudyWireMockAdmin

/// Requests, events and stubs in the form in which WireMock's clients read them, whole.
@Suite struct ShownFormTests {
  private static func text(_ json: JSONText?) -> String {
    json.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "nothing"
  }

  private static func value(_ text: String) throws -> JSONValue {
    try JSONDocument(parsing: text).root
  }

  private static func compact(_ text: String) throws -> String {
    String(decoding: try value(text).compact, as: UTF8.self)
  }

  private static let moment = Moment(microseconds: 1_700_000_000_123_456)

  private static func logged(
    _ target: String, _ headers: [(String, String)], body: String = ""
  ) -> LoggedRequest {
    LoggedRequest(
      Request(
        "POST", target, headers: headers.map { HeaderField(name: $0.0, value: $0.1) },
        body: Array(body.utf8)), at: moment,
      origin: Origin(isSecure: false, authority: "127.0.0.1:8080"))
  }

  @Test("a request has its parts under all their names")
  func request() throws {
    let logged = Self.logged(
      "/a%20b?x=1&y=&x=2",
      [
        ("Host", "h.example:81"), ("X-Y", "1"), ("Cookie", "a=1; b=x=y;c; d="), ("x-y", "2"),
        ("Cookie", "e=5"),
      ], body: "é")
    #expect(
      Self.text(logged.json)
        == (try Self.compact(
          #"""
          { "url": "/a%20b?x=1&y=&x=2", "absoluteUrl": "http://h.example:81/a%20b?x=1&y=&x=2",
            "method": "POST", "clientIp": "127.0.0.1",
            "headers": { "Host": "h.example:81", "X-Y": ["1", "2"],
              "Cookie": ["a=1; b=x=y;c; d=", "e=5"] },
            "cookies": { "a": "1", "b": "x=y", "d": "", "e": "5" }, "browserProxyRequest": false,
            "loggedDate": 1700000000123, "bodyAsBase64": "w6k=", "body": "é",
            "protocol": "HTTP/1.1", "scheme": "http", "host": "h.example", "port": 81,
            "loggedDateString": "\#(Self.moment.rfc3339)",
            "queryParams": { "x": { "key": "x", "values": ["1", "2"] },
              "y": { "key": "y", "values": [""] } } }
          """#)))
  }

  @Test(
    "a host is that of the request, else the server's, with the usual port if it names none",
    arguments: [
      ([("Host", "h.example")], "http://h.example/a", "h.example", 80),
      ([("host", "h.example:8443")], "http://h.example:8443/a", "h.example", 8443),
      ([("Host", "[::1]:81")], "http://[::1]:81/a", "[::1]", 81),
      ([("Host", "[::1]")], "http://[::1]/a", "[::1]", 80),
      ([], "http://127.0.0.1:8080/a", "127.0.0.1", 8080),
    ] as [([(String, String)], String, String, Int)])
  func hosts(headers: [(String, String)], url: String, host: String, port: Int) throws {
    let json = try #require(Self.logged("/a", headers).json.root)
    #expect(json["absoluteUrl"]?.string == url)
    #expect(json["host"]?.string == host && json["port"]?.int == port)
    #expect(json["url"]?.string == "/a" && json["queryParams"]?.count == 0)
    #expect(json["cookies"]?.count == 0 && json["headers"]?.count == headers.count)
  }

  private static func event(status: Int?, stub: String?) throws -> ServeEvent {
    var record = JournalRecord(sequence: 7, receivedAt: moment)
    record.status = status
    record.delayConfigured = .milliseconds(20)
    record.delayActual = .milliseconds(31)
    record.isUnmatched = stub == nil
    let entry = JournalEntry(record, Request("GET", "/a"), served: nil)
    return ServeEvent(
      entry: entry, request: logged("/a", []), stub: try stub.map { .value(try value($0)) })
  }

  private static let missing = #"{ "status": 404, "fromConfiguredStub": false }"#
  private static let timing = #"""
    { "addedDelay": 20, "processTime": 0, "responseSendTime": 0, "serveTime": 31, "totalTime": 31 }
    """#

  @Test("an event has the stub that responded, and what that says; or says that there was none")
  func events() throws {
    let stub = #"""
      { "id": "i", "name": "n", "request": { "method": "GET" }, "response": { "status": 201,
        "headers": { "A": "1", "B": ["2", "3"] }, "body": "x", "fault": "EMPTY_RESPONSE" } }
      """#
    let found = try Self.event(status: 202, stub: stub)
    #expect(
      Self.text(found.json)
        == (try Self.compact(
          #"""
          { "id": "\#(StubID.request(7))", "request": \#(Self.text(found.request.json)),
            "responseDefinition": { "status": 201, "headers": { "A": "1", "B": ["2", "3"] },
              "body": "x", "fault": "EMPTY_RESPONSE" },
            "response": { "status": 202,
              "headers": { "A": "1", "B": ["2", "3"], "Matched-Stub-Id": "i",
                "Matched-Stub-Name": "n" },
              "bodyAsBase64": "eA==", "body": "x", "fault": "EMPTY_RESPONSE" },
            "wasMatched": true, "timing": \#(Self.timing), "stubMapping": \#(stub) }
          """#)))
    let none = try Self.event(status: nil, stub: nil)
    let id = StubID.noStub(7)
    #expect(
      Self.text(none.json)
        == (try Self.compact(
          #"""
          { "id": "\#(StubID.request(7))", "request": \#(Self.text(none.request.json)),
            "responseDefinition": \#(Self.missing),
            "response": { "status": 404, "bodyAsBase64": "", "body": "" }, "wasMatched": false,
            "timing": \#(Self.timing),
            "stubMapping": { "id": "\#(id)", "request": { "method": "ANY" },
              "response": \#(Self.missing), "uuid": "\#(id)" } }
          """#)))
  }

  @Test(
    "the body and the status of an event are what the stub says",
    arguments: [
      (#"{ "body": "é" }"#, "é", 404),
      (#"{ "jsonBody": { "a": [1.0] }, "status": 500 }"#, #"{"a":[1.0]}"#, 500),
      (#"{ "base64Body": "eHk=" }"#, "xy", 404), (#"{ "base64Body": "!" }"#, "", 404),
      ("{}", "", 404),
    ])
  func bodies(response: String, body: String, status: Int) throws {
    let found = try Self.event(status: nil, stub: #"{ "response": \#(response) }"#)
    let shown = try #require(found.json.root?["response"])
    #expect(shown["body"]?.string == body)
    #expect(shown["bodyAsBase64"]?.string == Base64.encode(Array(body.utf8)))
    #expect(shown["status"]?.int == status && shown["headers"] == nil && shown["fault"] == nil)
  }

  @Test("the id of a request says its number, and no other id does")
  func ids() {
    for number: UInt64 in [0, 1, 255, 1 << 32, (1 << 48) - 1] {
      let id = StubID.request(number)
      #expect(StubID.isValid(id))
      #expect(StubID.requestNumber(id) == number)
      #expect(StubID.requestNumber(id.uppercased()) == number)
      #expect(StubID.requestNumber(StubID.noStub(number)) == nil)
    }
    #expect(StubID.requestNumber(StubID.random()) == nil)
    #expect(StubID.random() != StubID.random())
    for id in [
      "", "x", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-0000000000011",
      "00000000-0000-4000-8000-00000000000g", "000000000-000-4000-8000-000000000001",
      "00000000-0000-4000-8000-000000000001-", "00000000000040008000000000000001",
    ] {
      #expect(!StubID.isValid(id), "\(id)")
      #expect(StubID.requestNumber(id) == nil)
    }
  }

  @Test("a stub is shown with both ids, a method and a status, and without what is null")
  func shown() throws {
    let stub = try Self.value(
      #"""
      { "name": "n", "uuid": "old", "priority": null, "response": { "headers": null, "body": "x" },
        "request": { "url": "/a" }, "metadata": { "a": null } }
      """#)
    #expect(
      Self.text(StubText.shown(stub, id: "i"))
        == (try Self.compact(
          #"""
          { "id": "i", "request": { "url": "/a", "method": "ANY" },
            "response": { "status": 200, "body": "x" }, "uuid": "i", "name": "n",
            "metadata": { "a": null } }
          """#)))
    #expect(
      Self.text(StubText.persistent(try Self.value(#"{ "persistent": false, "id": "i" }"#)))
        == #"{"id":"i","persistent":true}"#)
  }

  /// What is served of a response, with these settings.
  private static func served(
    _ response: String, _ settings: String = "{}", isTemplated: Bool = false
  ) throws -> String {
    let stub = try value(#"{ "id": "i", "persistent": true, "response": \#(response) }"#)
    var options = WireMockAPI.Options()
    options.isTemplated = isTemplated
    let served = StubText.served(stub, try StubSettings(try value(settings)), options) {
      $0 == "f" ? Array("file".utf8) : nil
    }
    let text = try #require(served.root?["response"])
    #expect(served.root?["persistent"] == nil && served.root?["id"]?.string == "i")
    return String(decoding: text.compact, as: UTF8.self)
  }

  @Test("a body without expressions is served byte for byte")
  func exactBodies() throws {
    let headers = #""headers":{"Matched-Stub-Id":"i"}"#
    for (response, expected) in [
      (#"{ "body": "x" }"#, #"{"base64Body":"eA==",\#(headers)}"#),
      (
        #"{ "bodyFileName": "f", "status": 201 }"#,
        #"{"status":201,"base64Body":"ZmlsZQ==",\#(headers)}"#
      ),
      (
        #"{ "bodyFileName": "g" }"#,
        #"{"status":500,"base64Body":"dGhlcmUgaXMgbm8gZmlsZSBnIGJlbmVhdGggX19maWxlcw==","headers":"#
          + #"{"Content-Type":"text/plain; charset=utf-8","Matched-Stub-Id":"i"}}"#
      ),
      (#"{ "body": "" }"#, #"{"body":"",\#(headers)}"#),
      (
        #"{ "body": "x", "jsonBody": null }"#, #"{"jsonBody":null,"base64Body":"eA==",\#(headers)}"#
      ),
      (#"{ "jsonBody": 1 }"#, #"{"jsonBody":1,\#(headers)}"#),
      (#"{ "base64Body": "eA==" }"#, #"{"base64Body":"eA==",\#(headers)}"#),
      (#"{ "body": "x", "transformers": [] }"#, #"{"body":"x","transformers":[],\#(headers)}"#),
    ] { #expect(try Self.served(response) == expected, "\(response)") }
    #expect(
      try Self.served(#"{ "body": "x" }"#, isTemplated: true) == #"{"body":"x",\#(headers)}"#)
    #expect(
      try Self.served(#"{ "fault": "EMPTY_RESPONSE", "headers": { "A": "1" } }"#)
        == #"{"fault":"EMPTY_RESPONSE"}"#)
  }

  @Test("a delay for all stubs holds where a stub has none, a fixed one first")
  func delays() throws {
    let uniform = #"{"type":"uniform","lower":1,"upper":2}"#
    func delay(_ response: String, _ settings: String) throws -> String {
      let root = try Self.value(try Self.served(response, settings))
      return ["fixedDelayMilliseconds", "delayDistribution"].map { key in
        root[key].map { String(decoding: $0.compact, as: UTF8.self) } ?? "-"
      }.joined(separator: " ")
    }
    let both = #"{ "fixedDelay": 5, "delayDistribution": \#(uniform) }"#
    #expect(try delay("{}", "{}") == "- -")
    #expect(try delay("{}", #"{ "fixedDelay": 5 }"#) == "5 -")
    #expect(try delay("{}", #"{ "fixedDelay": 0 }"#) == "- -")
    #expect(try delay("{}", #"{ "fixedDelay": 1 }"#) == "1 -")
    #expect(try delay("{}", #"{ "delayDistribution": \#(uniform) }"#) == "- \(uniform)")
    #expect(try delay("{}", both) == "5 -")
    #expect(try delay(#"{ "fixedDelayMilliseconds": 7 }"#, both) == "7 -")
    #expect(try delay(#"{ "delayDistribution": \#(uniform) }"#, both) == "- \(uniform)")
  }

  // MARK: - Settings

  private static func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch let error as AdminRefusal {
      guard case .wrong(let pointer, let reason) = error else { return "other" }
      return "\(pointer ?? "-"): \(reason)"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "settings are read, also within \"settings\", and written again",
    arguments: [
      ("null", "{}"), ("{}", "{}"), (#"{ "fixedDelay": 5 }"#, #"{"fixedDelay":5}"#),
      (
        #"{ "settings": { "fixedDelay": 5, "extended": { "a": 1 } } }"#,
        #"{"fixedDelay":5,"extended":{"a":1}}"#
      ),
      (
        #"{ "fixedDelay": null, "extended": null, "delayDistribution": null, "proxyPassThrough": true }"#,
        "{}"
      ),
    ]
      + [
        #"{"type":"uniform","lower":1,"upper":2}"#, #"{"type":"fixed","milliseconds":3}"#,
        #"{"type":"lognormal","median":80,"sigma":0.4}"#,
      ].map { (#"{ "delayDistribution": \#($0) }"#, #"{"delayDistribution":\#($0)}"#) })
  func settings(text: String, expected: String) throws {
    #expect(Self.text(try StubSettings(try Self.value(text)).json) == expected)
  }

  @Test(
    "settings that cannot be read are refused with their place",
    arguments: [
      ("[]", ": found array with 0 elements, expected an object"),
      ("7", ": found number 7, expected an object"),
      (
        #"{ "delay": 1 }"#,
        #"/delay: unknown key "delay", expected one of fixedDelay, delayDistribution, extended, proxyPassThrough"#
      ),
      (#"{ "fixedDelay": "x" }"#, #"/fixedDelay: found string "x", expected a whole number"#),
      (#"{ "fixedDelay": 1.5 }"#, "/fixedDelay: found number 1.5, expected a whole number"),
      (
        #"{ "delayDistribution": { "type": "normal" } }"#,
        "/delayDistribution: found object with 1 member, expected a distribution of type uniform, lognormal or fixed"
      ),
      (
        #"{ "delayDistribution": {} }"#,
        "/delayDistribution: found object with 0 members, expected a distribution of type uniform, lognormal or fixed"
      ),
    ])
  func badSettings(text: String, expected: String) throws {
    let value = try Self.value(text)
    #expect(Self.refusal { _ = try StubSettings(value) } == expected)
  }

  @Test("extended settings are added to those that are there")
  func extended() throws {
    var settings = try StubSettings(try Self.value(#"{ "extended": { "a": 1, "b": 2 } }"#))
    try settings.extend(with: try Self.value(#"{ "extended": { "b": 3 } }"#))
    #expect(Self.text(settings.json) == #"{"extended":{"a":1,"b":3}}"#)
    try settings.extend(with: try Self.value(#"{ "c": 4 }"#))
    #expect(Self.text(settings.json) == #"{"extended":{"a":1,"b":3,"c":4}}"#)
    let list = try Self.value("[]")
    #expect(
      Self.refusal { try settings.extend(with: list) }
        == ": found array with 0 elements, expected an object")
  }

  // MARK: - Lists

  @Test(
    "a moment is read with and without a time and a zone",
    arguments: [
      ("2024-01-31", 1_706_659_200), ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00", 0),
      ("2024-01-31T12:34:56Z", 1_706_704_496), ("2024-01-31T12:34:56.789Z", 1_706_704_496),
      ("2024-01-31T12:34:56,7Z", 1_706_704_496), ("2024-01-31T12:34Z", 1_706_704_440),
      ("2024-01-31T12:34:56+01:00", 1_706_700_896), ("2024-01-31T12:34:56-01:30", 1_706_709_896),
      ("2024-01-31T12:34:56+0100", 1_706_700_896), ("2024-01-31T12:34:56-02", 1_706_711_696),
      ("0000-01-01", -62_167_219_200), ("9999-12-31", 253_402_214_400),
    ])
  func since(text: String, seconds: Int) throws {
    let text = text.replacing("+", with: "%2B")
    let options = ListOptions(Request("GET", "/requests?since=\(text)"))
    #expect(try options.since()?.microseconds == Int64(seconds) * 1_000_000)
  }

  @Test(
    "a moment that is none is refused",
    arguments: [
      "", "x", "2024-01", "2024-01-31-1", "2024-13-01", "2024-00-01", "2024-01-32", "2024-01-00",
      "10000-01-01", "-1-01-01", "2024-01-31T", "2024-01-31T12", "2024-01-31T12:61",
      "2024-01-31T12:-1", "2024-01-31T12:00:00:00", "2024-01-31T12:00x", "2024-01-31T12:00%2B1",
      "2024-01-31T12:00%2B123", "2024-01-31T12:00%2Bab",
    ])
  func noMoment(text: String) {
    let options = ListOptions(Request("GET", "/requests?since=\(text)"))
    let shown = text.replacing("%2B", with: "+")
    do {
      let found = try options.since()
      Issue.record("found \(found.map(\.rfc3339) ?? "nothing")")
    } catch {
      let body = String(decoding: error.response.body, as: UTF8.self)
      #expect(error.response.status == 400)
      #expect(
        body
          == #"{"errors":[{"code":10,"source":{"pointer":"since"},"title":"\#(shown) is not a valid ISO8601 date"}]}"#
      )
    }
  }

  @Test("pages, stubs and unmatched requests are asked for by a query")
  func options() throws {
    func options(_ query: String) -> ListOptions { ListOptions(Request("GET", "/x\(query)")) }
    #expect(try options("").since() == nil && options("").stub() == nil)
    #expect(try options("").page(of: [1, 2, 3]) == [1, 2, 3])
    #expect(try options("?offset=1&limit=1").page(of: [1, 2, 3]) == [2])
    let id = "00000000-0000-4000-8000-00000000000A"
    #expect(try options("?matchingStub=\(id)").stub() == id.lowercased())
    #expect(options("?unmatched=true").isUnmatched)
    #expect(!options("?unmatched=false").isUnmatched && !options("").isUnmatched)
    for (query, body) in [
      (
        "?limit=-1",
        #"{"errors":[{"code":10,"source":{"pointer":"limit"},"title":"found limit \"-1\", expected a whole number"}]}"#
      ),
      (
        "?offset=x",
        #"{"errors":[{"code":10,"source":{"pointer":"offset"},"title":"found offset \"x\", expected a whole number"}]}"#
      ),
      (
        "?matchingStub=x",
        #"{"errors":[{"code":15,"title":"Query parameter matchingStub value 'x' is not a valid UUID"}]}"#
      ),
    ] {
      do {
        _ = try options(query).page(of: [1])
        _ = try options(query).stub()
        Issue.record("\(query) was read")
      } catch {
        #expect(String(decoding: error.response.body, as: UTF8.self) == body)
        #expect(error.response.status == 400)
      }
    }
  }
}
