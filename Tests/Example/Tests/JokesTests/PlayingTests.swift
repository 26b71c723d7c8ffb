import Jokes
import Testing
import UnderstudyTesting

@Suite(.fake("jokes/random")) struct PlayingTests {
  @Test("a server that recovers is asked again")
  func recovery() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())

    try fake.play("not-found", of: "jokes/random")
    await #expect(throws: JokeError.unexpectedStatus(404)) { try await client.randomJoke() }

    try fake.play("ok", of: "jokes/random")
    #expect(try await client.randomJoke().setup == "Why?")
  }

  @Test("the joke comes when the server answers")
  func held() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())
    let answers = try fake.hold("jokes/random")

    async let joke = client.randomJoke()
    let answer = await answers.next()
    #expect(answer?.request.method == "GET")
    await answer?.release()
    #expect(try await joke.setup == "Why?")
  }

  @Test("a request that nobody waits for is seen")
  func background() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())

    Task { try await client.randomJoke() }
    let request = await fake.nextRequest(to: "jokes/random")
    #expect(request?.header("Accept") == "application/json")
  }
}
