import Testing

@testable import UnderstudyContractModel

/// Requests that the contracts of two libraries may respond to.
@Suite struct ExplanationTests {
  private static func library(_ paths: [String: String]) -> ContractLibrary {
    var files = ["api/upstream.json": "{}"]
    for (name, request) in paths {
      let words = request.split(separator: " ").map(String.init)
      let parameters = words.dropFirst(2).map { #""query.\#($0)": {}"# }.joined(separator: ", ")
      files["api/\(name).json"] = Sample.contract(
        request: """
          { "method": "\(words[0])", "path": "\(words[1])", "parameters": { \(parameters) } }
          """)
    }
    return ContractLibrary(reading: files)
  }

  /// What each responds, and both.
  private static func found(
    _ one: [String: String], _ two: [String: String], _ target: String, isBefore: Bool = false
  ) -> String {
    let words = target.split(separator: " ").map(String.init)
    let request = Request(words[0], "/api\(words[1])")
    let (own, other) = (library(one).index.explain(request), library(two).index.explain(request))
    let both = own.joined(with: other, isBefore: isBefore)
    return both.contract?.name ?? both.nearMisses.map(\.contract.name).joined(separator: " ")
  }

  @Test(
    "of two that match, the one responds that would in one library, whichever library has it",
    arguments: [
      ("GET /a", "GET /{x}", "GET /a"), ("GET /a/{x}", "GET /{x}/a", "GET /a/a"),
      ("GET /a/{x}", "GET /a/{x...}", "GET /a/b"), ("GET /{x}", "GET /{x...}", "GET /a"),
      ("GET /a/{x...}", "GET /{x...}", "GET /a/b"),
      ("GET /a/b/{x...}", "GET /a/{x...}", "GET /a/b/c"),
      ("GET /a q", "GET /a", "GET /a?q=1"), ("GET /a q r", "GET /a q", "GET /a?q=1&r=1"),
      ("GET /{x} q", "GET /{y}", "GET /a?q=1"), ("GET /a", "GET /{x} q", "GET /a?q=1"),
      ("HEAD /{x}", "GET /a", "HEAD /a"), ("HEAD /a", "GET /a q", "HEAD /a?q=1"),
      ("GET /a", "GET /b", "GET /a"),
    ])
  func precedence(first: String, second: String, target: String) {
    #expect(Self.found(["b": first], ["a": second], target) == "b")
    #expect(Self.found(["a": second], ["b": first], target) == "b")
    #expect(Self.found(["b": first, "a": second], [:], target) == "b")
  }

  @Test("of two equal ones, the one with the first name responds")
  func names() {
    for request in ["GET /a", "GET /{x}", "GET /a/{x...}", "GET /{x} q"] {
      #expect(Self.found(["a": request], ["b": request], "GET /a?q=1") == "a")
      #expect(Self.found(["b": request], ["a": request], "GET /a?q=1") == "a")
    }
  }

  @Test("what is asked before responds, if it can")
  func before() {
    let (near, far) = (["b": "GET /{x}"], ["a": "GET /a"])
    #expect(Self.found(near, far, "GET /a", isBefore: true) == "b")
    #expect(Self.found(far, near, "GET /a", isBefore: true) == "a")
    #expect(Self.found(["b": "GET /b"], far, "GET /a", isBefore: true) == "a")
    #expect(Self.found(far, ["b": "GET /b"], "GET /a", isBefore: true) == "a")
  }

  @Test("the nearest of both are named, those asked before first where they are as near")
  func nearest() {
    let (one, two) = (["b": "GET /b", "d": "POST /a/d q"], ["a": "GET /a/x", "c": "GET /c"])
    #expect(Self.found(one, two, "GET /x") == "b c a")
    #expect(Self.found(two, one, "GET /x") == "b c a")
    #expect(Self.found(two, one, "GET /x", isBefore: true) == "c b a")
    #expect(Self.found(one, two, "GET /x", isBefore: true) == "b c a")
    #expect(Self.found(one, [:], "GET /x") == "b d")
    #expect(Self.found(one, two, "GET /c") == "c")
  }

  @Test("the upstream, and the start that a path misses, are those of either")
  func upstreams() {
    let known = Self.library(["a": "GET /a"])
    let based = ContractLibrary(reading: [
      "api/upstream.json": #"{ "baseURL": "https://api.example/v1" }"#,
      "api/b.json": Sample.contract(request: #"{ "method": "GET", "path": "/b" }"#),
    ])
    func complaints(_ target: String) -> [String] {
      let all = [known, based].map { $0.index.explain(Request("GET", target)) }
      return [
        all[0].joined(with: all[1], isBefore: true), all[1].joined(with: all[0], isBefore: false),
      ].map(\.complaint)
    }
    let unmatched = "no contract for GET /api/x"
    #expect(complaints("/api/x") == [unmatched, unmatched])
    let start = #"no upstream in "/none/x", expected a path that starts with its name"#
    #expect(complaints("/none/x") == [start, start])
    let one = based.index.explain(Request("GET", "/api/x"))
    let none = ContractLibrary(reading: [:]).index.explain(Request("GET", "/api/x"))
    let missed = #"no upstream in "/api/x", expected a path that starts with "/api/v1""#
    #expect(one.joined(with: none, isBefore: true).complaint == missed)
    #expect(none.joined(with: one, isBefore: true).complaint == missed)
  }

  @Test(
    "a client whose port stands for an upstream has not written its name",
    arguments: [
      ("/api/x", "api", "/x"), ("/api/x", "ap", "/api/x"), ("/api", "api", "/api"),
      ("/api/", "api", "/"), ("/apix/y", "api", "/apix/y"), ("/api/x", nil, "/api/x"),
      ("/api/api/x", "api", "/api/x"),
    ] as [(String, String?, String)])
  func withoutName(path: String, name: String?, shown: String) {
    let explanation = Self.library(["a": "GET /a"]).index.explain(Request("GET", path))
    #expect(explanation.withoutName(name).request.path == shown)
  }

  @Test(
    "a browser's question is said to be one",
    arguments: [
      ("OPTIONS", ["Origin", "Access-Control-Request-Method"], true),
      ("OPTIONS", ["Origin"], false),
      ("OPTIONS", ["Access-Control-Request-Method"], false),
      ("GET", ["Origin", "Access-Control-Request-Method"], false),
    ])
  func preflight(method: String, headers: [String], isPreflight: Bool) {
    let request = Request(
      method, "/api/x", headers: headers.map { HeaderField(name: $0, value: "PUT") })
    #expect(
      Self.library(["a": "GET /a"]).index.explain(request).complaint
        == "no contract for \(method) /api/x"
        + (isPreflight
          ? ", by which a browser asks whether a page may send PUT: allow it with --cors" : ""))
  }
}
