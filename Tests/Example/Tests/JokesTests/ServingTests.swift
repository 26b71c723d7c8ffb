import Jokes
import Testing
import UnderstudyTesting

@Suite(.fake("jokes/random")) struct ServingTests {
  @Test("a server that recovers is asked again")
  func recovery() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())

    try fake.use("not-found", of: "jokes/random")
    await #expect(throws: JokeError.unexpectedStatus(404)) { try await client.randomJoke() }

    try fake.use("ok", of: "jokes/random")
    #expect(try await client.randomJoke().setup == "Why?")
  }

  @Test("an API that is away has no joke")
  func away() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())

    try fake.use(.off, of: "jokes")
    await #expect(throws: JokeError.connectivity) { try await client.randomJoke() }
  }

  @Test("the joke comes when the server responds")
  func held() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())
    let responses = try fake.hold("jokes/random")

    async let joke = client.randomJoke()
    let response = await responses.next()
    #expect(response?.request.method == "GET")
    await response?.release()
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
