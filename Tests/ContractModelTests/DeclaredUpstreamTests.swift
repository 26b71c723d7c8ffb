import Testing

@testable import UnderstudyContractModel

@Suite struct DeclaredUpstreamTests {
  private static func upstream(_ members: [String: String]) throws -> Upstream {
    let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    let library = ContractLibrary(reading: [
      "api/upstream.json": "{ \(text.joined(separator: ", ")) }",
      "api/a.json": Sample.contract(member: #""summary": "A""#),
    ])
    #expect(library.findings.filter { $0.severity == .error }.map(\.message) == [])
    return try #require(library.upstreams.first)
  }

  private static let members = [
    "summary": #""One""#, "baseURL": #""https://a.example.com""#,
    "hosts": #"["b.example.com"]"#, "headers": #"{ "X-A": "1" }"#,
    "secrets": #"{ "X-Key": "{UNDERSTUDY_API_KEY}" }"#,
    "rate": #"{ "requests": 1, "per": "1s" }"#, "owner": #""Us""#,
    "state": #"{ "s": "1" }"#,
  ]

  @Test(
    "an upstream whose file says anything else is declared otherwise",
    arguments: [
      ("summary", #""Two""#), ("baseURL", #""https://c.example.com""#),
      ("hosts", #"["c.example.com"]"#), ("headers", #"{ "X-A": "2" }"#),
      ("secrets", #"{ "X-Key": "{UNDERSTUDY_API_OTHER}" }"#),
      ("rate", #"{ "requests": 2, "per": "1s" }"#), ("owner", #""You""#),
      ("retired", #""2026-01-01""#), ("state", #"{ "s": "2" }"#),
    ])
  func other(key: String, value: String) throws {
    let own = try Self.upstream(Self.members)
    #expect(try own.isDeclaredAs(Self.upstream(Self.members)))
    let other = try Self.upstream(Self.members.merging([key: value]) { $1 })
    #expect(!own.isDeclaredAs(other))
    #expect(!other.isDeclaredAs(own))
  }
}
