import Testing

@testable import UnderstudyContractModel

/// Cases by their live requests.
@Suite struct LiveCasesTests {
  private static func contract(_ path: String, _ cases: String) -> ContractLibrary {
    ContractLibrary(reading: [
      "api/upstream.json": Sample.upstream,
      "api/thing.json": """
      { "request": { "method": "GET", "path": "\(path)", "parameters": {
          \(path.contains("{id}") ? #""path.id": { "example": "1" },"# : "")
          \(path.contains("rest") ? #""path.rest": { "example": "1" },"# : "")
          "query.q": { "equals": "1", "optional": true },
          "header.X-Kind": { "equals": "1", "optional": true } } },
        "cases": { "ok": { "status": 200, "live": {} }, \(cases) } }
      """,
    ])
  }

  private static func served(
    _ path: String, _ cases: String, _ target: String, _ headers: [String: String] = [:]
  ) -> String {
    let request = Request(
      "GET", "/api/v1\(target)", headers: headers.map { HeaderField(name: $0.key, value: $0.value) }
    )
    let library = contract(path, cases)
    guard let candidate = library.index.explain(request).candidate else { return "unmatched" }
    let live = candidate.liveCaseIndex(for: Self.inner(request))
    let served = candidate.unsteeredCase(for: Self.inner(request))
    return "\(live.map { candidate.contract.cases[$0].name } ?? "-") \(served?.name ?? "-")"
  }

  /// As it is below the base URL.
  private static func inner(_ request: Request) -> RequestParts {
    var inner = request
    inner.path = String(request.path.dropFirst("/api/v1".count))
    return RequestParts(inner)
  }

  private static func live(_ name: String, _ parameters: String, _ more: String = "") -> String {
    #""\#(name)": { "status": 404, "live": { "parameters": { \#(parameters) } }\#(more) }"#
  }

  @Test(
    "a case is served for its live request",
    arguments: [
      ("/a/{id}", live("gone", #""path.id": "0""#), "/a/0", "gone gone"),
      ("/a/{id}", live("gone", #""path.id": "0""#), "/a/%30", "gone gone"),
      ("/a/{id}", live("gone", #""path.id": "0""#), "/a/1", "ok ok"),
      ("/a/{id}", live("gone", #""path.id": "0""#), "/a/2", "- ok"),
      ("/a/{rest...}", live("gone", #""path.rest": "b/c""#), "/a/b/c", "gone gone"),
      ("/a/{rest...}", live("gone", #""path.rest": "b/c""#), "/a/b", "- ok"),
      ("/a", live("gone", #""query.q": "1""#), "/a?q=1", "gone gone"),
      ("/a", live("gone", #""query.q": "1""#), "/a", "ok ok"),
      (
        "/a/{id}",
        live("gone", #""path.id": "0""#, #", "when": { "request": { "query.q": "1" } }"#),
        "/a/0", "- ok"
      ),
      ("/a", #""other": { "status": 404 }"#, "/a", "- ok"),
    ])
  func served(path: String, cases: String, target: String, found: String) {
    #expect(Self.served(path, cases, target) == found)
  }

  @Test("of two for one path, the one with more conditions is served, then the first")
  func conditions() {
    let cases =
      [
        Self.live("one", #""query.q": "1""#),
        Self.live("both", #""query.q": "1", "header.X-Kind": "1""#),
        Self.live("kind", #""header.x-kind": "1""#),
      ].joined(separator: ", ")
    #expect(Self.served("/a", cases, "/a?q=1") == "one one")
    #expect(Self.served("/a", cases, "/a?q=1", ["x-kind": "1"]) == "both both")
    #expect(Self.served("/a", cases, "/a", ["X-KIND": "1"]) == "kind kind")
    #expect(Self.served("/a", cases, "/a?q=2", ["X-Kind": "1"]) == "unmatched")
    #expect(Self.served("/a", cases, "/a") == "ok ok")
  }
}
