import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Documents in which one thing is there very often. An import that compared each with each, or
/// made each again, would take minutes.
@Suite struct LargeImportTests {
  private func contracts(ofStubs stubs: [String]) throws -> [WireMockContract] {
    let text = "{\"mappings\": [\(stubs.joined(separator: ","))]}"
    let document = try ForeignDocument(reading: Array(text.utf8), file: "stubs.json")
    var read = try WireMockImport(ImportSource(documents: [document]))
    return read.contracts()
  }

  @Test("stubs of one path get their names in as many steps")
  func stubs() throws {
    let made = try contracts(
      ofStubs: (0..<3_000).map { number in
        """
        {"request": {"method": "GET", "urlPath": "/x",
          "queryParameters": {"id": {"equalTo": "\(number)"}}}, "response": {"status": 200}}
        """
      })
    let contract = try #require(made.first)
    #expect(made.count == 1)
    #expect(contract.draft.cases.last?.name == "ok-3000")
    #expect(contract.nameStepCount == 3_000)
  }

  @Test("stubs for any method and one path get their names in as many steps")
  func anyMethod() throws {
    let stub = #"{"request": {"method": "ANY", "urlPathPattern": "/x/.*/i"}, "response": {}}"#
    let made = try contracts(ofStubs: Array(repeating: stub, count: 500))
    #expect(made.map(\.draft.cases.count) == Array(repeating: 500, count: 7))
    #expect(made.map(\.nameStepCount) == Array(repeating: 500, count: 7))
  }

  @Test("conditions that many stubs share, and many conditions of one stub")
  func conditions() throws {
    let many = (0..<3_000).map { "\"q\($0)\": {\"equalTo\": \"1\"}" }.joined(separator: ", ")
    let made = try contracts(
      ofStubs: [1, 2].map { number in
        """
        {"request": {"method": "GET", "urlPath": "/x", "queryParameters": {\(many),
          "own": {"equalTo": "\(number)"}}}, "response": {"status": 20\(number)}}
        """
      })
    let draft = try #require(made.first?.draft)
    #expect(draft.head["request"]?.root?["parameters"]?.count == 3_000)
    #expect(draft.cases.count == 2)
  }

  @Test(
    "schemas that double take no more steps than any other",
    arguments: [
      ("object", #""required": ["a", "b"], "properties": {"a": $, "b": $}"#),
      ("array", #""minItems": 2, "items": $"#),
    ])
  func doubling(type: String, rest: String) throws {
    let levels = (0..<25).map { level in
      let next = "{\"$ref\": \"#/components/schemas/L\(level + 1)\"}"
      return "\"L\(level)\": {\"type\": \"\(type)\", \(rest.replacing("$", with: next))}"
    }
    let schemas = (levels + ["\"L25\": {\"type\": \"string\"}"]).joined(separator: ", ")
    let imported = try ImportedDocument(
      OpenAPI.responding(
        "{\"$ref\": \"#/components/schemas/L0\"}",
        more: "\"components\": {\"schemas\": {\(schemas)}}"))
    let note = "no value was found that its schema allows"
    #expect(imported.plan.notes.map(\.reason) == [note])
  }

  @Test("parts of parts, each there many times, are looked at once")
  func parts() throws {
    let levels = (0..<4).map { level in
      let next = "{\"$ref\": \"#/components/schemas/L\(level + 1)\"}"
      let parts = Array(repeating: next, count: 200).joined(separator: ", ")
      return "\"L\(level)\": {\"allOf\": [\(parts)]}"
    }
    let last = #""L4": {"type": "object", "properties": {"id": {"type": "integer"}}}"#
    let imported = try ImportedDocument(
      OpenAPI.responding(
        "{\"$ref\": \"#/components/schemas/L0\"}",
        more: "\"components\": {\"schemas\": {\((levels + [last]).joined(separator: ", "))}}"))
    // Of each part, all parts would be validated.
    let note = "no value was found that its schema allows"
    #expect(imported.plan.notes.map(\.reason) == [note])
  }

  @Test("an example is chosen among the values that two long lists have in common")
  func lists() throws {
    let values = (0..<10_000).map { "\"v\($0)\"" }
    let imported = try ImportedDocument(
      OpenAPI.responding(
        """
        {"allOf": [{"enum": [\(values.joined(separator: ", "))]},
          {"enum": [\(values.reversed().joined(separator: ", "))]}]}
        """))
    #expect(try imported.json("pets-example/thing.json", "/cases/ok/body") == #""v0""#)
  }

  @Test("a response with very many headers, and a request with as many")
  func headers() throws {
    let headers = (0..<1_500).map { ("X-\($0)", "1") }
    let stage = try ImportStage()
    let plan = try stage.plan(
      HAR.log(
        HAR.entry(
          headers: headers, responded: headers + [("Content-Type", "application/json")])))
    #expect(plan.lines == [])
    #expect(plan.drafts.count == 1)
  }
}
