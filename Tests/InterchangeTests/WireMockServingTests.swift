import Testing

@testable import UnderstudyInterchange

/// Stubs are served as WireMock would.
@Suite struct WireMockServingTests {
  /// A stub for a request, which responds with a body.
  private static func stub(_ request: String, _ response: String = #""body": "yes""#) -> String {
    #"{ "request": { \#(request) }, "response": { \#(response) } }"#
  }

  @Test(
    "URLs in every form",
    arguments: [
      (
        #""url": "/a?b=1&c=x%20y""#, ["/a?b=1&c=x%20y", "/a?c=x+y&b=1"],
        ["/a", "/a?b=1", "/a?b=1&c=x%20y&d"]
      ),
      (#""url": "/a""#, ["/a"], ["/a?b", "/a/", "/b"]),
      (#""urlPath": "/a/b c""#, ["/a/b%20c", "/a/b%20c?x=1"], ["/a/b"]),
      (#""urlPathTemplate": "/a/{id}/b""#, ["/a/7/b", "/a/x%2Fy/b?q"], ["/a//b", "/a/7/8/b"]),
      (#""urlPathPattern": "/a/[0-9]+""#, ["/a/7", "/a/77?x"], ["/a/x", "/a/7/8", "/a/7x"]),
      (#""urlPattern": "/a/[0-9]+""#, ["/a/7"], ["/a/7?x", "/a/x"]),
      (#""urlPattern": "/a/.*""#, ["/a/", "/a/b", "/a/b/c?d=e"], ["/b", "/ab"]),
      (#""urlPattern": "/a.*""#, ["/a", "/ab/c", "/a/b?c"], ["/b"]),
      (#""urlPathPattern": "/a/.*/c""#, ["/a/b/c"], ["/a/c", "/a/b/d"]),
      (#""urlPathPattern": "/(a|b)/c""#, ["/a/c", "/b/c"], ["/c/c", "/ab/c"]),
      (#""urlPathPattern": "/(a/b|c)/d""#, ["/a/b/d", "/c/d"], ["/a/d", "/b/d"]),
      (#""urlPathPattern": "/a/?""#, ["/a", "/a/"], ["/a//", "/ab"]),
      (#""urlPathPattern": "/a(/.*)?""#, ["/a", "/a/", "/a/b/c"], ["/ab"]),
      (#""urlPattern": "/a(\\?.*)?""#, ["/a", "/a?b=c"], ["/ab"]),
      (
        #""urlPattern": "/a\\?b=[0-9]+&c=.*""#, ["/a?b=1&c=x", "/a?b=1&c="],
        ["/a?b=x&c=y", "/a?b=1"]
      ),
      (#""urlPathPattern": "/s/([0-9]*)""#, ["/s/", "/s/12"], ["/s/x", "/s"]),
      (#""urlPathPattern": ".*/cars""#, ["/cars", "/a/cars"], ["/a/cars/x"]),
      (#""urlPathPattern": "/e/[A-Z]+%20[a-z]+""#, ["/e/A%20b"], ["/e/Ab"]),
      (#""urlPattern": "/a\\?.*b=1.*""#, ["/a?b=1", "/a?x&b=1&y"], ["/a?b=2", "/a"]),
      (
        #""urlPathPattern": "/v\\d+\\.\\d+/x-y_z""#, ["/v1.22/x-y_z"], ["/v1/x-y_z", "/v1x2/x-y_z"]
      ),
      (#""urlPathPattern": "/\\Qa.b\\E/[A-Za-z\\-]{2,3}""#, ["/a.b/c-d"], ["/axb/cd", "/a.b/c"]),
      (#""urlPathPattern": "(?i)/abc/[d-f]""#, ["/ABC/E", "/abc/d"], ["/abc/g"]),
      (#""urlPattern": ".*""#, ["/", "/a/b?c=d"], []),
      (#""urlPattern": "/a(/+)?\\?(.*)""#, ["/a?x=1", "/a/?x=1"], ["/a//?x", "/ab?x", "/a/b?x"]),
      (#""urlPathPattern": "/a/+b/{1,2}c""#, ["/a/b/c"], ["/ab/c", "/a/bc"]),
      (#""urlPattern": "/a\\?*""#, ["/a", "/a?"], ["/ab", "/a?b"]),
      (
        #""urlPathPattern": "/a/(?!admin)[a-z]+""#, ["/a/b", "/a/badmin"],
        ["/a/admin", "/a/administrator"]
      ),
      (
        #""urlPathPattern": "/a/(?!x|y/z).*""#, ["/a/b/c", "/a/", "/a/y/a"],
        ["/a/x", "/a/xy/1", "/a/y/z", "/b"]
      ),
      (
        #""urlPathPattern": "^(?!/admin|/internal).*$""#, ["/", "/users/admin"],
        ["/admin", "/internal/x", "/admins"]
      ),
      (#""urlPathPattern": "/a/(?!.*\\.json$).*""#, ["/a/b/c.xml"], ["/a/b/c.json", "/a/.json"]),
      (#""urlPathPattern": "/a/.*(?<!\\.json)""#, ["/a/b/c.xml"], ["/a/b/c.json", "/a/.json"]),
      (
        #""urlPattern": "/a\\?q=((?!x)[^&])+&b=.*""#, ["/a?q=yz&b=1"],
        ["/a?q=yxz&b=1", "/a?q=&b=1"]
      ),
      (#""method": "ANY""#, ["/", "/x/y"], []),
    ] as [(String, [String], [String])])
  func urls(request: String, fitting: [String], others: [String]) async throws {
    try await WireMockStage.with(Self.stub(request)) { (stage) async throws in
      #expect(stage.leftOut == [])
      for target in fitting {
        #expect(try await stage.response("GET \(target)") == "200 yes", "\(target)")
      }
      for target in others {
        #expect(try await stage.response("GET \(target)") == "miss", "\(target)")
      }
    }
  }

  @Test(
    "query parameters, headers and cookies",
    arguments: [
      (#"{ "equalTo": "x y" }"#, ["x y"], ["x", ""]),
      (#"{ "equalTo": "Ab1", "caseInsensitive": true }"#, ["aB1", "Ab1"], ["b"]),
      (#"{ "contains": "a.b" }"#, ["xa.by"], ["axb"]),
      (#"{ "matches": "a+|b" }"#, ["aa", "b"], ["ab", "xb"]),
      (#"{ "matches": ".*" }"#, ["", "x"], []),
      (#"{ "doesNotMatch": "a.*" }"#, ["ba"], ["ab"]),
      (#"{ "matches": "^(?!a@b).*$" }"#, ["b@a", "xa@b"], ["a@b", "a@bc"]),
      (#"{ "matches": "((?!x)[^&])+" }"#, ["abc"], ["axc", "x"]),
      (#"{ "matches": "(?=.*1)*(?=.*2)[0-9]+(?<!3)" }"#, ["2", "12"], ["1", "23"]),
      (#"{ "doesNotMatch": "(?!a).*" }"#, ["ab"], ["b"]),
      (#"{ "doesNotContain": "a" }"#, ["b"], ["bab"]),
      (#"{ "or": [{ "equalTo": "a" }, { "equalTo": "b" }] }"#, ["a", "b"], ["c"]),
      (#"{ "or": [{ "matches": "a." }, { "equalTo": "b" }] }"#, ["ax", "b"], ["a", "xb"]),
      (
        #"{ "and": [{ "contains": "a" }, { "contains": "b" }, { "doesNotContain": "c" }] }"#,
        ["ba", "axb"], ["a", "abc"]
      ),
      (#"{ "not": { "contains": "a" } }"#, ["b"], ["a"]),
    ] as [(String, [String], [String])])
  func values(matcher: String, fitting: [String], others: [String]) async throws {
    let requests = [
      #""urlPath": "/a", "queryParameters": { "q": \#(matcher) }"#,
      #""urlPath": "/a", "headers": { "X-Q": \#(matcher) }"#,
    ]
    for (number, request) in requests.enumerated() {
      try await WireMockStage.with(Self.stub(request)) { (stage) async throws in
        #expect(stage.leftOut == [])
        for (values, response) in [(fitting, "200 yes"), (others, "miss")] {
          for value in values {
            let target = "/a" + (number == 0 ? "?q=\(value.replacing(" ", with: "%20"))" : "")
            let headers = number == 1 ? ["x-q: \(value)"] : []
            #expect(try await stage.response("GET \(target)", headers) == response, "\(value)")
          }
        }
        let isNegation = matcher.hasPrefix(#"{ "doesNot"#) || matcher.hasPrefix(#"{ "not"#)
        #expect(try await stage.response("GET /a") == (isNegation ? "200 yes" : "miss"))
      }
    }
  }

  @Test("cookies and credentials")
  func cookies() async throws {
    try await WireMockStage.with(
      Self.stub(
        #""urlPath": "/c", "cookies": { "a": { "equalTo": "1" }, "b": { "matches": "x.*" } }"#),
      Self.stub(#""urlPath": "/b", "basicAuthCredentials": { "username": "u", "password": "p" }"#)
    ) { (stage) async throws in
      #expect(try await stage.response("GET /c", ["Cookie: b=xy; a=1"]) == "200 yes")
      #expect(try await stage.response("GET /c", ["Cookie: a=1; b=y"]) == "miss")
      #expect(try await stage.response("GET /c", ["Cookie: a=12; b=x"]) == "miss")
      #expect(try await stage.response("GET /b", ["Authorization: Basic dTpw"]) == "200 yes")
      #expect(try await stage.response("GET /b", ["Authorization: Bearer x"]) == "miss")
      #expect(stage.notes.map(\.kind) == [.masked])
    }
  }

  @Test(
    "bodies",
    arguments: [
      (
        #"{ "equalToJson": "{ \"a\": [1, 2], \"b\": 1 }" }"#, [#"{"b":1,"a":[1,2]}"#],
        [#"{"a":[2,1],"b":1}"#, #"{"a":[1,2],"b":1,"c":2}"#]
      ),
      (
        #"{ "equalToJson": { "a": [1, 2] }, "ignoreArrayOrder": true }"#, [#"{"a":[2,1]}"#],
        [#"{"a":[1]}"#]
      ),
      (
        #"{ "equalToJson": { "a": [1] }, "ignoreExtraElements": true }"#,
        [#"{"a":[1],"b":2}"#, #"{"a":[1,2]}"#], [#"{"b":2}"#]
      ),
      (
        #"{ "equalToJson": { "a": "${json-unit.any-string}", "b": "${json-unit.ignore}" } }"#,
        [#"{"a":"x","b":[]}"#], [#"{"a":1,"b":2}"#, #"{"a":"x","b":1,"c":1}"#]
      ),
      (#"{ "matchesJsonPath": "$.a.b" }"#, [#"{"a":{"b":0}}"#], [#"{"a":{}}"#, "[]", "x"]),
      (
        #"{ "matchesJsonPath": "$.a[?(@.b == 'x' && @.c > 2)]" }"#,
        [#"{"a":[{"b":"y"},{"b":"x","c":3}]}"#], [#"{"a":[{"b":"x","c":2}]}"#]
      ),
      (
        #"{ "matchesJsonPath": "$[?(@.a in ['x', 'y'] && @.b != 'z')]" }"#,
        [#"{"a":"y"}"#, #"{"a":"x","b":1}"#], [#"{"a":"z"}"#, #"{"a":"x","b":"z"}"#]
      ),
      (
        #"{ "equalToJson": "{ \"a\": \"${json-unit.regex}[A-Z]{3}\\\\d\" }" }"#, [#"{"a":"AAA7"}"#],
        [#"{"a":"AAA"}"#]
      ),
      (
        #"{ "matchesJsonPath": { "expression": "$.a", "equalToJson": "{ \"b\": 1 }", "ignoreExtraElements": true } }"#,
        [#"{"a":{"b":1,"c":2}}"#], [#"{"a":{"c":2}}"#]
      ),
      (
        #"{ "matchesJsonPath": { "expression": "$.a", "equalTo": "5" } }"#,
        [#"{"a":5}"#, #"{"a":"5"}"#], [#"{"a":6}"#]
      ),
      (
        #"{ "matchesJsonPath": { "expression": "$['a'][1]", "contains": "x" } }"#,
        [#"{"a":["","axb"]}"#], [#"{"a":["axb",""]}"#]
      ),
      (#"{ "equalTo": "a b" }"#, ["a b"], ["a"]),
      (#"{ "contains": "a(b" }"#, ["xa(by"], ["ab"]),
      (#"{ "matches": "a.*z" }"#, ["abcz"], ["xabcz"]),
      (
        #"{ "contains": "a" }, { "contains": "b" }, { "doesNotContain": "c" }"#, ["ba"],
        ["a", "abc"]
      ),
    ] as [(String, [String], [String])])
  func bodies(patterns: String, fitting: [String], others: [String]) async throws {
    let request = #""method": "POST", "url": "/a", "bodyPatterns": [\#(patterns)]"#
    try await WireMockStage.with(Self.stub(request)) { (stage) async throws in
      #expect(stage.leftOut == [])
      for body in fitting {
        #expect(try await stage.response("POST /a", body: body) == "200 yes", "\(body)")
      }
      for body in others {
        #expect(try await stage.response("POST /a", body: body) == "miss", "\(body)")
      }
    }
  }

  @Test("priorities come first, then the newest stub, and a stub for everything comes last")
  func order() async throws {
    try await WireMockStage.with(
      Self.stub(#""urlPath": "/a""#, #""body": "old""#),
      Self.stub(#""urlPath": "/a""#, #""body": "new""#),
      Self.stub(
        #""urlPath": "/a", "queryParameters": { "q": { "equalTo": "1" } }"#, #""body": "q""#),
      #"{ "priority": 1, "request": { "urlPath": "/a", "headers": { "H": { "equalTo": "1" } } }, "response": { "body": "h" } }"#,
      #"{ "priority": 10, "request": { "urlPattern": ".*" }, "response": { "status": 503 } }"#
    ) { (stage) async throws in
      #expect(try await stage.response("GET /a") == "200 new")
      #expect(try await stage.response("GET /a?q=1") == "200 q")
      #expect(try await stage.response("GET /a?q=1", ["H: 1"]) == "200 h")
      #expect(try await stage.response("PUT /b/c") == "503")
      #expect(stage.notes.contains { $0.kind == .skipped })
    }
  }

  @Test("of stubs for the same requests the newest responses, and the others stay to be chosen")
  func repeated() async throws {
    let request = #""urlPath": "/a", "method": "GET", "headers": { "H": { "equalTo": "1" } }"#
    try await WireMockStage.with(
      Self.stub(request, #""body": "old""#), Self.stub(request, #""body": "new""#),
      Self.stub(#""urlPath": "/a", "method": "GET", "headers": { "H": { "equalTo": "2" } }"#)
    ) { (stage) async throws in
      #expect(try await stage.response("GET /a", ["H: 1"]) == "200 new")
      #expect(try await stage.response("GET /a", ["H: 2"]) == "200 yes")
      #expect(try await stage.response("GET /a") == "miss")
      #expect(try await stage.response("GET /a", ["H: 1", "Prefer: example=ok-3"]) == "200 old")
      #expect(stage.leftOut == [])
    }
  }

  @Test("scenarios go from state to state")
  func scenario() async throws {
    func stub(_ required: String, _ new: String, _ body: String) -> String {
      #"""
      { "scenarioName": "to {do}", "requiredScenarioState": "\#(required)", "newScenarioState": "\#(new)",
        "request": { "method": "GET", "url": "/s" }, "response": { "body": "\#(body)" } }
      """#
    }
    try await WireMockStage.with(
      stub("Started", "2", "one"), stub("2", "Started", "two"),
      #"{ "scenarioName": "to {do}", "requiredScenarioState": "2", "request": { "url": "/t", "method": "GET" }, "response": {} }"#
    ) { (stage) async throws in
      #expect(try await stage.response("GET /t") == "miss")
      #expect(try await stage.response("GET /s") == "200 one")
      #expect(try await stage.response("GET /t") == "200")
      #expect(try await stage.response("GET /s") == "200 two")
      #expect(try await stage.response("GET /s") == "200 one")
    }
  }

  @Test(
    "expressions",
    arguments: [
      ("{{request.path}}", "/a/7/b"), ("{{request.pathSegments.[1]}}", "7"),
      ("{{request.path.id}}", "7"), ("{{request.query.q}}", "x y"),
      ("{{request.query.q.[0]}}", "x y"),
      ("{{request.headers.X-Q}}", "h"), ("{{request.headers.[X-Q]}}", "h"),
      ("{{request.method}}", "POST"),
      ("{{{jsonPath request.body '$.n.s'}}}", "v"),
      ("{{jsonPath request.body '$.n'}}", #"{"s":"v"}"#),
      ("{{request.body}}", #"{"n":{"s":"v"}}"#), ("{{#assign 'c'}}k{{/assign}}{{c}}{{c}}", "kk"),
      ("{plain} {uuid} {{request.method}}", "{plain} {uuid} POST"),
    ])
  func templates(text: String, result: String) async throws {
    let stub = Self.stub(
      #""method": "POST", "urlPathTemplate": "/a/{id}/b""#,
      #""body": "\#(text.replacing("\"", with: "\\\""))", "transformers": ["response-template"]"#)
    try await WireMockStage.with(stub) { (stage) async throws in
      #expect(stage.leftOut == [])
      let response = try await stage.response(
        "POST /a/7/b?q=x+y", ["X-Q: h"], body: #"{"n":{"s":"v"}}"#)
      #expect(response == "200 \(result)")
    }
  }

  @Test("a constant of one text of a body is an argument in another")
  func constants() async throws {
    let stub = Self.stub(
      #""url": "/a""#,
      #"""
      "jsonBody": { "a": "{{#assign 'f'}}yyyy{{/assign}}", "b": "{{now format=f}}",
                    "c": "{{now format=parameters.g}}", "d": "{{now format='yyyy'}}" },
      "transformerParameters": { "g": "yyyy" }, "transformers": ["response-template"]
      """#)
    try await WireMockStage.with(stub) { (stage) async throws in
      #expect(stage.leftOut == [])
      let response = try await stage.response("GET /a")
      let year = response.dropLast(2).suffix(4)
      #expect(Int(year) != nil)
      #expect(response == #"200 {"a":"","b":"\#(year)","c":"\#(year)","d":"\#(year)"}"#)
    }
  }

  @Test("responses of every kind")
  func responses() async throws {
    try await WireMockStage.with(
      Self.stub(
        #""url": "/json""#,
        #""status": 201, "jsonBody": { "a": [1.0, null] }, "headers": { "Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"], "Content-Length": "9" }"#
      ),
      Self.stub(#""url": "/bytes""#, #""base64Body": "aGk=""#),
      Self.stub(#""url": "/file""#, #""bodyFileName": "a/b.txt""#),
      Self.stub(#""url": "/data""#, #""bodyFileName": "b.json""#),
      Self.stub(#""url": "/none""#, #""status": 204, "body": "x""#),
      Self.stub(#""url": "/empty""#, #""fault": "EMPTY_RESPONSE""#),
      Self.stub(
        #""url": "/slow""#,
        #""fixedDelayMilliseconds": 3600000, "chunkedDribbleDelay": { "numberOfChunks": 3, "totalDuration": 100 }, "body": "slow""#
      ),
      Self.stub(
        #""url": "/later""#,
        #""delayDistribution": { "type": "lognormal", "median": 80, "sigma": 0.4 }, "body": "later""#
      ),
      files: ["a/b.txt": "file", "b.json": #"{ "b": 1 }"#]
    ) { (stage) async throws in
      #expect(try await stage.response("GET /json") == #"201 {"a":[1.0,null]}"#)
      #expect(try await stage.response("GET /bytes") == "200 hi")
      #expect(try await stage.response("GET /file") == "200 file")
      #expect(try await stage.response("GET /data") == #"200 {"b":1}"#)
      #expect(try await stage.response("GET /none") == "204")
      #expect(try await stage.response("GET /empty") == "")
      #expect(try await stage.response("GET /slow") == "200 slow")
      #expect(try await stage.response("GET /later") == "200 later")
      #expect(stage.leftOut == ["/mappings/4/response/body: a response of status 204 has no body"])
    }
  }

  @Test(
    "what no contract can say is left out with its place and reason, and the rest stays",
    arguments: [
      (
        #"{ "request": { "url": "/x", "method": "TRACE" }, "response": {} }"#,
        "/request/method: a contract has no method TRACE"
      ),
      (
        #"{ "request": { "url": "/x", "bodyPatterns": [{ "equalToXml": "<a/>" }] }, "response": {} }"#,
        "/request/bodyPatterns/0/equalToXml: a contract has no conditions on XML"
      ),
      (
        #"{ "request": { "url": "/x", "headers": { "D": { "equalToNumber": 1 } } }, "response": {} }"#,
        "/request/headers/D/equalToNumber: a contract has no condition like equalToNumber"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "proxyBaseUrl": "http://a" } }"#,
        "/response/proxyBaseUrl: a case does not pass requests on"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "body": "{{#each a}}{{/each}}", "transformers": ["response-template"] } }"#,
        "/response/body: contracts have no expression like {{#each}}"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "body": "{{#assign 'f'}}{{uuid}}{{/assign}}{{now format=f}}", "transformers": ["response-template"] } }"#,
        "/response/body: contracts have no expression like {{uuid}}"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "body": "{{#assign 'f'}}{{request.path}}{{request.query.a}}{{/assign}}{{now format=f}}", "transformers": ["response-template"] } }"#,
        "/response/body: the value of {{f}} is not a fixed text"
      ),
      (
        #"{ "request": { "urlPattern": "/x(?>y)" }, "response": {} }"#,
        "/request/urlPattern: the pattern has flags or an atomic group"
      ),
      (
        #"{ "request": { "urlPathPattern": "/(a/)*b" }, "response": {} }"#,
        "/request/urlPathPattern: the pattern repeats something with a slash"
      ),
      (
        #"{ "request": { "url": "/x", "bodyPatterns": [{ "matchesJsonPath": "$..a" }] }, "response": {} }"#,
        "/request/bodyPatterns/0/matchesJsonPath: a schema cannot say what this JSONPath does"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "bodyFileName": "none.txt" } }"#,
        "/response/bodyFileName: no file none.txt"
      ),
      (
        #"{ "request": { "url": "/x" }, "response": { "fault": "NO_SUCH" } }"#,
        "/response/fault: there is no fault NO_SUCH"
      ),
    ])
  func leftOut(stub: String, reason: String) async throws {
    try await WireMockStage.with(stub, Self.stub(#""url": "/ok""#)) { (stage) async throws in
      #expect(stage.leftOut == ["/mappings/0\(reason)"])
      #expect(try await stage.response("GET /x") == "miss")
      #expect(try await stage.response("GET /ok") == "200 yes")
    }
  }
}
