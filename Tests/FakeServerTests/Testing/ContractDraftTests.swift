import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// Contracts written in Swift, served.
@Suite struct ContractDraftTests {
  private static let draft = ContractDraft("joke/random", "GET", "/random")
    .case("ok", status: 200, headers: ["ETag": "\"1\""], body: #"{ "setup": "Why \"so\"?" }"#)
    .case("text", status: 503, text: "<b>\"later\"</b>")
    .case("slow", like: "ok", delay: .milliseconds(1))
    .case("reset", fault: .connectionResetByPeer)
    .case("cut", ["like": "ok", "malform": ["truncateAt": 3]])

  @Test(
    "each case is served as it is written",
    arguments: [
      ("ok", 200, #"{"setup":"Why \"so\"?"}"#), ("text", 503, "<b>\"later\"</b>"),
      ("slow", 200, #"{"setup":"Why \"so\"?"}"#), ("cut", 200, #"{"s"#),
    ])
  func served(name: String, status: Int, body: String) async throws {
    let server = try await FakeServer.start(ContractLibrary(drafts: [Self.draft]))
    server.use(name, for: "joke/random")
    try await BlockingThread.run {
      let response = try server.client().exchange("GET /joke/random")
      #expect(response.status == status)
      #expect(response.text == body)
    }
    await server.close()
  }

  @Test("a fault is served, too")
  func fault() async throws {
    let server = try await FakeServer.start(ContractLibrary(drafts: [Self.draft]))
    server.use("reset", for: "joke/random")
    try await BlockingThread.run {
      let client = try server.client()
      client.ask("GET /joke/random")
      #expect(client.receiveAll().end == .reset)
    }
    await server.close()
  }

  @Test("two drafts with one name are an error")
  func duplicate() {
    let error = #expect(throws: ContractError.self) {
      try ContractLibrary(drafts: [Self.draft, ContractDraft("joke/random", "GET", "/other")])
    }
    #expect(
      error?.description == """
        joke/random.json: error: found two drafts of joke/random, expected one [duplicate-key]
          fix: give one of them another name
        """)
  }

  @Test("an invalid draft is reported like an invalid file")
  func refused() {
    let error = #expect(throws: ContractError.self) {
      try ContractLibrary(drafts: [
        ContractDraft("joke/random", "GET", "/random").case("ok", status: 99, body: "[1]")
      ])
    }
    #expect(
      error?.description == """
        joke/random.json:1:94: error: found 99, expected a status from 200 to 599 [bad-value]
        """)
  }
}
