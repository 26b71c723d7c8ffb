import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// What becomes of each part of a format, in whole: the files of `Fixtures/Transcripts`.
@Suite struct TranscriptTests {
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near, outcome)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  // MARK: - WireMock

  /// The contracts that stubs become, without what all have, and what is noted.
  private static func stubs(_ text: String) throws -> [String] {
    let plan = try ImportFormat.plan(
      ImportSource(
        documents: [try ForeignDocument(reading: Array(text.utf8), file: "a.json")],
        reading: { name, _ throws(Failure) in
          guard name.hasPrefix("f") else { throw Failure(message: "no file \(name)") }
          return Array("{\"name\": \"\(name)\"}".utf8)
        }),
      as: .wiremock, ImportOptions(folder: "none", differs: { _, _, _ in false }))
    return try lines(of: plan) { _, root in
      try without("x-import", without("summary", root))
    }
  }

  /// The files of a plan but for `upstream.json`, and its notes.
  private static func lines(
    of plan: ImportPlan, showing shown: (String, JSONValue) throws -> JSONValue = { $1 }
  ) throws -> [String] {
    var lines: [String] = []
    for case .write(let file) in plan.changes {
      let path = String(file.path.dropFirst("none/".count))
      guard path.hasSuffix(".json") else {
        lines.append("\(path): \(String(decoding: file.bytes, as: UTF8.self))")
        continue
      }
      let root = try JSONDocument(parsing: file.bytes).root
      let waived = (root["waive"] ?? .null).members.map(\.key).joined(separator: ", ")
      lines.append(
        "\(path): \(compact(try without("waive", shown(path, root))))"
          + (waived.isEmpty ? "" : " without \(waived)"))
    }
    for draft in plan.drafts where !draft.remarks.isEmpty {
      lines.append("\(draft.id): \(draft.remarks.joined(separator: "; "))")
    }
    lines += plan.notes.map { note in
      "\(note.kind) \(note.place.position.map(String.init(describing:)) ?? "") \(note.pointer)"
        + " \(note.subject): \(note.reason)"
    }
    return lines
  }

  private static func compact(_ value: JSONValue) -> String {
    String(decoding: value.compact, as: UTF8.self)
  }

  /// The request of a stub's contract, and the notes without what all have.
  private static func request(_ members: String) throws -> [String] {
    let text = #"{"request": {\#(members)}, "response": {}}"#
    let document = try ForeignDocument(reading: Array(text.utf8), file: "a.json")
    let stubs = try ImportedStubs(ImportSource(documents: [document]))
    let requests = stubs.library.contracts.map { contract in
      let when = contract.cases.first?.source["when"]
      return compact(contract.source["request"] ?? .null) + (when.map { " \(compact($0))" } ?? "")
    }
    return requests + stubs.notes.map { "\($0.kind) \($0.pointer): \($0.reason)" }
  }

  /// Other URLs behind the same key.
  private static func nearURLs(_ line: String) -> [String] {
    let key = line.prefix { $0 != " " }
    return NearInputs.ofText(String(line.dropFirst(key.count + 1))).map { "\(key) \($0)" }
  }

  @Test("URLs of stubs")
  func urls() throws {
    try Self.expect("urls", near: Self.nearURLs) { line in
      let key = line.prefix { $0 != " " }
      return try Self.request(
        #""method": "GET", "\#(key)": \#(String(line.dropFirst(key.count + 1)).quoted)"#)
    }
  }

  @Test("patterns of Java")
  func patterns() throws {
    try Self.expect("patterns", near: NearInputs.ofText) { line in
      try Self.request(
        #""method": "GET", "urlPath": "/", "queryParameters": {"q": {"matches": \#(line.quoted)}}"#)
    }
  }

  @Test("matchers of values")
  func matchers() throws {
    try Self.expect("matchers", near: NearInputs.ofJSON) { line in
      try ["queryParameters", "headers", "cookies"].flatMap { key in
        try Self.request(#""method": "GET", "urlPath": "/", "\#(key)": {"X-Q": \#(line)}"#)
      }
    }
  }

  @Test("matchers of bodies")
  func bodies() throws {
    try Self.expect("bodies", near: NearInputs.ofJSON) { line in
      try Self.request(#""method": "POST", "urlPath": "/", "bodyPatterns": [\#(line)]"#)
    }
  }

  @Test("JSONPaths")
  func jsonPaths() throws {
    try Self.expect("json-paths", near: NearInputs.ofText) { line in
      try [line.quoted, #"{"expression": \#(line.quoted), "equalTo": "v"}"#].flatMap { path in
        try Self.request(
          #""method": "POST", "urlPath": "/", "bodyPatterns": [{"matchesJsonPath": \#(path)}]"#
        ).map { $0.count < 1_000 ? $0 : "\($0.prefix(80))… of \($0.count)" }
      }
    }
  }

  @Test("expressions of Handlebars")
  func templates() throws {
    try Self.expect("templates", near: NearInputs.ofText) { line in
      let text = #"""
        {"request": {"method": "POST", "urlPathTemplate": "/a/{id}/{x}/**", "queryParameters":
        {"q": {"equalTo": "1"}, "r": {"absent": false}}}, "response": {"body": \#(line.quoted),
        "transformers": ["response-template"], "transformerParameters":
        {"text": "t {x}", "number": 7}}}
        """#
      let document = try ForeignDocument(reading: Array(text.utf8), file: "a.json")
      let stubs = try ImportedStubs(ImportSource(documents: [document]))
      let served = stubs.library.contracts.first?.cases.first?.source
      return [served?["text"].map(Self.compact)].compactMap(\.self)
        + stubs.notes.map { "\($0.kind) \($0.pointer): \($0.reason)" }
    }
  }

  @Test("whole stubs")
  func stubs() throws {
    try Self.expect("stubs", near: NearInputs.few(4, NearInputs.ofJSON), Self.stubs)
  }

  // MARK: - HAR

  @Test("entries of a HAR")
  func entries() throws {
    try Self.expect("har", near: NearInputs.few(6, NearInputs.ofJSON)) { line in
      let text = #"{"log": {"version": "1.2", "entries": \#(line)}}"#
      return try Self.lines(of: Self.plan(text, named: "a.har"))
    }
  }

  // MARK: - OpenAPI

  private static let token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"

  private static func plan(_ text: String, named file: String) throws -> ImportPlan {
    try ImportFormat.plan(
      source(text, named: file), as: nil,
      ImportOptions(folder: "none", differs: { $0.differs(from: $1, in: $2) }))
  }

  private static func source(_ text: String, named file: String) throws -> ImportSource {
    ImportSource(
      documents: [
        try ForeignDocument(
          reading: Array(text.replacing("$TOKEN", with: token).utf8), file: file)
      ],
      reading: { path, _ throws(Failure) in
        guard path.hasSuffix("fine.json") else {
          throw Failure(message: path.hasSuffix("bad.json") ? "it is bad" : "no file")
        }
        return Array(
          ##"{"x": {"get": {"responses": {"200": {}}}}, "s t": {"~/": {"type": "integer"}}}"##.utf8)
      })
  }

  /// A document of these members, and of others that it has where they are not among them.
  private static func document(_ members: String) throws -> String {
    let own = try JSONDocument(parsing: Array(members.utf8)).root
    let others = [
      #""openapi": "3.1.0""#, #""info": {"title": "Pets"}"#,
      #""servers": [{"url": "https://api.pets.example/v1"}]"#,
    ].filter { own[String($0.dropFirst().prefix { $0 != "\"" })] == nil }
    let isAlone = own["swagger"] != nil
    return "{"
      + ((isAlone ? [] : others) + [String(members.dropFirst().dropLast())])
      .joined(separator: ",\n") + "}"
  }

  @Test("documents")
  func documents() throws {
    try Self.expect("documents", near: NearInputs.few(8, NearInputs.ofJSON)) { line in
      let text = try Self.document(line)
      return try Self.lines(of: Self.plan(text, named: "api.json"))
    }
  }

  @Test("operations")
  func operations() throws {
    try Self.expect("operations", near: NearInputs.few(3, NearInputs.ofJSON)) { line in
      let text = try Self.document(
        ##"{"paths": {"/a": \##(line)}, "components": \##(Self.components)}"##)
      return try Self.lines(of: Self.plan(text, named: "api.json")) + Self.documented(text)
    }
  }

  private static let components = ##"""
    {"schemas": {"Id": {"type": "integer", "minimum": 1},
      "Hidden": {"type": "string", "readOnly": true},
      "Part": {"properties": {"c": {"writeOnly": true}}},
      "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}},
      "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
      "Dog": {"type": "object", "required": ["kind", "barks"],
        "properties": {"kind": {"type": "string"}, "barks": {"type": "boolean"}}}},
     "responses": {"E": {"description": "e", "content": {"application/json": {"example": 1}}},
      "H": {"description": "h", "headers": {"X": {"example": "1"}}}},
     "examples": {"Ex": {"summary": "Ex", "value": {"e": 1}}},
     "headers": {"H": {"example": "h", "required": true}},
     "parameters": {"P": {"name": "p", "in": "query", "required": true, "example": "x"}},
     "requestBodies": {"B": {"required": true, "content": {"application/json": {"example": 1}}}},
     "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"},
      "bearer": {"type": "http", "scheme": "bearer"}, "basic": {"type": "http", "scheme": "basic"},
      "query": {"type": "apiKey", "in": "query", "name": "k"}, "oauth": {"type": "oauth2"},
      "cookie": {"type": "apiKey", "in": "cookie", "name": "c"}, "tls": {"type": "mutualTLS"},
      "openid": {"type": "openIdConnect"}}}
    """##

  /// What a comparison reads of the operations.
  private static func documented(_ text: String) throws -> [String] {
    let source = try source(text, named: "api.json")
    let api: DocumentedAPI
    do {
      api = try DocumentedAPI(source.documents[0], from: source)
    } catch {
      return ["compared: \(error)"]
    }
    return try api.operations.flatMap { operation in
      var lines = [
        "compared: \(operation.place) \(operation.subject) \(operation.template?.text ?? "no path")"
          + (operation.isDeprecated ? " deprecated" : "")
      ]
      lines += try operation.parameters().map { parameter in
        "parameter \(parameter.place) \(parameter.location) \(parameter.name)"
          + (parameter.isRequired ? " required" : "")
          + (parameter.isDeprecated ? " deprecated" : "")
          + (parameter.example.map { " example \($0)" } ?? "")
          + (parameter.schema.map { " \(compact($0.root))" } ?? "")
      }
      for alternative in try operation.security() {
        let words = alternative.map { "\($0.location) \($0.name) \($0.place)" }
        lines.append("security " + words.joined(separator: " and "))
      }
      if let body = try operation.requestBody() {
        lines.append("body \(body.place)\(body.isRequired ? " required" : "")")
        lines += body.rules.map { "  \($0) \($1.map { compact($0.root) } ?? "anything")" }
      }
      for (key, place) in operation.statuses {
        lines.append("response \(key) \(place)")
        guard let response = operation.response(for: Int(key) ?? 299) else { continue }
        for header in try response.headers() ?? [] {
          lines.append("  header \(header.name)\(header.isRequired ? " required" : "")")
        }
        for content in try response.contents() {
          lines.append(
            "  \(content.writtenType) \(content.mediaType) \(content.place) \(content.text)"
              + content.examples.map { " \(String(decoding: $0.bytes, as: UTF8.self))" }.joined()
              + (content.schema.map { " schema \(compact($0.rule.root))" } ?? ""))
        }
      }
      return lines
    }
  }

  @Test("schemas")
  func schemas() throws {
    try Self.expect("schemas", near: NearInputs.few(6, NearInputs.ofJSON)) { line in
      try ["3.1.0", "3.0.3"].flatMap { version in
        let imported = try ImportedDocument(
          Self.document(
            ##"""
            {"openapi": "\##(version)", "components": \##(Self.components), "paths": {"/a": {"post":
            {"requestBody": {"content": {"application/json": {"schema": \##(line)}}},
            "responses": {"200": {"content": {"application/json": {"schema": \##(line)}}}}}}}}
            """##))
        func json(_ pointer: String) throws -> String {
          try imported.json("pets-example/post-a.json", pointer) ?? "none"
        }
        return try [
          "\(version) \(json("/cases/ok/schema")) \(json("/cases/ok/body"))",
          "sends \(json("/request/body/example")), not \(json("/cases/invalid-body/when/request/body"))",
        ] + imported.complaints
          + imported.plan.notes.map { "\($0.kind) \($0.pointer): \($0.reason)" }
      }
    }
  }

  // MARK: - Exports

  @Test("exports")
  func exports() throws {
    try Self.expect("exports", near: NearInputs.few(4, NearInputs.ofJSON)) { line in
      let root = try JSONDocument(parsing: Array(line.utf8)).root
      var files = [
        "api/upstream.json": Array(#"{"baseURL": "https://api.example.com/v1"}"#.utf8),
        "api/files/x.txt": Array("text".utf8), "api/files/x.json": Array("{}".utf8),
      ]
      for (number, contract) in (root.kind == .array ? Array(root.elements) : [root]).enumerated() {
        files["api/c\(number + 1).json"] = contract.compact
      }
      let library = ContractLibrary(readingBytes: files)
      var lines = library.findings.filter { $0.severity == .error }.map { "wrong: \($0.message)" }
      guard let upstream = library.upstreams.first, lines.isEmpty else { return lines }
      let stubs = WireMockExport(library)
      for file in stubs.files where file.path.hasPrefix("mappings/") {
        let mappings = try JSONDocument(parsing: file.bytes).root["mappings"] ?? .null
        for stub in mappings.elements {
          lines.append("stub \(Self.compact(try Self.without("metadata", stub)))")
        }
      }
      lines += stubs.files.map(\.path).filter { !$0.hasPrefix("mappings/") }
      lines += stubs.notes.map {
        "\($0.kind) \($0.place) \($0.pointer) \($0.subject): \($0.reason)"
      }
      let operations = OpenAPIExport(upstream)
      let document = try #require(operations.json.root)
      for (path, item) in (document["paths"] ?? .null).members.map({ ($0.key, $0.value) }) {
        for member in item.members {
          let text = Self.compact(try Self.without("x-understudy", member.value))
          lines.append("\(member.key) \(path) \(text)")
        }
      }
      if let components = document["components"] {
        lines.append("components \(Self.compact(components))")
      }
      return lines
    }
  }

  private static func without(_ key: String, _ value: JSONValue) throws -> JSONValue {
    guard value[key] != nil else { return value }
    var draft = JSONDraft(of: value)
    try draft.remove([key])
    return try JSONDocument(parsing: draft.bytes).root
  }
}
