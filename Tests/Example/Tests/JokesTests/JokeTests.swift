import Jokes
import Testing
import UnderstudyTesting

@Suite struct JokeTests {
  @Test("a response that is cut short is an error", .fake("jokes", case: "cut-short"))
  func cutShort() async throws {
    let client = JokeClient(baseURL: try FakeAPI.current.baseURL())
    await #expect(throws: JokeError.invalidData) { try await client.randomJoke() }
  }

  @Test("the client asks once more after a reset", .fake("jokes/random"))
  func retry() async throws {
    let fake = try FakeAPI.current
    try fake.use(["reset", "ok"], of: "jokes/random")
    let joke = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
    #expect(joke.punchline == "Because.")
    let requests = await fake.expectRequests(2, to: "jokes/random")
    #expect(requests.last?.header("Accept") == "application/json")
  }
}
