import Foundation
import Testing
import UnderstudyFindings

@testable import UnderstudyContractModel
@testable import UnderstudyJSON

/// Pages of the manual that describe contracts.
@Suite struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Manual/reference").standardized

  private static func page(_ name: String) -> String {
    (try? String(contentsOf: folder.appending(path: "\(name).md"), encoding: .utf8)) ?? ""
  }

  /// Their JSON examples, in order.
  private static let examples: [String] = [
    "expectations", "matching", "responses", "serving", "lint",
  ].flatMap { name in
    page(name).components(separatedBy: "```json\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }

  @Test("lists every rule with its severity and meaning")
  func rules() {
    let header = "| rule | severity | meaning |\n|---|---|---|\n"
    let rows = FindingType.rules.map {
      "| `\($0.rawValue)` | \($0.lintSeverity.rawValue) | \($0.meaning) |\n"
    }
    let table = header + rows.joined()
    #expect(Self.page("lint").contains(table), "the table in lint.md should be\n\(table)")
  }

  @Test("has a first contract without lint findings")
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

  /// The first example that begins so.
  private static func example(_ start: String) throws -> String {
    try #require(examples.first { $0.hasPrefix(start) }, "no example begins with \(start)")
  }

  @Test("has parts without lint findings, alone and together")
  func parts() throws {
    func contract(_ path: String, _ cases: String...) -> String {
      "{ \"request\": { \"method\": \"GET\", \"path\": \"\(path)\" }, \"cases\": { "
        + cases.joined(separator: ", ") + " } }"
    }
    let parameters = try Self.example("\"parameters\"")
    let timedOut = try Self.example("\"expect\": {\n  \"repos.list\"")
    let printed = try Self.example("\"expect\": {\n  \"weather-cli\"")
    let scripts = try Self.example("\"scripts\"")
    let waived = try Self.example("\"waive\"")
    let scenarios = try Self.example("\"scenarios\"")
    let ok = #""ok": { "status": 200, "body": [1, 2] }"#
    let folder = try ContractFolder([
      "consumers.json": Self.example("{\n  \"$schema\": \"consumers.schema.json\""),
      "github/upstream.json": #"{ "baseURL": "https://api.example.com" }"#,
      "github/repos.json": """
      { "request": { "method": "GET", "path": "/orgs/{org}", \(parameters) },
        "cases": {
          \(ok),
          "cut-short": { "like": "ok", "malform": { "truncateAt": 1 } },
          "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
          \(try Self.example("\"expired\"")),
          "slow": { "like": "ok", "delay": { "fixed": "2s" }, \(timedOut) } },
        \(scripts), \(waived) }
      """,
      "weather/upstream.json": #"{ "baseURL": "https://weather.example.com" }"#,
      "weather/city.json": contract("/city", "\"none\": { \"status\": 404, \(printed) }"),
      "lists/upstream.json": #"{ "baseURL": "https://lists.example.com" }"#,
      "lists/prices.json": contract("/prices", try Self.example("\"prices\"")),
      "lists/list.json": contract("/list", ok, try Self.example("\"page-2\"")),
      "app/upstream.json": "{ \"baseURL\": \"https://app.example.com\", \(scenarios) }",
      "app/list-restaurants.json": contract(
        "/restaurants", ok, #""not-found": { "status": 404 }"#),
      "app/add-favorite.json": contract(
        "/favorites", #""refused": { "status": 409 }, "added": { "status": 201 }"#),
    ])
    let errors = try folder.load().findings.filter { $0.severity == .error }
    #expect(errors.map { folder.shortened($0.description) } == [])
  }

  @Test("has an example of state whose contracts have no errors")
  func things() throws {
    let cases = try JSONDocument(parsing: "{\(try Self.example("\"POST /things\""))}").root
    #expect(cases.count == 4)
    var files = ["api/upstream.json": "{}"]
    for (number, member) in cases.members.enumerated() {
      let request = member.key.split(separator: " ")
      files["api/c\(number).json"] = """
        { "request": { "method": "\(request[0])", "path": "\(request[1])" },
          "cases": { "it": \(String(decoding: member.value.compact, as: UTF8.self)) } }
        """
    }
    let folder = try ContractFolder(files)
    let errors = try folder.load().findings.filter { $0.severity == .error }
    #expect(errors.map { folder.shortened($0.description) } == [])
  }
}
