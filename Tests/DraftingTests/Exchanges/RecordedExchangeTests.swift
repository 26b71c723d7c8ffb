import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets

@testable import UnderstudyDrafting

/// What cannot be recorded, since a secret would stay in it.
@Suite struct RecordedExchangeTests {
  private static func refusal(
    _ path: String, asking operation: String = "Users", responding body: [UInt8] = []
  ) -> String? {
    let request = "{\"query\":\"query \(operation) { a }\",\"operationName\":\"\(operation)\"}"
    let response = LiveResponse(status: 200, headers: [], body: body, latency: .zero)
    return RecordedExchange(
      method: "POST", path: path,
      headers: [HeaderField(name: "Content-Type", value: "application/json")],
      body: Array(request.utf8), responses: [response]
    ).refusal(SecretMask(seen: ["hushhush42"]))?.message
  }

  @Test("a secret in a path, in an operation's name or in bytes refuses an exchange")
  func refusals() {
    #expect(Self.refusal("/graphql") == nil)
    #expect(Self.refusal("/graphql", responding: [0xFF, 0x00]) == nil)
    #expect(Self.refusal("/graphql", responding: Array("hushhush42".utf8)) == nil)
    #expect(
      Self.refusal("/a/hushhush42")
        == "POST /a/[redacted] has a secret in its path, so it is not recorded")
    #expect(
      Self.refusal("/a/hush%68ush42")
        == "POST /a/[redacted] has a secret in its path, so it is not recorded")
    #expect(
      Self.refusal("/graphql", asking: "hushhush42")
        == "POST /graphql has a secret for its operationName, so it is not recorded")
    #expect(
      Self.refusal("/graphql", responding: [0xFF] + Array("hushhush42".utf8)) == """
        the response to POST /graphql contains a secret in bytes that are not text, so it is not recorded
        """)
  }
}
