import Testing
import UnderstudyCore

@testable import UnderstudyContractModel

/// `é` is one character or two, which look the same and are different bytes.
@Suite struct ExactTextTests {
  private static let (one, two) = ("caf\u{E9}", "cafe\u{301}")

  @Test("matches only the bytes that a condition names")
  func conditions() throws {
    let folder = try ContractFolder([
      "api/upstream.json": Sample.upstream,
      "api/thing.json": Sample.contract(
        request: #"""
          { "method": "GET", "path": "/a", "parameters": {
          "query.a": "\#(Self.one)", "query.b": { "oneOf": ["x", "\#(Self.one)"] } } }
          """#),
    ])
    let contract = try #require(try folder.load().contracts.first)
    for condition in contract.request.parameters {
      #expect(condition.accepts(Self.one, at: .epoch))
      #expect(!condition.accepts(Self.two, at: .epoch))
    }
  }

  @Test("distinguishes paths and states by their bytes")
  func values() throws {
    let (one, two) = (
      try PathTemplate(parsing: "/\(Self.one)/{a}"), try PathTemplate(parsing: "/\(Self.two)/{a}")
    )
    #expect(Set([one, two]).count == 2)
    let states = [Self.one, Self.two].map { StateValue(name: $0, value: "a") }
    #expect(Set(states + states).count == 2)
  }

  @Test(
    "contracts that match different bytes are not ambiguous",
    arguments: [
      #"{ "method": "GET", "path": "/NAME" }"#,
      #"{ "method": "GET", "path": "/a", "parameters": { "query.a": "NAME" } }"#,
      #"{ "method": "GET", "path": "/a/{b}", "parameters": { "path.b": "NAME" } }"#,
      #"{ "method": "POST", "path": "/a", "body": { "contains": { "a": "NAME" } } }"#,
    ])
  func rivals(request: String) throws {
    let folder = try ContractFolder([
      "api/upstream.json": Sample.upstream,
      "api/one.json": Sample.contract(request: request.replacing("NAME", with: Self.one)),
      "api/two.json": Sample.contract(request: request.replacing("NAME", with: Self.two)),
    ])
    #expect(folder.diagnosticText(of: try folder.load(), ignoring: .missingCases) == "")
  }
}
