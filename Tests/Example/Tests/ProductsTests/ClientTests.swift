import Testing
import UnderstudyClient
import UnderstudyJSON
import UnderstudyURLSessionClient

struct Joke: Codable, Equatable {
  let setup: String
  let punchline: String
}

/// Sends its requests by whatever transport it is given.
struct JokeClient {
  let transport: any Transport
  let baseURL: WebURL

  func joke(id: Int) async throws -> Joke? {
    guard let url = baseURL.appending(["jokes", "\(id)"]) else { return nil }
    let response = try await transport.send(ClientRequest(url: url.text))
    guard response.status == 200 else { return nil }
    return try JSONTreeDecoder().decode(Joke.self, from: response.body)
  }
}

@Suite struct ClientTests {
  private static let baseURL = WebURL(scheme: "https", host: "jokes.example")

  @Test("a joke is asked for again after a reset")
  func retry() async throws {
    let stub = StubTransport()
    stub.respond(
      url: "https://jokes.example/jokes/1", .failure(.reset),
      .json(#"{"setup": "Why?", "punchline": "Because."}"#))
    var policy = RetryPolicy()
    policy.backoff = .zero
    let client = JokeClient(
      transport: RetryingTransport(stub, policy: policy), baseURL: Self.baseURL)

    let joke = try await client.joke(id: 1)
    #expect(joke?.punchline == "Because.")
    #expect(stub.finish() == [])
  }

  @Test("any transport will do")
  func transports() async throws {
    let curl = CurlTransport()
    _ = JokeClient(transport: curl, baseURL: Self.baseURL)
    await curl.close()

    let session = URLSessionTransport()
    defer { session.close() }
    _ = JokeClient(transport: session, baseURL: Self.baseURL)
  }

  @Test("a server may say until when to wait")
  func retryAfter() {
    let response = ClientResponse(
      status: 429, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"])
    let moment = response.headers["Retry-After"].flatMap { Moment(httpDate: $0) }
    #expect(moment?.unixSeconds == 784_111_777)
  }
}
