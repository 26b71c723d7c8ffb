import Testing
import UnderstudyTesting

/// What a test responses itself.
@Suite struct RespondingTests {
  @Test("a response precedes the contracts, and the last for a path counts", .fake("joke"))
  func precedes() async throws {
    let fake = try FakeAPI.current
    let client = try JokeClient(baseURL: fake.baseURL())
    try fake.respond(to: .get, "/random_joke", with: .status(503))
    await #expect(throws: UnexpectedStatus(code: 503)) { try await client.randomJoke() }
    try fake.respond(
      to: .get, "/random_joke",
      with: .json(#"{ "id": 7, "type": "pun", "setup": "Mine", "punchline": "!" }"#)
        .header("X-From", "the test"))
    #expect(try await client.randomJoke().setup == "Mine")
    try fake.respond(to: .get, "/{rest...}", with: .text("anything", status: 418))
    await #expect(throws: UnexpectedStatus(code: 418)) { try await client.joke(at: "/no/such") }
    #expect(try await client.randomJoke().setup == "Mine")
  }

  @Test("what cannot be served is said", .fake("joke"))
  func wrong() async throws {
    let fake = try FakeAPI.current
    let client = try JokeClient(baseURL: fake.baseURL())
    let cases: [(path: String, response: FakeAPI.Response, text: String)] = [
      (
        "no-slash", .status(200),
        """
        no response for GET no-slash: found path "no-slash", expected one that starts with a slash
          fix: write "/no-slash"
        """
      ),
      (
        "/x", .json("{"),
        """
        no response for GET /x: found the end of the text, expected "," or "}" for the object opened \
        at 1:1
          fix: add "}"
        """
      ),
      ("/x", .status(99), "no response for GET /x: found 99, expected a status from 200 to 599"),
    ]
    for (path, response, text) in cases {
      let error = #expect(throws: FakeError.self) {
        try fake.respond(to: .get, path, with: response)
      }
      #expect(error?.description == text)
    }
    #expect(throws: FakeError.self) {
      try fake.respond(to: .get, "/x", of: "NoName!", with: .status(200))
    }
    _ = try await client.randomJoke()
  }
}
