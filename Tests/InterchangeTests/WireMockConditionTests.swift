import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// A stub asks for what its contract asks for, read without the contract that it also has in it.
@Suite struct WireMockConditionTests {
  private static let tests = [
    #""a""#, #""a.b*""#, #""$""#, #"{"oneOf":["a","b.c"]}"#, #"{"oneOf":["$","a|b"]}"#,
    #"{"matches":"a"}"#, #"{"matches":"^a"}"#, #"{"matches":"a$"}"#, #"{"matches":"^a$"}"#,
    #"{"matches":"^a\\$"}"#, #"{"matches":"a\\$"}"#, #"{"matches":"^a\\\\$"}"#,
    #"{"matches":"^\\$$"}"#, #"{"matches":"^a|b$"}"#, #"{"matches":"^(?:a|b)$"}"#,
    #"{"matches":"a|b"}"#, #"{"matches":"^a.*b$"}"#, #"{"matches":"^[^|]$"}"#,
    #"{"matches":"^[a-c]+$"}"#, #"{"matches":"^(?!b$)[a-z]+$"}"#, #"{"matches":"^.$"}"#,
    #"{"matches":"^\\(a|b\\)$"}"#, #"{"matches":"^\\[a|b\\]$"}"#, #"{"matches":"^(a)|(b)$"}"#,
    #"{"matches":"^[(]|a$"}"#, #"{"matches":"^(?:a|[)])$"}"#, #"{"matches":"^\\|$"}"#,
    #"{"matches":"^a\\.b|c$"}"#, #"{"absent":false}"#,
  ]

  /// Those that a segment of a path cannot have.
  private static let others = [
    #""""#, #"{"absent":true}"#, #"{"not":"a"}"#, #"{"not":{"matches":"^a"}}"#,
    #"{"not":{"matches":"^a\\$"}}"#, #"{"not":{"matches":"a|b"}}"#,
  ]

  private static let values = [
    "a", "b", "ab", "ba", "abc", "a$", "$", "a$b", "a\\", "\\", "a.b*", "a.b", "aXb", "b.c", "a|b",
    "|", "ac", "xa", "(a", "b)", "[a", "b]", "(", ")", "c", "xc", "ax", "a.bx", "ax", "é", "a b",
  ]

  private struct Side {
    private let index: RequestIndex
    private let prefix: String

    init(_ library: ContractLibrary) throws {
      #expect(library.findings.filter { $0.severity == .error } == [])
      index = RequestIndex(library.upstreams)
      prefix = "/\(try #require(library.upstreams.first).name)"
    }

    func responses(_ target: String, _ headers: [HeaderField] = []) -> Bool {
      index.explain(Request("GET", prefix + target, headers: headers)).contract != nil
    }
  }

  /// A contract, and what the stubs of its export are; `nil` if it has none.
  private static func sides(_ path: String, _ parameters: String) throws -> (Side, Side)? {
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"{ "baseURL": "https://api.example.com" }"#,
      "api/thing.json": """
      { "request": { "method": "GET", "path": "\(path)", "parameters": { \(parameters) } },
        "cases": { "ok": { "status": 200 } } }
      """,
    ])
    let export = WireMockExport(library)
    let documents = try export.files.filter { $0.path.hasPrefix("mappings/") }.map { file in
      let root = try JSONDocument(parsing: file.bytes).root
      var draft = JSONDraft(of: root)
      for index in 0..<(root["mappings"]?.count ?? 0) {
        try draft.remove(["mappings", "\(index)", "metadata"])
      }
      return try ForeignDocument(reading: draft.bytes, file: file.path)
    }
    if documents.isEmpty {
      #expect(export.notes.count == 1)
      return nil
    }
    let stubs = try ImportedStubs(ImportSource(documents: documents))
    #expect(stubs.notes.filter { $0.kind == .leftOut } == [])
    return (try Side(library), try Side(stubs.library))
  }

  @Test("a condition on a query or a header holds for the same values", arguments: tests + others)
  func values(test: String) throws {
    for key in ["query.q", "header.q"] {
      let (own, other) = try #require(try Self.sides("/a", #""\#(key)": \#(test)"#))
      for value in Self.values {
        let encoded = PercentEncoding.encode(value)
        let target = key == "query.q" ? "/a?q=\(encoded)" : "/a"
        let headers = key == "query.q" ? [] : [HeaderField(name: "q", value: value)]
        #expect(
          own.responses(target, headers) == other.responses(target, headers), "\(key): \(value)")
      }
      #expect(own.responses("/a") == other.responses("/a"), "\(key)")
    }
  }

  @Test("a condition on a segment of a path holds for the same segments", arguments: tests)
  func segments(test: String) throws {
    for path in ["/a/{q}", "/a/{q}/c"] {
      guard let (own, other) = try Self.sides(path, #""path.q": \#(test)"#) else { continue }
      for value in Self.values {
        let target = path.replacing("{q}", with: PercentEncoding.encode(value))
        #expect(own.responses(target) == other.responses(target), "\(target)")
      }
    }
  }
}
