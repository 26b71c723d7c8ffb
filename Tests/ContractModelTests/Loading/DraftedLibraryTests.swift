import Testing
import UnderstudyJSON

@testable import UnderstudyContractModel

/// Folders of contracts that are written in Swift.
@Suite struct DraftedLibraryTests {
  private static let draft = ContractDraft("joke/random", "GET", "/random")
    .case(
      "ok", status: 200, headers: ["X-B": "2", "X-A": "\"1\""], body: #"{ "a": 1 }"#,
      delay: .milliseconds(1500)
    )
    .case("text", status: 201, text: "a\nb")
    .case("like", like: "ok", status: 202)
    .case("slow", like: "ok", delay: .seconds(2))
    .case("reset", fault: .connectionResetByPeer)
    .case("cut", ["like": "ok", "malform": ["truncateAt": 3]])

  @Test("drafts are read like files")
  func library() throws {
    let library = try ContractLibrary(drafts: [
      Self.draft, ContractDraft("joke/all", "GET", "/").case("ok", status: 200),
      ContractDraft("dog/all", "GET", "/").case("ok", status: 200),
    ])
    #expect(library.contracts.map(\.id) == ["dog/all", "joke/all", "joke/random"])
    #expect(library.upstreams.map(\.summary) == ["Written in Swift", "Written in Swift"])
    let contract = try #require(library.contracts.last)
    #expect(contract.cases.map(\.name) == ["ok", "text", "like", "slow", "reset", "cut"])
    #expect(contract.cases.map(\.kind) == [.slow, .good, .good, .slow, .broken, .malformed])
    #expect(contract.cases.map(\.status) == [200, 201, 202, 200, nil, 200])
  }

  @Test("cases may have equal shares of the same requests, since shares add up")
  func shares() throws {
    let quarter: JSONObject = [
      "like": "ok", "when": ["share": JSONText(unchecked: "0.25")],
    ]
    let library = try ContractLibrary(drafts: [
      ContractDraft("joke/all", "GET", "/").case("ok", status: 200).case("some", quarter)
        .case("others", quarter)
    ])
    #expect(library.contracts.first?.cases.map(\.when?.share) == [nil, 0.25, 0.25])
  }

  @Test(
    "what is wrong is thrown",
    arguments: [
      (
        [
          ContractDraft("joke/all", "GET", "/").case("ok", status: 200),
          ContractDraft("joke/all", "GET", "/b").case("ok", status: 200),
        ],
        """
        joke/all.json: error: found two drafts of joke/all, expected one [duplicate-key]
          fix: give one of them another name
        """
      ),
      (
        [
          ContractDraft("joke/all", "GET", "/").case("ok", status: 99),
          ContractDraft("joke/one", "GET", "one").case("ok", status: 200),
        ],
        """
        joke/all.json:1:85: error: found 99, expected a status from 200 to 599 [bad-value]
        joke/one.json:1:56: error: found path "one", expected one that starts with a slash [bad-path]
          fix: write "/one"
        """
      ),
    ])
  func errors(drafts: [ContractDraft], text: String) throws {
    let error = try #require(throws: ContractError.self) { try ContractLibrary(drafts: drafts) }
    #expect(error.description == text)
  }
}
