import ContractModel
import Drift
import Testing

@Suite struct ComparisonTests {
  @Test("another status is drift")
  func status() throws {
    let library = try ContractLibrary(drafts: [
      ContractDraft("joke/random", "GET", "/random").case("ok", status: 200, body: "{}")
    ])
    let contract = try #require(library.upstreams.first?.contracts.first)
    let answer = LiveAnswer(status: 500, headers: [], body: [], latency: .zero)
    let findings = Comparison(
      answer, to: contract.defaultCase, of: contract, readers: [], now: 0
    ).findings
    #expect(findings.map(\.message) == ["found status 500, expected 200"])
  }
}
