import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Whatever a document says and an import does not take over is noted.
@Suite struct ImportLossTests {
  private static func plan(_ text: String, named file: String = "a.json") throws -> ImportPlan {
    let document = try ForeignDocument(reading: Array(text.utf8), file: file)
    return try ImportFormat.plan(
      ImportSource(documents: [document]), as: nil,
      ImportOptions(folder: "no-such-folder", differs: { _, _, _ in false }))
  }

  /// `1:3 /request: why`
  private static func losses(_ plan: ImportPlan) -> [String] {
    plan.notes.filter { $0.kind == .leftOut }.map { note in
      let place = note.place.position.map { "\($0.line):\($0.column)" } ?? ""
      return "\(place) \(note.pointer): \(note.reason)"
    }
  }

  // MARK: - WireMock

  @Test(
    "a stub is made without what nobody reads, and that is noted",
    arguments: [
      (
        #"{"request": {"url": "/a"}, "request": {"url": "/b"}, "response": {}}"#,
        #"1:2 /request: "request" is given twice, and the last one counts"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"headers": {"X": "1", "X": "2"}}}"#,
        #"1:53 /response/headers/X: "X" is given twice, and the last one counts"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"jsonBody": {"a": 1, "a": 2}}}"#,
        #"1:54 /response/jsonBody/a: "a" is given twice, and the last one counts"#
      ),
      (
        #"{"request": {"url": "/b"}, "respons": {}, "response": {}}"#,
        #"1:28 /respons: "respons" is not a key here; "response" is"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"bodyFileNam": "x"}}"#,
        #"1:41 /response/bodyFileNam: "bodyFileNam" is not a key here; "bodyFileName" is"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"jsonBody": 1, "body": "x"}}"#,
        #"1:41 /response/jsonBody: "jsonBody" is beside "body", which counts"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"bodyFileName": "x", "base64Body": "eA=="}}"#,
        #"1:41 /response/bodyFileName: "bodyFileName" is beside "base64Body", which counts"#
      ),
      (
        #"{"request": {"urlPath": "/a", "urlPattern": "/b"}, "response": {}}"#,
        #"1:14 /request/urlPath: "urlPath" is beside "urlPattern", which counts"#
      ),
      (
        #"{"request": {"url": "/b", "headers": {"A": {"contains": "1", "equalTo": "2"}}}}"#,
        #"1:62 /request/headers/A/equalTo: "equalTo" is beside "contains", which counts"#
      ),
      (
        #"{"request": {"url": "/b", "bodyPatterns": [{"contains": "1", "equalToJson": "{}"}]}}"#,
        #"1:62 /request/bodyPatterns/0/equalToJson: "equalToJson" is beside "contains", which counts"#
      ),
      (
        #"{"request": {"url": "/b", "bodyPatterns": [{"equalToJson": "{\"a\":1,\"a\":2}"}]}}"#,
        #"1:60 /request/bodyPatterns/0/equalToJson: "a" is given twice, and the last one counts"#
      ),
      (
        #"{"request": {"url": "/b", "cookies": {"A": {"equalTo": "1", "ignoreCase": true}}}}"#,
        #"1:61 /request/cookies/A/ignoreCase: "ignoreCase" is not a key here"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"headers": []}}"#,
        #"1:52 /response/headers: "headers" is array with 0 elements, not an object"#
      ),
      (
        #"{"request": {"url": "/b"}, "requiredScenarioState": "x"}"#,
        #"1:28 /requiredScenarioState: "requiredScenarioState" has no effect without "scenarioName""#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"fixedDelayMilliseconds": 1, "delayDistribution": {"type": "fixed"}}}"#,
        #"1:41 /response/fixedDelayMilliseconds: "fixedDelayMilliseconds" is beside "delayDistribution", which counts"#
      ),
    ])
  func lost(stub: String, loss: String) throws {
    let plan = try Self.plan(stub)
    #expect(Self.losses(plan) == [loss])
    #expect(plan.leavesSomethingOut)
    #expect(Set(plan.drafts.map(\.path)) == ["/b"])
  }

  @Test(
    "a stub that would match more than it says, or response otherwise, is not made",
    arguments: [
      (
        #"{"request": {"url": "/b", "querryParameters": {}}}"#,
        #"1:27 /request/querryParameters: "querryParameters" is not a key here; "queryParameters" is"#
      ),
      (
        #"{"request": {"url": "/b", "queryParameters": "x"}}"#,
        #"1:46 /request/queryParameters: "queryParameters" is string "x", not an object"#
      ),
      (
        #"{"request": {"url": "/b", "headers": {"A": null}}}"#,
        #"1:44 /request/headers/A: "A" is null, not an object"#
      ),
      (
        #"{"request": {"url": 5, "method": "GET"}}"#,
        #"1:21 /request/url: "url" is number 5, not a string"#
      ),
      (
        #"{"request": {"url": "/b", "method": {"isOneOf": ["GET"]}}}"#,
        #"1:38 /request/method/isOneOf: "isOneOf" is not a key here; "oneOf" is"#
      ),
      (
        #"{"request": {"url": "/b", "basicAuth": {"username": "a", "pasword": "b"}}}"#,
        #"1:58 /request/basicAuth/pasword: "pasword" is not a key here; "password" is"#
      ),
      (
        #"{"request": {"url": "/b", "host": {"matches": ".*"}}}"#,
        "1:35 /request/host: a host is compared by its text alone"
      ),
      (
        #"{"request": {"url": "/b"}, "priority": 1.5}"#,
        #"1:40 /priority: "priority" is number 1.5, not a whole number"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"status": "abc"}}"#,
        #"1:51 /response/status: "status" is string "abc", not a whole number"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"status": 99}}"#,
        "1:51 /response/status: a case has a status from 200 to 599"
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"headers": {"A": null}}}"#,
        #"1:58 /response/headers/A: "A" is null, not a string"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"fixedDelayMilliseconds": -1}}"#,
        #"1:67 /response/fixedDelayMilliseconds: "fixedDelayMilliseconds" is number -1, not a whole number from 0"#
      ),
      (
        #"{"request": {"url": "/b"}, "response": {"delayDistribution": {"type": "uniform", "uper": 1}}}"#,
        #"1:82 /response/delayDistribution/uper: "uper" is not a key here; "upper" is"#
      ),
    ])
  func notMade(stub: String, loss: String) throws {
    let plan = try Self.plan(stub)
    let losses = Self.losses(plan).filter { !$0.contains("it has no \"") }
    #expect(losses == [loss])
    #expect(plan.drafts.isEmpty)
  }

  @Test("members beside mappings, and mappings again, are noted")
  func documents() throws {
    let plan = try Self.plan(
      """
      {"mappings": [{"request": {"url": "/a"}, "response": {}}],
       "mappings": [{"request": {"url": "/b", "method": "GET"}, "response": {}}],
       "request": {"url": "/c"}, "meta": {"total": 1}}
      """)
    #expect(
      Self.losses(plan) == [
        #"1:2 /mappings: "mappings" is given twice, and the last one counts"#,
        #"3:2 /request: "request" is not a key here"#,
      ])
    #expect(plan.drafts.map(\.path) == ["/b"])
  }

  @Test("nothing is noted where nothing is lost")
  func silent() throws {
    let plan = try Self.plan(
      #"""
      {"$schema": "x", "id": "00000000-0000-4000-8000-000000000001", "name": "a", "priority": "1",
       "metadata": {"any": {"thing": 1}}, "persistent": true, "scenarioName": null,
       "request": {"url": "/a", "method": "GET", "host": "x",
         "headers": {"A": {"equalTo": "b", "caseInsensitive": true}, "B": {"absent": true}},
         "bodyPatterns": [{"equalToJson": "{}", "ignoreExtraElements": true},
           {"matchesJsonPath": {"expression": "$.a", "equalTo": "b"}}]},
       "response": {"status": "201", "body": null, "jsonBody": {"null": null},
         "headers": {"A": ["1", 2], "B": 3}, "fixedDelayMilliseconds": "5",
         "transformerParameters": {"a": {}}}}
      """#)
    #expect(Self.losses(plan) == [])
    #expect(plan.drafts.first?.cases.map(\.status) == [201])
  }

  @Test("a contract that changes loses what its import waived and it no longer needs")
  func ownWaivers() throws {
    let stage = try ImportStage()
    let root = FileRoot(stage.folder)
    let own = #""no-404-case": "imported: no stub has it""#
    let found =
      #"{ "request": { "method": "GET", "urlPath": "/a" }, "response": { "status": 200 } }"#
    let missing = #"""
      { "request": { "method": "GET", "urlPath": "/a", "queryParameters": { "b": { "equalTo": "c" } } },
        "response": { "status": 404 } }
      """#
    try stage.plan(found).write(to: root)
    try root.write(
      Array(#"{ "summary": "Shop" }"#.utf8), to: "\(stage.folder)/wiremock/upstream.json")
    try stage.plan(found.replacing("200", with: "201")).write(to: root)
    #expect(try stage.text("wiremock/a.json").contains(own))
    #expect(try stage.plan(found.replacing("200", with: "201")).changes.isEmpty)
    try stage.plan("{ \"mappings\": [\(found), \(missing)] }").write(to: root)
    let text = try stage.text("wiremock/a.json")
    #expect(text.contains("404") && !text.contains(own) && text.contains("no-slow-case"), "\(text)")
  }

  @Test("a key that is there again very often is noted a limited number of times")
  func manyTimes() throws {
    let members = String(repeating: #""A": "1","#, count: 2_000)
    let stub = #"{"request": {"url": "/b"}, "response": {"headers": {\#(members) "A": "2"}}}"#
    let losses = Self.losses(try Self.plan(stub))
    #expect(losses.count == 100)
    #expect(
      losses[0].hasSuffix("2000 keys are given twice, and the last of each counts"))
  }

  // MARK: - HAR

  @Test(
    "what an entry says and nobody reads is noted, if it is not for other tools",
    arguments: [
      (
        #""headers": {}"#, "",
        #"/request/headers: "headers" is object with 0 members, not an array"#
      ),
      (#""headers": [{"name": "A"}]"#, "", #"/request/headers/0: it has no "value""#),
      (
        #""headers": [{"name": "A", "value": 5}]"#, "",
        #"/request/headers/0/value: "value" is number 5, not a string"#
      ),
      (
        #""postdata": {"text": "x"}"#, "",
        #"/request/postdata: "postdata" is not a key here; "postData" is"#
      ),
      (
        #""postData": {"text": 5}"#, "",
        #"/request/postData/text: "text" is number 5, not a string"#
      ),
      (
        #""method": "POST""#, "",
        #"/request/method: "method" is given twice, and the last one counts"#
      ),
      ("", #""time": "5""#, #"/time: "time" is string "5", not a number"#),
      ("", #""timing": {}"#, #"/timing: "timing" is not a key here; "timings" is"#),
    ])
  func entries(sent: String, more: String, loss: String) throws {
    let entry = HAR.entry(sent: sent, more: more)
    let plan = try Self.plan(HAR.log(entry), named: "a.har")
    let losses = plan.notes.filter { $0.kind == .leftOut && !$0.reason.contains("twice") }
    let repeated = plan.notes.filter { $0.reason.contains("twice") }
    let found = (losses.isEmpty ? repeated : losses).map { "\($0.pointer): \($0.reason)" }
    #expect(found == ["/log/entries/0\(loss)"])
    #expect(plan.drafts.count == 1)
  }

  @Test("entries twice are noted; what other tools add is not")
  func logs() throws {
    let other = HAR.entry("GET", "https://api.example.com/others")
    let log = HAR.log(HAR.entry(more: #""_added": 1, "ours": {"a": 1, "b": 2}"#))
      .replacing(#""entries":"#, with: #""entries": [\#(other)], "entries":"#)
    let plan = try Self.plan(log, named: "a.har")
    #expect(
      Self.losses(plan) == [
        #"1:28 /log/entries: "entries" is given twice, and the last one counts"#
      ])
    #expect(plan.drafts.map(\.path) == ["/users"])
  }

  // MARK: - OpenAPI

  @Test(
    "what a description says and nobody reads is noted where it is, once",
    arguments: [
      (
        #""responces": {}, "responses": {"200": {}}"#, "",
        #"get/responces: "responces" is not a key here; "responses" is"#
      ),
      (
        #""responses": {"200": {}, "200": {}}"#, "",
        #"get/responses/200: "200" is given twice, and the last one counts"#
      ),
      (
        #""operationId": 5, "responses": {"200": {}}"#, "",
        #"get/operationId: "operationId" is number 5, not a string"#
      ),
      (
        #""parameters": [{"name": "a", "in": "query", "required": "true"}], "responses": {"200": {}}"#,
        "",
        #"get/parameters/0/required: "required" is string "true", not true or false"#
      ),
      (
        #""parameters": [{"name": "a", "in": "query", "type": "string"}], "responses": {"200": {}}"#,
        "",
        #"get/parameters/0/type: "type" is not a key here"#
      ),
      (
        #""responses": {"200": {"content": {"application/json": {"schema": {"requried": ["a"]}}}}}"#,
        "",
        #"get/responses/200/content/application~1json/schema/requried: "requried" is not a key here; "required" is"#
      ),
      (
        ##""responses": {"200": {"$ref": "#/components/responses/A"}, "404": {"$ref": "#/components/responses/A"}}"##,
        #""components": {"responses": {"A": {"desciption": "a"}}}"#,
        ##"#/components/responses/A/desciption: "desciption" is not a key here; "description" is"##
      ),
      (
        #""responses": {"200": {}}"#, #""components": {"shemas": {}}"#,
        ##"#/components/shemas: "shemas" is not a key here; "schemas" is"##
      ),
      (
        #""requestBody": {"requird": true}, "responses": {"200": {}}, "x-any": 1"#,
        #""x-more": {}"#,
        #"get/requestBody/requird: "requird" is not a key here; "required" is"#
      ),
    ])
  func descriptions(operation: String, more: String, loss: String) throws {
    let text = OpenAPI.document(#""/a": {"get": {\#(operation)}}"#, more: more)
    let plan = try Self.plan(text)
    let place = loss.hasPrefix("#") ? String(loss.dropFirst()) : "/paths/~1a/\(loss)"
    #expect(
      plan.notes.filter { $0.kind == .leftOut }.map { "\($0.pointer): \($0.reason)" } == [place])
  }
}
