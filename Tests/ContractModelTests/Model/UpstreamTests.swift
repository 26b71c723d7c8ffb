import Testing

@testable import UnderstudyContractModel

@Suite struct UpstreamTests {
  private static func upstream(_ members: String, name: String = "api") throws -> Upstream {
    try #require(
      ContractLibrary(reading: ["\(name)/upstream.json": "{ \(members) }"]).upstreams.first)
  }

  @Test("a secret is its template with the variable's value, unless that is not set")
  func secrets() throws {
    let secret = try #require(
      Self.upstream(
        #""secrets": { "Authorization": "Bearer {UNDERSTUDY_API_TOKEN}" }"#
      ).secrets.first)
    var asked: [String] = []
    let value = secret.value { name in
      asked.append(name)
      return "abc"
    }
    #expect(value == "Bearer abc")
    #expect(asked == ["UNDERSTUDY_API_TOKEN"])
    #expect(secret.value { _ in "" } == nil)
    #expect(secret.value { _ in nil } == nil)
  }

  @Test(
    "upstreams are declared alike if each member is the same",
    arguments: [
      #""summary": "S""#, #""baseURL": "https://a.example""#, #""hosts": ["a.example"]"#,
      #""headers": { "A": "1" }"#, #""secrets": { "A": "{UNDERSTUDY_API_TOKEN}" }"#,
      #""rate": { "requests": 5, "per": "1m" }"#, #""failedPercent": 10"#, #""owner": "me""#,
      #""retired": "gone""#, #""state": { "a": "b" }"#,
      #""scenarios": { "s": { "state": { "a": "b" } } }"#,
    ])
  func declared(member: String) throws {
    let (plain, other) = (try Self.upstream(""), try Self.upstream(member))
    #expect(try other.isDeclaredAs(Self.upstream(member)))
    #expect(!other.isDeclaredAs(plain))
    #expect(!plain.isDeclaredAs(other))
    #expect(try !plain.isDeclaredAs(Self.upstream("", name: "apis")))
  }

  @Test("one that no file declares has a name and nothing else")
  func named() throws {
    let upstream = Upstream(named: "api")
    #expect(try upstream.isDeclaredAs(Self.upstream("")))
    #expect(upstream.file == "api/upstream.json")
    #expect(upstream.failedPercent == 50)
    #expect(upstream.basePath == "")
    #expect(upstream.contracts.isEmpty && upstream.waivers.isEmpty && upstream.source.isNull)
  }

  @Test("contracts and upstreams have numbers, in order of their names")
  func numbers() {
    let thing = Sample.thing
    let index = ContractLibrary(reading: [
      "b/upstream.json": "{}", "b/y.json": thing, "b/x.json": thing, "a/upstream.json": "{}",
      "a/z.json": thing, "c/upstream.json": "{}",
    ]).index
    #expect(index.contractCount == 3)
    #expect(["a", "b", "c", "d"].map(index.upstreamNumber) == [0, 1, 2, nil])
    #expect(
      index.numberedContracts().map { "\($0.number) \($0.contract.id)" }
        == ["0 a/z", "1 b/x", "2 b/y"])
    #expect(
      index.numberedContracts(of: "b").map { "\($0.number) \($0.contract.id)" }
        == ["1 b/x", "2 b/y"])
    #expect(index.numberedContracts(of: "c").isEmpty)
    #expect(index.numberedContracts(of: "d").isEmpty)
    #expect(index.contractNumber(named: "z", of: "a") == 0)
    #expect(index.contractNumber(named: "y", of: "b") == 2)
    #expect(index.contractNumber(named: "z", of: "b") == nil)
    #expect(index.contractNumber(named: "z", of: "d") == nil)
    #expect(ContractLibrary(of: []).index.contractCount == 0)
  }
}
