import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// What imports make of a folder, and of which documents: the files of `Fixtures/Transcripts`.
@Suite struct PlanTranscriptTests {
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near, outcome)
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  private static func compact(_ value: JSONValue) -> String {
    String(decoding: value.compact, as: UTF8.self)
  }

  /// A failure with its place and fix.
  private static func lines(of error: Failure) -> [String] {
    ["fails: \(error.place.map { "\($0): " } ?? "")\(error.message)"]
      + [error.fix.map { "fix: \($0)" }].compactMap(\.self)
  }

  // MARK: - Documents

  /// `a.yaml | a: 1`, with `\n` for a line break.
  @Test("what a document is taken for")
  func readings() throws {
    func near(_ line: String) -> [String] {
      let file = line.prefix { $0 != " " }
      return NearInputs.ofText(String(line.dropFirst(file.count + 3))).map { "\(file) | \($0)" }
    }
    try Self.expect("readings", near: near) { line in
      let file = String(line.prefix { $0 != " " })
      let text = line.dropFirst(file.count + 3).replacing("\\n", with: "\n")
        .replacing("\\M", with: "\u{FEFF}")
      do throws(Failure) {
        let document = try ForeignDocument(reading: Array(text.utf8), file: file)
        let format = ImportFormat(of: document).map(\.rawValue) ?? "no format"
        var lines = ["\(format) \(Self.compact(document.root))"]
        lines += document.repeated.map { "\($0.pointer) \($0.position): \($0.reason)" }
        do throws(Failure) { try document.checkIsForeign() } catch {
          lines += Self.lines(of: error)
        }
        return lines
      } catch {
        return Self.lines(of: error)
      }
    }
  }

  // MARK: - Plans

  /// The documents of a line, which may be exports of contracts.
  private static func source(_ line: JSONValue) throws -> ImportSource {
    var files: [String: [UInt8]] = [:]
    for member in (line["documents"] ?? .null).members { files[member.key] = member.value.compact }
    if let contracts = line["exported"] {
      let library = ContractLibrary(
        readingBytes: Dictionary(
          contracts.members.map {
            ($0.key, $0.value.string.map { Array($0.utf8) } ?? $0.value.compact)
          }
        ) { $1 })
      var documents: [String: [UInt8]] = [:]
      if line["as"]?.string == "openapi" {
        for upstream in library.upstreams {
          documents["\(upstream.name).json"] = OpenAPIExport(upstream).json.bytes
        }
      } else {
        for file in WireMockExport(library).files { documents[file.path] = file.bytes }
      }
      // What somebody changed since.
      let changes = (line["changes"] ?? .null).members
      files.merge(
        documents.mapValues { bytes in
          let text = changes.reduce(String(decoding: bytes, as: UTF8.self)) {
            $0.replacing($1.key, with: $1.value.string ?? "")
          }
          return Array(text.utf8)
        }
      ) { $1 }
    }
    let all = files
    return ImportSource(
      documents: try files.filter { !$0.key.contains("__files/") }.sorted { $0.key < $1.key }.map {
        try ForeignDocument(reading: $0.value, file: $0.key)
      },
      reading: { path, folder throws(Failure) in
        guard let bytes = all[folder.isEmpty ? path : "\(folder)/\(path)"] else {
          throw Failure(message: "no file \(path) in \(folder)")
        }
        return bytes
      })
  }

  /// A line has a folder of its own, with `documents` or what is `exported`, what is `old` in the
  /// folder, and options.
  @Test("plans of imports")
  func plans() throws {
    try Self.expect("plans", near: NearInputs.few(4, NearInputs.ofJSON)) { text in
      let line = try JSONDocument(parsing: Array(text.utf8)).root
      let folder = try TemporaryFolder()
      for member in (line["old"] ?? .null).members {
        try folder.write(member.key, "\(member.value.laidOut())\n")
      }
      var options = ImportOptions(
        folder: folder.path, differs: { $0.differs(from: $1, in: $2) })
      if let upstream = line["upstream"]?.string {
        let parts = upstream.split(separator: "=", maxSplits: 1).map(String.init)
        options.upstream = (parts.first ?? "", parts.count > 1 ? WebURL(base: parts[1]) : nil)
      }
      options.hosts = (line["hosts"] ?? .null).elements.compactMap(\.string)
      options.takesAll = line["all"]?.bool ?? false
      options.replacesContracts = line["force"]?.bool ?? false
      options.isLenient = line["lenient"]?.bool ?? false
      options.paths = (line["paths"] ?? .null).elements.compactMap(\.string).compactMap {
        try? PathTemplate(parsing: $0)
      }
      let format = line["format"]?.string.flatMap(ImportFormat.init(rawValue:))
      do throws(Failure) {
        let source: ImportSource
        do { source = try Self.source(line) } catch let error as Failure { throw error } catch {
          return ["throws \(error)"]
        }
        let plan = try ImportFormat.plan(source, as: format, options)
        return Self.lines(of: plan).map { $0.replacing(folder.path, with: "FOLDER") }
      } catch {
        return Self.lines(of: error).map { $0.replacing(folder.path, with: "FOLDER") }
      }
    }
  }

  /// All that a plan has.
  private static func lines(of plan: ImportPlan) -> [String] {
    var lines = plan.changes.map { change in
      guard case .write(let file) = change else { return "\(change)" }
      let json = (try? JSONDocument(parsing: file.bytes).root).map(compact)
      return "\(file.path): \(json ?? String(decoding: file.bytes, as: UTF8.self))"
    }
    lines += plan.drafts.map { draft in
      let cases = draft.cases.map { "\($0.name) \($0.status.map(String.init) ?? "none")" }
      return "\(draft.fate) \(draft.id): \(draft.method) \(draft.path), "
        + (cases + draft.remarks).joined(separator: ", ")
    }
    return lines
      + plan.notes.map { "\($0.kind) \($0.place) \($0.pointer) \($0.subject): \($0.reason)" }
  }

  // MARK: - Patterns

  private static let requests = [
    Request("GET", "/a?q=1", headers: [HeaderField(name: "X-A", value: "b")]),
    Request("GET", "/a/b"), Request("POST", "/a", body: Array(#"{"a": 1}"#.utf8)),
    Request("DELETE", "/"),
  ]

  @Test("patterns of requests, and how far requests are from them")
  func requestPatterns() throws {
    try Self.expect("request-patterns", near: NearInputs.ofJSON) { line in
      let root = try JSONDocument(parsing: Array(line.utf8)).root
      func lines(_ make: () throws -> StubPattern, _ shown: (StubPattern) -> String) throws
        -> String
      {
        do { return shown(try make()) } catch let error as StubRefusal {
          return "refused \(error.pointer): \(error.reason)"
        }
      }
      return [
        try lines({ try StubPattern(root) }) { pattern in
          Self.requests.map { request in
            "\(request.method) \(request.path) "
              + (pattern.matches(request) ? "matches" : "\(pattern.distance(to: request))")
          }.joined(separator: ", ")
        },
        try lines({ try StubPattern.content(root) }) { pattern in
          [#"{"a": 1}"#, "text", ""].map { text in
            "\(text): \(pattern.matches(content: Array(text.utf8)))"
          }.joined(separator: ", ")
        },
      ]
    }
  }

  // MARK: - Descriptions

  private static let pointers = [
    "", "/0", "/0/x", "/1/x", "/2/y", "/-1", "/self/self/x", "/x", "/other/z", "/other/none",
    "/x/deeper",
  ]

  @Test("where a description says what about a value of a body")
  func places() throws {
    try Self.expect("places", near: NearInputs.ofJSON) { line in
      let document = try ForeignDocument(
        reading: Array(
          ##"""
          {"openapi": "3.1.0", "components": {"schemas": {"S":
          \##(line)}}, "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
          {"$ref": "#/components/schemas/S"}}}}}}}}}
          """##.utf8), file: "a.json")
      do throws(Failure) {
        let api = try DocumentedAPI(document, from: ImportSource(documents: [document]))
        guard let operation = api.operations.first,
          let response = operation.response(for: 200),
          let schema = try response.contents().first?.schema
        else { return ["no schema"] }
        let all = Self.pointers.compactMap(JSONPointer.init(parsing:)).map { pointer in
          "\(pointer) \(schema.place(of: pointer))".replacing("a.json:", with: "")
        }
        return [
          "\(operation.method) \(response.key) \(response.place): \(all.joined(separator: ", "))"
        ]
      } catch {
        return Self.lines(of: error)
      }
    }
  }
}
