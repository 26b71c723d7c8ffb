import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What each field of a stub becomes: a table that lacks none.
@Suite struct WireMockFieldTests {
  /// The case of a stub without what all have, and what is noted.
  private static func imported(_ request: String, _ response: String) throws -> (
    request: JSONValue?, served: JSONValue?, notes: [String]
  ) {
    let text = #"{ "request": { \#(request) }, "response": \#(response) }"#
    let stubs = try ImportedStubs(
      ImportSource(
        documents: [try ForeignDocument(reading: Array(text.utf8), file: "a.json")],
        reading: { name, _ throws(Failure) in Array("text of \(name)".utf8) }))
    let source = stubs.library.contracts.first?.source
    let served = source?["cases"].flatMap { $0.members.map(\.value).first }
    return (
      source?["request"], served,
      stubs.notes.map { "\($0.kind) \($0.pointer): \($0.reason)" }
    )
  }

  private static func compact(_ value: JSONValue?) -> String {
    value.map { String(decoding: $0.compact, as: UTF8.self) } ?? "nothing"
  }

  /// What a stub's response becomes, or why it becomes nothing.
  private struct Row: CustomTestStringConvertible, Sendable {
    let field: String
    let value: String
    let served: String
    let notes: [String]

    init(_ field: String, _ value: String, _ served: String, _ notes: String...) {
      (self.field, self.value, self.served, self.notes) = (field, value, served, notes)
    }

    var testDescription: String { "\(field): \(value)" }
  }

  private static let responses = [
    Row("status", "201", #"{"status":201}"#),
    Row(
      "statusMessage", #""Fine""#, #"{"status":200}"#,
      "leftOut /response/statusMessage: the status decides the reason phrase"),
    Row("body", #""a {b} c""#, #"{"status":200,"text":"a {b} c"}"#),
    Row("jsonBody", "[1.0,null]", #"{"status":200,"body":[1.0,null]}"#),
    Row("base64Body", #""AP8=""#, #"{"status":200,"base64":"AP8="}"#),
    Row("bodyFileName", #""a/b.bin""#, #"{"status":200,"file":"files/a/b.bin"}"#),
    Row(
      "headers", #"{"X-A":"1","Set-Cookie":["a=1","b=2"],"X-N":7}"#,
      #"{"status":200,"headers":{"X-A":"1","Set-Cookie":["a=1","b=2"],"X-N":"7"}}"#),
    Row(
      "additionalProxyRequestHeaders", "{}", #"{"status":200}"#,
      "skipped /response/additionalProxyRequestHeaders: a case does not pass requests on"),
    Row("removeProxyRequestHeaders", "[]", #"{"status":200}"#),
    Row("proxyUrlPrefixToRemove", #""/a""#, #"{"status":200}"#),
    Row(
      "proxyBaseUrl", #""http://a""#, "nothing",
      "leftOut /response/proxyBaseUrl: a case does not pass requests on"),
    Row("fixedDelayMilliseconds", "1500", #"{"status":200,"delay":{"fixed":"1500ms"}}"#),
    Row("fixedDelayMilliseconds", "0", #"{"status":200}"#),
    Row(
      "delayDistribution", #"{"type":"fixed","milliseconds":20}"#,
      #"{"status":200,"delay":{"fixed":"20ms"}}"#),
    Row(
      "delayDistribution", #"{"type":"uniform","lower":10,"upper":20}"#,
      #"{"status":200,"delay":{"uniform":["10ms","20ms"]}}"#),
    Row(
      "delayDistribution", #"{"type":"uniform","upper":20}"#,
      #"{"status":200,"delay":{"uniform":["0ms","20ms"]}}"#),
    Row(
      "delayDistribution", #"{"type":"uniform","lower":7}"#,
      #"{"status":200,"delay":{"uniform":["7ms","7ms"]}}"#),
    Row(
      "delayDistribution", #"{"type":"uniform","lower":0,"upper":1}"#,
      #"{"status":200,"delay":{"uniform":["0ms","1ms"]}}"#),
    Row("delayDistribution", #"{"type":"uniform","lower":0,"upper":0}"#, #"{"status":200}"#),
    Row("delayDistribution", #"{"type":"uniform","lower":0}"#, #"{"status":200}"#),
    Row(
      "delayDistribution", #"{"type":"lognormal","median":5,"sigma":1,"maxValue":1}"#,
      #"{"status":200,"delay":{"lognormal":{"median":"1ms","sigma":1.0,"max":"1ms"}}}"#),
    Row(
      "delayDistribution", #"{"type":"lognormal","median":5,"sigma":1,"maxValue":0}"#,
      #"{"status":200}"#),
    Row("delayDistribution", #"{"type":"fixed","milliseconds":0}"#, #"{"status":200}"#),
    Row(
      "delayDistribution", #"{"type":"fixed","milliseconds":1}"#,
      #"{"status":200,"delay":{"fixed":"1ms"}}"#),
    Row(
      "delayDistribution", #"{"type":"lognormal","median":10,"sigma":0.1}"#,
      #"{"status":200,"delay":{"lognormal":{"median":"10ms","sigma":0.1,"max":"17ms"}}}"#),
    Row(
      "delayDistribution", #"{"type":"lognormal","median":95,"sigma":10,"maxValue":90}"#,
      #"{"status":200,"delay":{"lognormal":{"median":"90ms","sigma":10.0,"max":"90ms"}}}"#),
    Row(
      "delayDistribution", #"{"type":"lognormal","median":80,"sigma":0.4,"maxValue":90}"#,
      #"{"status":200,"delay":{"lognormal":{"median":"80ms","sigma":0.4,"max":"90ms"}}}"#),
    Row(
      "chunkedDribbleDelay", #"{"numberOfChunks":3,"totalDuration":100}"#,
      #"{"status":200,"pace":{"chunks":3,"over":"100ms"}}"#),
    Row("fault", #""EMPTY_RESPONSE""#, #"{"fault":"EMPTY_RESPONSE"}"#),
    Row(
      "fault", #""MALFORMED_RESPONSE_CHUNK""#,
      #"{"status":200,"fault":"MALFORMED_RESPONSE_CHUNK"}"#),
    Row("transformers", #"["response-template"]"#, #"{"status":200}"#),
    Row(
      "transformers", #"["mine"]"#, "nothing",
      "leftOut /response/transformers: nothing here is transformed by mine"),
    Row("transformerParameters", #"{"a":1}"#, #"{"status":200}"#),
    Row(
      "fromConfiguredStub", "true", #"{"status":200}"#,
      "skipped /response/fromConfiguredStub: it has no meaning"),
  ]

  @Test("each field of a response", arguments: responses)
  private func response(row: Row) throws {
    let found = try Self.imported(
      #""method": "GET", "url": "/a""#, #"{ "\#(row.field)": \#(row.value) }"#)
    #expect(Self.compact(found.served) == row.served)
    #expect(found.notes == row.notes)
  }

  @Test("no field of a response is forgotten here")
  func allFields() throws {
    guard case .object(let members) = StubForm.response else {
      Issue.record("a response is an object")
      return
    }
    #expect(Set(Self.responses.map(\.field)).sorted() == members.keys)
  }

  @Test(
    "headers of the connection, and of the bytes on it, are the server's own",
    arguments: [
      "Content-Length", "Transfer-Encoding", "Connection", "Date", "Content-Encoding", "Keep-Alive",
    ])
  func framing(name: String) throws {
    for name in [name, name.lowercased()] {
      let found = try Self.imported(
        #""method": "GET", "url": "/a""#,
        #"{ "headers": { "\#(name)": "gzip", "ETag": "\"1\"" }, "body": "x" }"#)
      #expect(
        Self.compact(found.served) == #"{"status":200,"headers":{"ETag":"\"1\""},"text":"x"}"#)
      #expect(
        found.notes == ["skipped /response/headers/\(name): the server frames its responses itself"]
      )
    }
  }

  // MARK: - Matchers

  private static let operators: [(key: String, matcher: String, condition: String)] = [
    ("equalTo", #"{"equalTo":"a"}"#, #""a""#),
    ("equalTo", #"{"equalTo":7}"#, #""7""#),
    ("equalTo", #"{"equalTo":"aB","caseInsensitive":true}"#, #"{"matches":"^[aA][Bb]$"}"#),
    ("contains", #"{"contains":"a.b"}"#, #"{"matches":"a\\.b"}"#),
    ("matches", #"{"matches":"a+"}"#, #"{"matches":"^a+$"}"#),
    ("matches", #"{"matches":".*"}"#, #"{"absent":false}"#),
    ("doesNotMatch", #"{"doesNotMatch":"a+"}"#, #"{"not":{"matches":"^a+$"}}"#),
    ("doesNotContain", #"{"doesNotContain":"a"}"#, #"{"not":{"matches":"a"}}"#),
    ("absent", #"{"absent":true}"#, #"{"absent":true}"#),
    ("absent", #"{"absent":false}"#, #"{"absent":false}"#),
    ("anything", #"{"anything":"(always)"}"#, #"{"optional":true}"#),
    ("or", #"{"or":[{"equalTo":"a"},{"equalTo":"b"}]}"#, #"{"oneOf":["a","b"]}"#),
    (
      "or", #"{"or":[{"equalTo":"a"},{"absent":true}]}"#, #"{"oneOf":["a"],"optional":true}"#
    ),
    (
      "and", #"{"and":[{"contains":"a"},{"doesNotContain":"b"}]}"#,
      #"{"matches":"a","not":{"not":{"not":{"matches":"b"}}}}"#
    ),
    (
      "includes", #"{"includes":[{"contains":"a"},{"contains":"b"}]}"#,
      #"{"matches":"a","not":{"not":{"matches":"b"}}}"#
    ),
    ("not", #"{"not":{"equalTo":"a"}}"#, #"{"not":"a"}"#),
    ("before", #"{"before":"now +3 days"}"#, #"{"before":"now +3d"}"#),
    (
      "before",
      #"{"before":"now","expectedOffset":-2,"expectedOffsetUnit":"hours","truncateExpected":"first hour of day"}"#,
      #"{"before":"now /d -2h"}"#
    ),
    (
      "after",
      #"{"after":"now +1 months","truncateExpected":"first day of month","applyTruncationLast":true}"#,
      #"{"after":"now +1M /M"}"#
    ),
    (
      "equalToDateTime",
      #"{"equalToDateTime":"2026-01-31T00:00:00Z","actualFormat":"dd/MM/yyyy","truncateActual":"last day of month"}"#,
      #"{"at":"2026-01-31T00:00:00Z","format":"dd/MM/yyyy","steps":"/M +1M -1d"}"#
    ),
    (
      "after", #"{"after":"now","actualFormat":"epoch"}"#,
      #"{"after":"now","format":"unixMilliseconds"}"#
    ),
    ("hasExactly", #"{"hasExactly":[{"equalTo":"a"},{"equalTo":"b"}]}"#, #"["a","b"]"#),
  ]

  /// Those that no condition on a parameter says.
  private static let foreign = [
    "equalToXml", "binaryEqualTo", "equalToJson", "matchesXPath", "matchesJsonSchema",
    "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber",
    "lessThanEqualNumber", "matchesPathTemplate", "matchesJsonPath",
  ]

  @Test("each operator on a parameter", arguments: operators.indices)
  func condition(index: Int) throws {
    let row = Self.operators[index]
    let found = try Self.imported(
      #""method": "GET", "urlPath": "/a", "queryParameters": { "q": \#(row.matcher) }"#, "{}")
    #expect(Self.compact(found.request?["parameters"]?["query.q"]) == row.condition)
    #expect(found.notes == [])
  }

  @Test("an operator that no condition says is left out with its stub", arguments: foreign)
  func foreignOperator(key: String) throws {
    let found = try Self.imported(
      #""method": "GET", "urlPath": "/a", "queryParameters": { "q": { "\#(key)": "1" } }"#, "{}")
    #expect(found.request == nil)
    #expect(
      found.notes == [
        "leftOut /request/queryParameters/q/\(key): a contract has no condition like \(key)"
      ])
  }

  @Test("no operator is forgotten here")
  func allOperators() {
    #expect(
      Set(Self.operators.map(\.key) + Self.foreign).sorted() == StubForm.tests.equals.sorted())
  }

  // MARK: - Expressions

  @Test(
    "each expression of a body",
    arguments: [
      ("{{now}}", "{now}"), ("{{now offset='3 days'}}", "{now +3d}"),
      ("{{now offset='-2 hours'}}", "{now -2h}"), ("{{now offset='1 month'}}", "{now +1M}"),
      ("{{now timezone='Europe/Berlin'}}", "{now in Europe/Berlin}"),
      ("{{now format='epoch'}}", "{now.unixMilliseconds}"),
      ("{{now offset='5 seconds' format='unix'}}", "{now.unix +5s}"),
      (
        "{{now offset='-1 years' timezone='UTC' format='yyyy-MM-dd'}}",
        "{now -1y in UTC yyyy-MM-dd}"
      ),
      ("{{date (now) format='yyyy'}}", "{now yyyy}"),
      ("{{randomValue type='UUID'}}", "{uuid}"),
      ("{{randomInt lower=5 upper=9}}", "{random.5-8}"), ("{{randomInt upper=2}}", "{random.0-1}"),
      ("{{randomInt lower=7 upper=8}}", "{random.7-7}"), ("{{randomInt}}", "{random.0-2147483647}"),
      ("{{jsonPath request.body '$.a.b'}}", "{body./a/b}"),
      ("{{jsonPath request.body \"$['a/b'][0]\"}}", "{body./a~1b/0}"),
      ("{{request.method}}", "POST"), ("{{request.requestLine.method}}", "POST"),
      ("{{request.path}}", "/a/{path.id}"), ("{{request.pathSegments.[1]}}", "{path.id}"),
      ("{{request.path.[0]}}", "a"), ("{{request.body}}", "{body}"),
      ("{{request.baseUrl}}", "{server.baseURL}"), ("{{request.query.q}}", "{query.q}"),
      ("{{request.query.q.[0]}}", "{query.q}"), ("{{request.headers.X-A}}", "{header.X-A}"),
      ("{{request.headers.[X-A]}}", "{header.X-A}"), ("{{{request.body}}}", "{body}"),
      ("{{parameters.p}}", "7 \\{x}"), ("a {b} {1} {{! a remark}}c", "a \\{b} {1} c"),
      ("{{#assign 'n'}}v{{/assign}}{{n}}-{{n}}", "v-v"),
    ])
  func expression(text: String, translated: String) throws {
    let found = try Self.imported(
      #""method": "POST", "urlPathTemplate": "/a/{id}""#,
      #"""
      { "body": \#(text.quoted), "transformers": ["response-template"],
        "transformerParameters": { "p": "7 {x}" } }
      """#)
    #expect(found.served?["text"]?.string == translated)
    #expect(found.notes == [])
  }

  @Test(
    "an expression with a second value, an unknown unit or an empty range is left out",
    arguments: [
      "{{request.query.q.[1]}}", "{{request.headers.A.[1]}}", "{{request.pathSegments.[2]}}",
      "{{request.path.other}}", "{{randomInt lower=5 upper=5}}", "{{randomInt lower=-1 upper=5}}",
      "{{randomValue type='UUID' length=3}}", "{{now offset='3 weeks'}}", "{{now offset='3'}}",
      "{{now locale='de'}}", "{{jsonPath request.body '$'}}", "{{jsonPath request.body '$.*'}}",
      "{{jsonPath request.body 'a'}}", "{{jsonPath request.body}}", "{{request.body", "{{}}",
      "{{unknown}}",
    ])
  func foreignExpression(text: String) throws {
    let found = try Self.imported(
      #""method": "GET", "urlPathTemplate": "/a/{id}""#,
      #"{ "body": \#(text.quoted), "transformers": ["response-template"] }"#)
    #expect(found.request == nil)
    #expect(found.notes.map { $0.prefix { $0 != ":" } } == ["leftOut /response/body"])
  }
}
