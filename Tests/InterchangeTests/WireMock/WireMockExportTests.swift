import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Contracts as stubs, and back.
@Suite struct WireMockExportTests {
  private static func source(_ export: WireMockExport, in folder: String = "") throws
    -> ImportSource
  {
    let files = Dictionary(uniqueKeysWithValues: export.files.map { ($0.path, $0.bytes) })
    let documents = try export.files.filter { $0.path.hasPrefix("\(folder)mappings/") }.map {
      try ForeignDocument(reading: $0.bytes, file: $0.path)
    }
    return ImportSource(
      documents: documents,
      reading: { name, _ throws(Failure) in
        guard let bytes = files["\(folder)__files/\(name)"] else {
          throw Failure(message: "no file \(name)", fix: nil)
        }
        return bytes
      })
  }

  private static let library = ContractLibrary(reading: [
    "api/upstream.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
    "api/thing.json": #"""
    { "summary": "A thing", "request": { "method": "GET", "path": "/things/{id}", "also": ["/t/{id}"],
        "parameters": { "path.id": { "matches": "^[0-9]+$" }, "query.a": { "optional": true } } },
      "cases": {
        "ok": { "status": 200, "body": { "id": "{path.id}" }, "template": ["body"],
                "schema": { "type": "object" } },
        "page": { "like": "ok", "when": { "request": { "query.a": { "oneOf": ["1", "2"] } } } },
        "cut": { "like": "ok", "malform": { "truncateAt": 3 } },
        "slow": { "like": "ok", "delay": { "uniform": ["1ms", "2ms"] } },
        "stalled": { "like": "ok", "stall": "beforeHead" },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER" } },
      "waive": { "no-404-case": "there is none" } }
    """#,
    "api/send.json": #"""
    { "request": { "method": "POST", "path": "/things",
                   "body": [{ "contains": { "a": 1 }, "order": "any" }, { "matches": "b" }, { "schema": {} }] },
      "cases": {
        "first": { "status": 201, "when": { "state": { "made": "" } }, "then": { "made": "yes" } },
        "again": { "status": 409 } } }
    """#,
    "api/rest.json": #"""
    { "request": { "method": "GET", "path": "/{rest...}" }, "cases": { "gone": { "status": 503 } } }
    """#,
  ])

  @Test("importing what was exported gives the same contracts")
  func roundTrip() throws {
    #expect(Self.library.findings.filter { $0.severity == .error } == [])
    let export = WireMockExport(Self.library)
    let stubs = try ImportedStubs(Self.source(export))
    #expect(stubs.notes == [])
    let found = stubs.library.contracts.sorted { $0.id < $1.id }
    let wanted = Self.library.contracts.sorted { $0.id < $1.id }
    #expect(found.map(\.name) == wanted.map(\.name))
    for (own, other) in zip(found, wanted) { #expect(own.source.isEqual(to: other.source)) }
    #expect(
      export.notes.map { "\($0.kind) \($0.subject)" } == ["leftOut api/thing#stalled"])
  }

  private static let expecting = ContractLibrary(reading: [
    "consumers.json": #"{ "things.get": { "upstreams": ["api"], "errors": { "offline": null } } }"#,
    "api/upstream.json": #"""
    { "baseURL": "https://api.example.com/v1", "headers": { "User-Agent": "test" },
      "scenarios": { "busy": { "scripts": { "thing": ["ok", "reset"] } } } }
    """#,
    "api/thing.json": #"""
    { "request": { "method": "GET", "path": "/things" },
      "cases": { "ok": { "status": 200, "live": {}, "expect": { "things.get": { "value": 1 } } },
                 "reset": { "fault": "CONNECTION_RESET_BY_PEER" } },
      "scripts": { "again": ["ok", "reset"] } }
    """#,
  ])

  @Test(
    "stubs carry their upstream, and come without expectations of consumers that nobody declares")
  func upstream() throws {
    #expect(Self.expecting.findings.filter { $0.severity == .error } == [])
    let stubs = try ImportedStubs(Self.source(WireMockExport(Self.expecting)))
    #expect(
      stubs.notes.map { "\($0.kind) \($0.reason)" } == [
        "leftOut consumers.json does not declare things.get: the contract comes without what it expects"
      ])
    let upstream = try #require(stubs.library.upstreams.first)
    #expect(upstream.name == "api")
    #expect(try upstream.source.isEqual(to: #require(Self.expecting.upstreams.first).source))
    let served = try #require(upstream.contracts.first?.cases.first)
    #expect(served.isLive)
    #expect(served.source["expect"] == nil)
  }

  @Test("the address after --upstream is where the live API is")
  func liveAPI() throws {
    let exported = try ImportedStubs(
      Self.source(WireMockExport(Self.expecting)), to: "api", at: "https://other.example/v2")
    #expect(exported.library.upstreams.map(\.baseURL?.text) == ["https://other.example/v2"])
    let stub = try ForeignDocument(
      reading: Array(#"{ "request": { "urlPath": "/v2/a" }, "response": {} }"#.utf8), file: "a.json"
    )
    let source = ImportSource(documents: [stub])
    let stubs = try ImportedStubs(source, to: "shop", at: "https://shop.example")
    #expect(stubs.library.upstreams.map(\.baseURL?.text) == ["https://shop.example"])
    let failure = #expect(throws: Failure.self) {
      try ImportedStubs(source, to: "shop", at: "https://shop.example/v2")
    }
    #expect(failure?.message == "--upstream has the path /v2, but stubs have whole paths")
    #expect(failure?.fix == "write --upstream shop=https://shop.example")
  }

  @Test("contracts whose upstream has no live API come without live cases")
  func withoutLiveAPI() throws {
    let export = WireMockExport(Self.expecting)
    let text = String(decoding: try #require(export.files.first).bytes, as: UTF8.self)
    let document = try ForeignDocument(
      reading: Array(text.replacing("\"upstream\":", with: "\"other\":").utf8), file: "a.json")
    let stubs = try ImportedStubs(ImportSource(documents: [document]))
    #expect(
      stubs.notes.map(\.reason) == [
        "upstream.json has no \"baseURL\": the contract comes without \"live\"",
        "consumers.json does not declare things.get: the contract comes without what it expects",
      ])
    let contract = try #require(stubs.library.contracts.first)
    #expect(contract.id == "wiremock/thing")
    #expect(contract.cases.map(\.isLive) == [false, false])
    #expect(contract.cases.map(\.name) == ["ok", "reset"])
  }

  @Test("scenarios of contracts that are not imported are left out")
  func scenarios() throws {
    let export = WireMockExport(Self.expecting)
    let text = String(decoding: try #require(export.files.first).bytes, as: UTF8.self)
    let document = try ForeignDocument(
      reading: Array(text.replacing("\"thing\": [\"ok\"", with: "\"other\": [\"ok\"").utf8),
      file: "a.json")
    let stubs = try ImportedStubs(ImportSource(documents: [document]))
    #expect(stubs.notes.last?.reason == "its scenarios name what is not imported")
    #expect(stubs.notes.last?.subject == "no-such-folder/api/upstream.json")
    let upstream = try #require(stubs.library.upstreams.first)
    #expect(upstream.scenarios.isEmpty)
    #expect(upstream.baseURL?.text == "https://api.example.com/v1")
  }

  @Test(
    "an upstream that exists stays as it is, which is noted where it is another",
    arguments: [("https://api.example.com/v1", 0), ("https://api.example.com/v2", 1)])
  func existing(address: String, noteCount: Int) throws {
    let stage = try ImportStage()
    let upstream = #"{ "baseURL": "\#(address)" }"#
    let root = FileRoot(stage.folder)
    try root.write(Array(upstream.utf8), to: "\(stage.folder)/api/upstream.json")
    let plan = try ImportFormat.plan(
      Self.source(WireMockExport(Self.library)), as: nil,
      ImportOptions(folder: stage.folder, differs: { _, _, _ in false }))
    try plan.write(to: root)
    #expect(try stage.text("api/upstream.json") == upstream)
    let notes = plan.lines.filter { $0.hasSuffix("upstream.json: it exists and is kept") }
    #expect(notes.count == noteCount)
    #expect(plan.drafts.map(\.id).sorted() == ["api/rest", "api/send", "api/thing"])
  }

  @Test(
    "a contract that no import made stays unless it must not",
    arguments: [
      ("", true, "replaced", ""),
      (
        #", "x-import": "wiremock""#, false, "",
        "leftOut GET /a: wiremock/a was changed since its import; --force replaces it"
      ),
      (
        "", false, "",
        "leftOut GET /a: wiremock/a exists and was not imported; --force replaces it"
      ),
    ])
  func replaced(origin: String, isForced: Bool, fate: String, note: String) throws {
    let stage = try ImportStage()
    let contract = #"""
      { "request": { "method": "GET", "path": "/a" }, "cases": { "ok": { "status": 200 } }\#(origin) }
      """#
    for (name, text) in [("upstream", "{}"), ("a", contract)] {
      try FileRoot(stage.folder).write(
        Array(text.utf8), to: "\(stage.folder)/wiremock/\(name).json")
    }
    let plan = try stage.plan(
      #"{ "request": { "method": "GET", "urlPath": "/a" }, "response": { "status": 404 } }"#
    ) { $0.replacesContracts = isForced }
    #expect(plan.drafts.map(\.fate.rawValue) == [fate].filter { !$0.isEmpty })
    #expect(plan.lines == [note].filter { !$0.isEmpty })
  }

  @Test(
    "a contract that came from stubs is replaced unless it was changed by hand",
    arguments: [
      ("none", "none", "replaced"), ("{ ", "{   ", "replaced"),
      ("\"status\": 200", "\"status\": 201", ""),
      (
        "\"x-import\"", "\"waive\": { \"no-404-case\": \"a\" }, \"x-import\"", "replaced"
      ),
    ])
  func changed(part: String, other: String, fate: String) throws {
    let stage = try ImportStage()
    func plan(_ body: String) throws -> ImportPlan {
      try stage.plan(
        #"{ "request": { "method": "GET", "urlPath": "/a" }, "response": { \#(body) } }"#)
    }
    let root = FileRoot(stage.folder)
    try plan(#""status": 200, "jsonBody": 1"#).write(to: root)
    let imported = try stage.text("wiremock/a.json")
    #expect(try plan(#""status": 200, "jsonBody": 1"#).changes.isEmpty)
    let own = imported.replacing(part, with: other)
    try root.write(Array(own.utf8), to: "\(stage.folder)/wiremock/a.json")
    let again = try plan(#""status": 200, "jsonBody": 2"#)
    #expect(again.drafts.map(\.fate.rawValue) == [fate].filter { !$0.isEmpty })
    #expect(
      again.lines
        == (fate.isEmpty
          ? ["leftOut GET /a: wiremock/a was changed since its import; --force replaces it"] : []))
    try again.write(to: root)
    let text = try stage.text("wiremock/a.json")
    #expect((text == own) == fate.isEmpty)
    #expect(text.contains("\"waive\": { \"no-404-case\": \"a\" }") == own.contains("waive"))
  }

  @Test("secrets of an upstream are left out where it gets another name")
  func secrets() throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"""
      { "baseURL": "https://api.example.com",
        "secrets": { "Authorization": "Bearer {UNDERSTUDY_API_TOKEN}" },
        "scenarios": { "busy": { "scripts": { "thing": ["ok", "ok"] } } } }
      """#,
      "api/thing.json": #"""
      { "request": { "method": "GET", "path": "/things" }, "cases": { "ok": { "status": 200 } } }
      """#,
    ])
    let source = try Self.source(WireMockExport(library))
    let same = try ImportedStubs(source)
    #expect(same.notes.isEmpty)
    let secrets = try #require(same.library.upstreams.first).secrets
    #expect(secrets.map(\.environmentName) == ["UNDERSTUDY_API_TOKEN"])
    let other = try ImportedStubs(source, to: "gh")
    #expect(other.notes.map(\.reason) == ["its secrets have the name of another upstream"])
    let upstream = try #require(other.library.upstreams.first)
    #expect(upstream.name == "gh")
    #expect(upstream.secrets.isEmpty)
    #expect(upstream.scenarios.map(\.name) == ["busy"])
  }

  @Test(
    "look-arounds are exported where WireMock sees the same",
    arguments: [
      ("/a/{x}", "path.x", "^(?!b$)[a-z]+$", #""\\/v1/a/(?:(?!b$)[a-z]+)""#),
      ("/a/{x...}", "path.x", "^(?!b).*$", #""\\/v1/a(/(?:(?!b).*))?""#),
      ("/a/{x...}", "path.x", "^(?!b).+$", #""\\/v1/a(/(?:(?!b).+))""#),
      ("/a/{x}/c", "path.x", "^(?!b$)[a-z]+$", nil),
      ("/a/{x}", "path.x", "^[a-z]+(?<!b)$", nil),
      ("/a", "query.x", "(?<=,a{2})b", #""[\\s\\S]*(?:(?<=,a{2})b)[\\s\\S]*""#),
      ("/a", "query.x", "(?<=,a*)b", nil),
    ])
  func looks(path: String, key: String, pattern: String, expected: String?) throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
      "api/thing.json": #"""
      { "summary": "A thing", "request": { "method": "GET", "path": "\#(path)",
          "parameters": { "\#(key)": { "matches": "\#(pattern)" } } }, "cases": { "ok": { "status": 200 } } }
      """#,
    ])
    let export = WireMockExport(library)
    let stub = export.files.first { $0.path.hasPrefix("mappings/") }
    #expect((stub == nil) == (expected == nil))
    #expect((export.notes == []) == (expected != nil), "\(export.notes)")
    if let stub, let expected {
      let text = String(decoding: stub.bytes, as: UTF8.self)
      #expect(text.contains(expected), "\(text)")
      #expect(try ImportedStubs(Self.source(export)).notes == [])
    }
  }

  @Test("a parameter that is asked for twice has one matcher with both")
  func twice() throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"{ "baseURL": "https://api.example.com" }"#,
      "api/thing.json": #"""
      { "request": { "method": "GET", "path": "/a",
          "parameters": { "header.prefer": { "matches": "x" }, "query.q": { "matches": "a" } } },
        "cases": { "ok": { "status": 200 },
          "other": { "status": 201, "when": { "request": { "query.q": { "matches": "b" } } } },
          "list": { "status": 202, "when": { "request": { "query.q": { "equals": ["a", "b"] } } } }
        } }
      """#,
    ])
    let export = WireMockExport(library)
    #expect(
      export.notes.map { "\($0.subject): \($0.reason)" } == [
        "api/thing#list: WireMock has one matcher for a parameter"
      ])
    let stubs = try Self.source(export).documents.flatMap { document in
      (document.root["mappings"] ?? .null).elements.compactMap { $0["request"] }
    }
    func pattern(_ text: String) -> String { #"{"matches":"[\\s\\S]*(?:\#(text))[\\s\\S]*"}"# }
    func asked(_ key: String, _ name: String) -> [String] {
      stubs.map { String(decoding: $0[key]?[name]?.compact ?? [], as: UTF8.self) }
    }
    let both = #"{"and":[\#(pattern("a")),\#(pattern("b"))]}"#
    #expect(
      asked("queryParameters", "q") == [
        pattern("a"), pattern("a"), pattern("a"), pattern("a"), both,
      ])
    func prefers(_ name: String) -> String {
      #"{"and":[\#(pattern("x")),{"contains":"example=\#(name)"}]}"#
    }
    #expect(
      asked("headers", "prefer") == [
        prefers("ok"), prefers("other"), prefers("list"), pattern("x"), pattern("x"),
      ])
    #expect(try ImportedStubs(Self.source(export)).notes == [])
  }

  @Test("stubs that are all left out change nothing, in a folder that is not there")
  func nothing() throws {
    let text = #"{ "request": { "method": "TRACE", "url": "/a" }, "response": {} }"#
    let document = try ForeignDocument(reading: Array(text.utf8), file: "a.json")
    let plan = try ImportedStubs(ImportSource(documents: [document])).plan
    #expect(plan.changes.isEmpty && plan.drafts.isEmpty)
    #expect(plan.notes.map(\.kind) == [.leftOut])
  }

  @Test("a stub that has changed since is read as it is now")
  func changed() throws {
    var text = try #require(
      WireMockExport(Self.library).files.first { $0.path == "mappings/rest.json" }.map {
        String(decoding: $0.bytes, as: UTF8.self)
      })
    text = text.replacing("503 }", with: "500 }")
    let source = ImportSource(
      documents: [try ForeignDocument(reading: Array(text.utf8), file: "rest.json")])
    let library = try ImportedStubs(source).library
    #expect(library.contracts.flatMap(\.cases).compactMap(\.status) == [500, 500])
    #expect(library.contracts.first?.request.path == "/v1/{rest...}")
  }

  @Test(
    "a stub that claims a name outside of the upstream's folder is read as a stub",
    arguments: [
      (#""contract": "rest""#, #""contract": "../api/rest""#),
      (#""contract": "rest""#, #""contract": "/rest""#),
      (#""contract": "rest""#, #""contract": "upstream""#),
      (#""contract": "rest""#, #""contract": "\#(String(repeating: "n", count: 201))""#),
      (#""number": 0"#, #""number": 0, "files": ["../a.bin"]"#),
      (#""number": 0"#, #""number": 0, "files": ["%2e%2e/a.bin"]"#),
      (#""number": 0"#, #""number": 0, "files": ["/a.bin"]"#),
      (#""number": 0"#, #""number": 0, "files": ["upstream.json"]"#),
    ])
  func elsewhere(was: String, claim: String) throws {
    let export = try #require(
      WireMockExport(Self.library).files.first { $0.path == "mappings/rest.json" })
    let text = String(decoding: export.bytes, as: UTF8.self)
    #expect(text.contains(was))
    let stubs = try ImportedStubs(
      ImportSource(
        documents: [
          try ForeignDocument(reading: Array(text.replacing(was, with: claim).utf8), file: "a.json")
        ], reading: { _, _ throws(Failure) in [] }))
    #expect(
      stubs.plan.changes.map(\.path) == [
        "no-such-folder/wiremock/upstream.json", "no-such-folder/wiremock/v1-rest.json",
      ])
  }

  @Test("stubs that were imported, exported and imported again are the same contracts")
  func stubs() throws {
    let text = #"""
      { "mappings": [
        { "request": { "method": "GET", "url": "/a?b=1" }, "response": { "body": "{{x}} {uuid}" } },
        { "request": { "urlPathPattern": "/a/[0-9]+/.*" }, "response": { "jsonBody": [1.0] } },
        { "request": { "method": "POST", "url": "/a", "bodyPatterns": [{ "matchesJsonPath": "$.a" }] },
          "response": { "fault": "EMPTY_RESPONSE" } },
        { "request": { "method": "GET", "urlPath": "/f" }, "response": { "bodyFileName": "f.bin" } } ] }
      """#
    let first = try ImportedStubs(
      ImportSource(
        documents: [try ForeignDocument(reading: Array(text.utf8), file: "a.json")],
        reading: { _, _ throws(Failure) in [0, 255, 1] }))
    #expect(first.library.findings.filter { $0.severity == .error } == [])
    let export = WireMockExport(first.library)
    let second = try ImportedStubs(Self.source(export))
    #expect(second.library.contracts.count == first.library.contracts.count)
    for contract in first.library.contracts {
      let other = second.library.contracts.first { $0.id == contract.id }
      #expect(other.map { $0.source.isEqual(to: contract.source) } == true, "\(contract.id)")
    }
  }
}
