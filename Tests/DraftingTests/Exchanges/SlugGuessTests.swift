import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyDrafting

/// Parameters that do not look like identifiers.
@Suite struct SlugGuessTests {
  private static func guess(_ responses: [(String, Int, String)]) -> SlugGuess {
    let exchanges = responses.map { line, status, body in
      let words = line.split(separator: " ").map(String.init)
      return RecordedExchange(
        method: words[0], path: words[1],
        responses: [
          LiveResponse(status: status, headers: [], body: Array(body.utf8), latency: .zero)
        ])
    }
    let paths = PathGuess(templates: [])
    return SlugGuess(exchanges, exchanges.map { paths.template(for: $0.segments) })
  }

  private static func paths(_ responses: [(String, Int, String)]) -> [String] {
    guess(responses).templates.map(\.segments.pathText)
  }

  @Test("siblings whose responses have one shape are one path, and all that lies below them")
  func products() {
    let responses = [
      ("GET /products", 200, #"[{"sku": "TEA-1", "price": 1}]"#),
      ("GET /products/TEA-1", 200, #"{"sku": "TEA-1", "price": 1, "sale": true}"#),
      ("GET /products/MUG-1", 200, #"{"sku": "MUG-1", "price": null}"#),
      ("GET /products/NOPE", 404, #"{"error": "none"}"#),
      ("GET /products/search", 200, #"{"results": [], "total": 0}"#),
      ("DELETE /products/TEA-1", 204, ""),
      ("GET /products/TEA-1/reviews/7", 200, #"{"stars": 5, "text": "good"}"#),
    ]
    #expect(
      Self.paths(responses) == [
        "/products", "/products/{id}", "/products/{id}", "/products/{id}", "/products/search",
        "/products/{id}", "/products/{product}/reviews/{review}",
      ])
    #expect(Self.guess(responses).offers.map(\.path) == [])
  }

  @Test(
    "siblings are one where their values are in their responses, or have digits",
    arguments: [
      (["/orgs/apple", "/orgs/swift"], #"{"login": "$", "id": 1}"#, "/orgs/{id}"),
      (
        ["/orgs/apple/repos", "/orgs/swift/repos"], #"[{"owner": {"login": "$"}, "id": 1}]"#,
        "/orgs/{id}/repos"
      ),
      (["/reports/q1", "/reports/q2"], #"{"total": 1, "sum": 2}"#, "/reports/{id}"),
      (["/apple", "/swift"], #"{"data": {"login": "$", "id": 1}}"#, "/{id}"),
      // Nothing says so.
      (["/api/cats", "/api/dogs"], #"{"total": 1, "items": 2}"#, nil),
      (["/a1", "/b2"], #"{"total": 1, "items": 2}"#, nil),
      (["/v1/items", "/v2/items"], #"{"total": 1, "items": 2}"#, nil),
      (["/s/TEA-1", "/s/MUG-1"], #"{"ok": true}"#, nil),
      (["/s/TEA-1", "/s/MUG-1"], "[]", nil),
      (["/s/TEA-1", "/s/MUG-1"], "tea", nil),
    ] as [([String], String, String?)])
  func captures(paths: [String], body: String, expected: String?) {
    let found = Self.paths(
      paths.map { path in
        let value = path.split(separator: "/").first { $0 == "apple" || $0 == "swift" }
        return ("GET \(path)", 200, body.replacing("$", with: value ?? ""))
      })
    #expect(found == (expected.map { [$0, $0] } ?? paths))
  }

  @Test(
    "siblings are one where at least two, and half of all, have digits",
    arguments: [
      (["a1", "b2"], true), (["a1", "b"], false), (["a1", "b2", "c"], true),
      (["a1", "b2", "c", "d"], true), (["a1", "b2", "c", "d", "e"], false),
      (["a1", "b2", "c3", "d", "e"], true), (["a", "b", "c"], false),
    ])
  func halves(values: [String], areSlugs: Bool) {
    let found = Self.guess(values.map { ("GET /s/\($0)", 200, #"{"a": 1, "b": 2, "c": 3}"#) })
    #expect(found.changed == (areSlugs ? Set(values.indices) : []))
    #expect(found.offers.map(\.values) == (areSlugs ? [] : [values]))
  }

  @Test("siblings of another shape, or by another method alone, are not one")
  func others() {
    let responses = [
      ("GET /a/x1", 200, #"{"a": 1, "b": 2}"#), ("GET /a/x2", 200, #"{"c": 1, "d": 2}"#),
      ("POST /rpc/make1", 200, #"{"a": 1, "b": 2}"#),
      ("POST /rpc/drop1", 200, #"{"a": 1, "b": 2}"#),
    ]
    #expect(Self.paths(responses) == ["/a/x1", "/a/x2", "/rpc/make1", "/rpc/drop1"])
  }

  @Test("where only the shape says so, the path is offered")
  func offer() throws {
    let guess = Self.guess([
      ("GET /api/cats/list", 200, #"[{"name": "a", "age": 1, "tail": 2}]"#),
      ("GET /api/dogs/list", 200, #"[{"name": "b", "age": 1, "tail": 2}]"#),
    ])
    #expect(guess.changed == [])
    let offer = try #require(guess.offers.first)
    #expect(offer.path == "/api/{id}/list")
    #expect(offer.values == ["cats", "dogs"])
    #expect(offer.first == 0)
  }

  @Test("a given path stays")
  func given() throws {
    let exchanges = ["TEA-1", "MUG-1"].map { name in
      RecordedExchange(
        method: "GET", path: "/products/\(name)",
        responses: [
          LiveResponse(
            status: 200, headers: [], body: Array("{\"sku\": \"\(name)\", \"price\": 1}".utf8),
            latency: .zero)
        ])
    }
    let paths = PathGuess(templates: [try PathTemplate(parsing: "/products/TEA-1")])
    let guess = SlugGuess(exchanges, exchanges.map { paths.template(for: $0.segments) })
    #expect(guess.templates.map(\.segments.pathText) == ["/products/TEA-1", "/products/MUG-1"])
  }

  @Test("a path of 32 segments may have slugs, a longer one is left as it is")
  func longPaths() {
    for (count, isGuess) in [(31, true), (32, true), (33, false)] {
      let start = String(repeating: "/s", count: count - 1)
      let found = Self.paths(
        ["apple", "swift"].map { ("GET \(start)/\($0)", 200, #"{"login": "\#($0)", "id": 1}"#) })
      #expect(
        found
          == (isGuess ? ["{id}", "{id}"] : ["apple", "swift"]).map { "\(start)/\($0)" },
        "\(count)")
    }
  }
}
