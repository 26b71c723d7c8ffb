import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// Whatever number a document has, it becomes a contract, a note or a complaint.
@Suite struct ExtremeNumberTests {
  private static func variants(of text: String) -> [String] {
    ExtremeNumbers.variants(of: text) + ExtremeNumbers.duplications(of: text)
  }

  /// Each has little, since a variant is one number of it.
  private static let stubs = [
    #"""
    {"priority": 3, "insertionIndex": 7, "request": {"method": "GET",
    "urlPathPattern": "/a/[0-9]{2,5}", "port": 80, "queryParameters": {"q": {"equalTo": "5"}}},
    "response": {"status": 201, "jsonBody": {"n": 2}}}
    """#,
    #"""
    {"request": {"url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.a[3].b[?(@.c > 5)]"},
    {"equalToJson": {"n": 1.5}}]}}
    """#,
    #"""
    {"request": {"url": "/a", "bodyPatterns": [{"matchesJsonSchema": {"type": "object",
    "minProperties": 1, "maxProperties": 4,
    "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2},
    "s": {"type": "string", "minLength": 2, "maxLength": 8}}}}]}}
    """#,
    #"""
    {"request": {"url": "/a"}, "response": {"fixedDelayMilliseconds": 10,
    "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 20}}}
    """#,
    #"""
    {"request": {"url": "/b"}, "response": {"status": "200", "transformers": ["response-template"],
    "body": "{{randomInt lower=4 upper=6}} {{now offset='3 days'}} {{request.path.[0]}}",
    "delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4, "maxValue": 500}}}
    """#,
    #"""
    {"request": {"url": "/c"}, "response": {
    "delayDistribution": {"type": "uniform", "lower": 3, "upper": 4}}}
    """#,
    #"""
    {"request": {"url": "/d"}, "response": {
    "delayDistribution": {"type": "fixed", "milliseconds": 12}}}
    """#,
  ]

  @Test("stubs, imported, served one by one and exported", arguments: stubs)
  func stub(_ stub: String) throws {
    for text in Self.variants(of: #"{"mappings": [\#(stub)]}"#) {
      guard let document = try? ForeignDocument(reading: Array(text.utf8), file: "a.json") else {
        continue
      }
      guard let imported = try? ImportedStubs(ImportSource(documents: [document])) else { continue }
      #expect(!imported.plan.drafts.isEmpty || !imported.notes.isEmpty, "\(text)")
      _ = WireMockExport(imported.library)
      let reader = StubReader(isTemplated: true) { .failure(Failure(message: "no \($0)")) }
      for stub in (document.root["mappings"] ?? .null).elements {
        _ = try? reader.contracts(of: .value(stub)) { _ in "stub" }
      }
    }
  }

  @Test(
    "a delay that no contract has is named with its place",
    arguments: [
      (#"{"type": "lognormal", "median": 1e19, "sigma": 0.1}"#, "/median: found number 1e19"),
      (
        #"{"type": "uniform", "lower": 1, "upper": 9223372036854775807}"#,
        "/upper: found number 9223372036854775807"
      ),
    ])
  func delay(distribution: String, expected: String) throws {
    let text = #"{"request": {"url": "/x"}, "response": {"delayDistribution": \#(distribution)}}"#
    let document = try ForeignDocument(reading: Array(text.utf8), file: "a.json")
    let notes = try ImportedStubs(ImportSource(documents: [document])).notes
    let shown = notes.map { "\($0.pointer): \($0.reason)" }
    #expect(
      shown == [
        "/response/delayDistribution\(expected), expected a number of milliseconds below"
          + " 1000000000000"
      ])
  }

  @Test("the largest random number is left out of an export with its reason")
  func largestRandom() throws {
    let contract = #"""
      {"request": {"method": "GET", "path": "/n"}, "cases": {"ok": {"status": 200,
      "template": ["body"], "body": {"text": "{random.1-9223372036854775807}"}}}}
      """#
    let library = ContractLibrary(readingBytes: ["a/n.json": Array(contract.utf8)])
    let reasons = WireMockExport(library).notes.map(\.reason)
    #expect(
      reasons == ["WireMock has no random number as large as 9223372036854775807"])
  }

  private static let har = #"""
    {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-01-02T03:04:05.678Z",
    "time": 12.5, "request": {"method": "POST", "url": "http://a.test:8080/x?n=1",
    "headers": [{"name": "Content-Length", "value": "2"}], "headersSize": 10, "bodySize": 2,
    "postData": {"mimeType": "application/json", "text": "{\"n\":3}"}},
    "response": {"status": 200, "headers": [{"name": "Retry-After", "value": "4"}],
    "content": {"size": 9, "mimeType": "application/json", "text": "{\"n\":5.5}"},
    "redirectURL": "", "headersSize": 10, "bodySize": 9},
    "timings": {"send": 1, "wait": 2.5, "receive": 3}}]}}
    """#

  @Test("entries of HARs")
  func hars() throws {
    let stage = try ImportStage()
    for text in Self.variants(of: Self.har) {
      guard let plan = try? stage.plan(text, change: { $0.takesAll = true }) else { continue }
      #expect(!plan.drafts.isEmpty || !plan.notes.isEmpty, "\(text)")
    }
  }

  private static let document = #"""
    {"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
    "servers": [{"url": "http://a.test:8080/v1"}], "paths": {"/x/{id}": {"get": {
    "parameters": [{"name": "id", "in": "path", "required": true,
    "schema": {"type": "integer", "minimum": 1, "exclusiveMaximum": 99, "multipleOf": 3}}],
    "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {
    "type": "object", "minProperties": 1, "maxProperties": 5, "required": ["n", "s", "l"],
    "properties": {"n": {"type": "number", "exclusiveMinimum": 0.5, "maximum": 7.5},
    "s": {"type": "string", "minLength": 3, "maxLength": 6, "pattern": "^[a-z]{2,5}$"},
    "l": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"const": 4}},
    "o": {"type": "object", "maxProperties": 2, "additionalProperties": {"default": 9}}}}}}},
    "404": {"description": "d", "headers": {"X": {"schema": {"enum": [1, 2]}}}}}}}}}
    """#

  @Test("documents of OpenAPI, imported and exported")
  func openAPI() throws {
    let stage = try ImportStage()
    for text in Self.variants(of: Self.document) {
      guard let plan = try? stage.plan(text) else { continue }
      #expect(!plan.drafts.isEmpty || !plan.notes.isEmpty, "\(text)")
      var files: [String: [UInt8]] = [:]
      for case .write(let file) in plan.changes {
        files[String(file.path.dropFirst(stage.folder.utf8.count + 1))] = file.bytes
      }
      for upstream in ContractLibrary(readingBytes: files).upstreams { _ = OpenAPIExport(upstream) }
    }
  }

  private static let contract = #"""
    {"request": {"method": "GET", "path": "/VARIANT/{id}",
    "parameters": {"path.id": {"example": "7"}, "query.q": {"optional": true, "example": "5"}}},
    "cases": {"ok": {"status": 200, "headers": {"Retry-After": "3"}, "template": ["body"],
    "delay": {"lognormal": {"median": "10ms", "sigma": 0.5, "max": "20ms"}},
    "pace": {"chunks": 3, "over": "30ms"},
    "body": "{random.1-6} {now +3d} {now.unix -2y}"},
    "json": {"when": {"request": {"query.q": "8"}}, "status": 200, "body": {"n": 1, "u": 12.5},
    "schema": {"type": "object", "maxProperties": 4, "properties": {"n": {"minimum": 1,
    "multipleOf": 0.5}, "u": {"x-time": {"epoch": 1970, "within": ["-90y", "+8d"]}}}}},
    "later": {"when": {"count": {"above": 3}}, "status": 404,
    "delay": {"uniform": ["1ms", "9ms"]}, "pace": {"bytesPerSecond": 50}, "body": "later"},
    "rare": {"when": {"share": 0.5}, "status": 500, "stall": {"atByte": 2}, "body": "rarely"},
    "events": {"when": {"request": {"query.q": "9"}}, "status": 200,
    "events": [{"id": "1", "data": {"n": 12}, "retry": "5s"}, {"data": "b", "after": "6ms"}]},
    "quiet": {"like": "events", "when": {"share": 0.25}, "stall": {"atEvent": 1}}}}
    """#

  @Test("contracts, served and exported")
  func contracts() async throws {
    let upstream = ["a/upstream.json": Array("{}".utf8)]
    var files = upstream
    for (number, text) in Self.variants(of: Self.contract).enumerated() {
      files["a/c\(number).json"] = Array(text.replacing("VARIANT", with: "c\(number)").utf8)
    }
    // Its own file is sound, so that each complaint is about what a variant changed.
    let sound = ContractLibrary(
      readingBytes: upstream.merging(
        ["a/c.json": Array(Self.contract.replacing("VARIANT", with: "c").utf8)]) { $1 })
    #expect(sound.findings.filter { $0.severity == .error }.map(\.message) == [])
    let library = ContractLibrary(of: ContractLibrary(readingBytes: files).upstreams)
    _ = WireMockExport(library)
    for upstream in library.upstreams { _ = OpenAPIExport(upstream) }
    #expect(library.upstreams.flatMap(\.contracts).count > 100)
    var configuration = ServerConfiguration()
    configuration.timeScale = 0
    let server = try await FakeServer.start(library, configuration: configuration)
    await server.close()
  }
}
