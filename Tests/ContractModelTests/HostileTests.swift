import Foundation
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

@testable import UnderstudyContractModel

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
    #expect(library.findings.filter { $0.severity == .error }.isEmpty)
    let contract = try #require(library.contracts.first)
    #expect(contract.cases.count == 10_001)
    #expect(contract.cases.dropFirst().allSatisfy { $0.status == 201 })
    #expect(contract.cases.dropFirst().allSatisfy { $0.expectations.count == 1 })
  }

  @Test("reports a cycle of ten thousand once")
  func circle() throws {
    let cases = (0..<10_000).map { "\"c\($0)\": { \"like\": \"c\(($0 + 1) % 10_000)\" }" }
    let library = try load([
      "api/thing.json": Sample.contract(cases: cases.joined(separator: ",\n"))
    ])
    #expect(library.findings.filter { $0.type.rawValue == "circular-like" }.count == 1)
  }

  @Test("names five thousand cases that are like nothing")
  func dangling() throws {
    let cases = (0..<5_000).map { "\"c\($0)\": { \"like\": \"nothing-\($0)\" }" }
    let library = try load([
      "api/thing.json": Sample.contract(cases: cases.joined(separator: ",\n"))
    ])
    #expect(library.findings.filter { $0.type.rawValue == "unknown-case" }.count == 5_000)
  }

  @Test("reads the text in braces as it is, however often it says that it is JSON")
  func template() {
    let text = "{uuid" + String(repeating: " as json", count: 100_000) + "}"
    #expect(Template(text).pieces == [.text(text)])
    #expect(Template("{uuid as json}").pieces == [.expression(.json(.uuid))])
  }

  /// Each case is checked with a schema that takes 4095 steps.
  private func doubling(_ cases: [String], stepsMax: Int) throws -> ContractLibrary {
    let levels = (1..<11).map { level in
      let next = ##"{ "$ref": "#/$defs/d\##(level - 1)" }"##
      return ##""d\##(level)": { "allOf": [\##(next), \##(next)] }"##
    }
    let schema =
      ##"{ "$ref": "#/$defs/d10", "$defs": { "d0": { "type": "object" }, "##
      + levels.joined(separator: ", ") + " } }"
    let ok = #""big": { "status": 200, "body": { "a": 1 }, "schema": \#(schema) }"#
    let files = Sample.files.merging([
      "api/thing.json": Sample.contract(cases: ([ok] + cases).joined(separator: ",\n"))
    ]) { $1 }
    return try FolderReader(
      root: ".", files: MemoryFiles(files.mapValues { Array($0.utf8) }), schemaStepsMax: stepsMax
    ).read()
  }

  private func mismatches(in library: ContractLibrary) -> [String] {
    library.findings.filter { $0.type.rawValue == "schema-mismatch" }.map(\.description)
  }

  @Test("all schemas of a run together take no more steps than one may, and it is said once")
  func schemaSteps() throws {
    let cases = (0..<40).map { #""c\#($0)": { "like": "big", "body": { "a": \#($0) } }"# }
    #expect(try mismatches(in: doubling(cases, stepsMax: 200_000)) == [])
    let found = try mismatches(in: doubling(cases, stepsMax: 20_000))
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        """
        : error: the schemas took more than 20000 steps in this run, so nothing more is \
        checked against them [schema-mismatch]
          fix: simplify schemas in which "$ref", "allOf" and the like multiply
        """) == true)
  }

  @Test("a body that cases share is checked against its schema once")
  func sameBody() throws {
    let cases = (0..<40).map {
      #""c\#($0)": { "like": "big", "delay": { "fixed": "\#($0 + 1)ms" } }"#
    }
    #expect(try mismatches(in: doubling(cases, stepsMax: 5_000)) == [])
  }

  @Test("schemas have their own steps again once the contracts are read")
  func liftedSteps() throws {
    let library = try doubling([], stepsMax: 5_000)
    let schema = try #require(library.contracts.first?.cases.last?.response?.schema?.schema)
    let body = try JSONDocument(parsing: #"{ "a": 2 }"#).root
    for _ in 0..<10 { #expect(schema.accepts(body)) }
  }

  @Test("reads a path of thirty thousand parameters")
  func longPath() throws {
    let path = (0..<30_000).map { "/{p\($0)}" }.joined()
    #expect(try PathTemplate(parsing: path).segments.count == 30_000)
    #expect(throws: Failure.self) { try PathTemplate(parsing: path + "/{p0}") }
  }

  @Test("names five hundred consumers that are not among ten thousand")
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
      library.findings.filter { $0.message.hasPrefix("consumer \"strange.") }.count
        == 500)
  }

  @Test("compares twenty thousand arguments with their declarations")
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
    #expect(library.findings.filter { $0.type.rawValue == "unknown-argument" }.isEmpty)
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
    #expect(library.findings.filter { $0.severity == .error }.isEmpty)
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
    let errors = library.findings.filter { $0.severity == .error }
    #expect(errors.map { $0.file.split(separator: "/").last } == ["t321.json"])
    #expect(
      errors.first?.message
        == "api/again also matches this request, and neither takes precedence")
  }
}
