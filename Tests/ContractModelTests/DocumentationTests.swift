import Foundation
import Testing

@testable import ContractModel
@testable import JSON

@Suite struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Contracts").standardized

  private static let page =
    (try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)) ?? ""

  /// The JSON examples of the page, each with its heading.
  private static let examples: [String] = page.components(separatedBy: "```json\n").dropFirst()
    .map { $0.components(separatedBy: "\n```")[0] }

  @Test("lists every rule with its severity and meaning")
  func rules() {
    let header = "| rule | severity | meaning |\n|---|---|---|\n"
    let rows = LintRule.allCases.map {
      "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.meaning) |\n"
    }
    let table = header + rows.joined()
    #expect(Self.page.contains(table), "the table in Contracts/README.md should be\n\(table)")
  }

  @Test("has a first contract that lint has nothing against")
  func firstContract() throws {
    let folder = try ContractFolder([
      "joke/random-joke.json": try #require(Self.examples.first),
      "joke/upstream.json": #"{ "baseURL": "https://example.com" }"#,
      "consumers.json": #"""
      {
        "jokes.random": {
          "upstreams": ["joke"], "errors": { "connectivity": null, "invalidData": null }
        }
      }
      """#,
    ])
    #expect(folder.diagnosticText(of: try folder.load()) == "")
  }

  @Test("has only examples that are JSON", arguments: examples)
  func isJSON(_ text: String) throws {
    let isWhole = text.hasPrefix("{") || text.hasPrefix("[\n")
    #expect(throws: Never.self) { try JSONDocument(parsing: isWhole ? text : "{\(text)}") }
  }
}
