import Foundation
import Testing

@testable import ContractModel

/// Contracts larger than anybody writes: they must not take the square of their size, nor more
/// stack than there is. Ten times these sizes would hang a quadratic reader for minutes.
@Suite struct HostileTests {
  private func load(_ files: [String: String]) throws -> ContractLibrary {
    try ContractFolder(Sample.files.merging(files) { $1 }).load()
  }

  @Test("follows a chain of ten thousand likes, whatever its direction", arguments: [true, false])
  func chain(isBackwards: Bool) throws {
    let cases = (0..<10_000).map { number in
      let target = isBackwards ? number - 1 : number + 1
      return (0..<10_000).contains(target)
        ? "\"c\(number)\": { \"like\": \"c\(target)\", \"expect\": { \"things.get\": { \"like\": \"c\(target)\" } } }"
        : "\"c\(number)\": { \"status\": 201, \"expect\": { \"things.get\": { \"value\": 7 } } }"
    }
    let library = try load([
      "api/thing.json": Sample.contract(cases: cases.joined(separator: ",\n"))
    ])
    #expect(library.diagnostics.filter { $0.severity == .error }.isEmpty)
    let contract = try #require(library.contracts.first)
    #expect(contract.cases.count == 10_001)
    #expect(contract.cases.dropFirst().allSatisfy { $0.status == 201 })
    #expect(contract.cases.dropFirst().allSatisfy { $0.expectations.count == 1 })
  }

  @Test("says once of a circle of ten thousand that it is one")
  func circle() throws {
    let cases = (0..<10_000).map { "\"c\($0)\": { \"like\": \"c\(($0 + 1) % 10_000)\" }" }
    let library = try load([
      "api/thing.json": Sample.contract(cases: cases.joined(separator: ",\n"))
    ])
    #expect(library.diagnostics.filter { $0.rule == "circular-like" }.count == 1)
  }

  @Test("names five thousand cases that are like nothing")
  func dangling() throws {
    let cases = (0..<5_000).map { "\"c\($0)\": { \"like\": \"nothing-\($0)\" }" }
    let library = try load([
      "api/thing.json": Sample.contract(cases: cases.joined(separator: ",\n"))
    ])
    #expect(library.diagnostics.filter { $0.rule == "unknown-case" }.count == 5_000)
  }

  @Test("takes what stands in braces for what it is, however often it says that it is JSON")
  func template() {
    let text = "{uuid" + String(repeating: " as json", count: 100_000) + "}"
    #expect(Template(text).pieces == [.text(text)])
    #expect(Template("{uuid as json}").pieces == [.expression(.json(.uuid))])
  }

  @Test("reads a path of thirty thousand parameters")
  func longPath() throws {
    let path = (0..<30_000).map { "/{p\($0)}" }.joined()
    #expect(try PathTemplate(parsing: path).segments.count == 30_000)
    #expect(throws: PathError.self) { try PathTemplate(parsing: path + "/{p0}") }
  }

  @Test("names five hundred consumers that are none of ten thousand")
  func strangers() throws {
    let strangers = (0..<500).map { "\"strange.\($0)\": { \"value\": 1 }" }
    let consumers = (0..<10_000).map {
      "\"known.\($0)\": { \"upstreams\": [\"api\"], \"errors\": {} }"
    }
    let library = try load([
      "consumers.json": "{ \(consumers.joined(separator: ",\n")) }",
      "api/thing.json": Sample.contract(
        cases: "\"it\": { \"status\": 200, \"expect\": { \(strangers.joined(separator: ",\n")) } }"),
    ])
    #expect(
      library.diagnostics.filter { $0.message.hasPrefix("found consumer \"strange.") }.count
        == 500)
  }

  @Test("holds twenty thousand arguments against what is declared")
  func arguments() throws {
    func members(_ value: String) -> String {
      (0..<20_000).map { "\"a\($0)\": \(value)" }.joined(separator: ",\n")
    }
    let library = try load([
      "consumers.json": """
      { "things.get": { "upstreams": ["api"], "arguments": { \(members("\"any\"")) }, "errors": {} } }
      """,
      "api/thing.json": Sample.contract(
        cases: """
          "it": {
            "status": 200,
            "expect": { "things.get": { "arguments": { \(members("1")) }, "value": 1 } }
          }
          """),
    ])
    #expect(library.diagnostics.filter { $0.rule == "unknown-argument" }.isEmpty)
    #expect(library.contracts.first?.cases.count == 2)
  }

  @Test("reads five thousand headers, scripts and steps of one contract")
  func wide() throws {
    let headers = (0..<5_000).map { "\"X-\($0)\": \"a\"" }.joined(separator: ",\n")
    let scripts = (0..<5_000).map { "\"s\($0)\": [\"ok\", \"it\"]" }.joined(separator: ",\n")
    let steps = Array(repeating: "\"it\"", count: 5_000).joined(separator: ", ")
    let library = try load([
      "api/thing.json": """
      {
        "request": { "method": "GET", "path": "/things" },
        "cases": {
          "ok": { "status": 200, "headers": { \(headers) } },
          "it": { "like": "ok", "headers": { \(headers) } }
        },
        "scripts": { \(scripts), "long": [\(steps)] }
      }
      """
    ])
    #expect(library.diagnostics.filter { $0.severity == .error }.isEmpty)
    #expect(library.contracts.first?.cases[1].response?.headers.count == 5_000)
  }

  @Test(
    "compares hundreds of contracts for one path",
    arguments: [
      #"{ "method": "POST", "path": "/t", "parameters": { "query.x": "NUMBER" } }"#,
      #"{ "method": "POST", "path": "/t", "parameters": { "query.x": { "oneOf": ["NUMBER", "-NUMBER"] } } }"#,
      #"{ "method": "POST", "path": "/t", "body": { "contains": { "operation": "NUMBER" } } }"#,
      #"{ "method": "POST", "path": "/t/{x}", "parameters": { "path.x": "NUMBER", "query.all": "1" } }"#,
    ])
  func rivals(request: String) throws {
    var files = ["api/upstream.json": Sample.upstream]
    for number in 0..<600 {
      files["api/t\(number).json"] = Sample.contract(
        request: request.replacing("NUMBER", with: "\(number)"))
    }
    files["api/again.json"] = Sample.contract(request: request.replacing("NUMBER", with: "321"))
    let library = try ContractFolder(files).load()
    let errors = library.diagnostics.filter { $0.severity == .error }
    #expect(errors.map { $0.file.split(separator: "/").last } == ["t321.json"])
    #expect(errors.first?.message.contains("api/again answers as well") == true)
  }
}
