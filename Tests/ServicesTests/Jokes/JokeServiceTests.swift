import Testing
import UnderstudyClient
import UnderstudyServices

@Suite struct JokeServiceTests {
  private let stub = StubTransport()
  private static let url = "https://official-joke-api.appspot.com/random_joke"
  private static let udp = #"""
    {"type": "programming", "setup": "The punchline often arrives before the set-up.",
     "punchline": "Do you know the problem with UDP jokes?", "id": 73}
    """#

  private func joke(_ response: StubResponse) async throws(ServiceError) -> Joke {
    stub.respond(url: Self.url, response)
    return try await LiveJokeService(Wiring(stub)).randomJoke()
  }

  @Test("sends one request to the right URL")
  func request() async throws {
    let joke = try await joke(.json(Self.udp))
    #expect(
      joke
        == Joke(
          id: 73, type: "programming", setup: "The punchline often arrives before the set-up.",
          punchline: "Do you know the problem with UDP jokes?"))
    #expect(stub.requests.map(\.url) == [Self.url])
  }

  @Test("the body of a 404 is not a joke, whatever its status")
  func notFound() async {
    let body = #"{"type":"error","message":"joke not found"}"#
    await #expect(throws: ServiceError.unexpectedStatus(404)) {
      try await joke(.json(body, status: 404))
    }
    await #expect(
      throws: ServiceError.invalidData("1:1: found object with 2 members, expected a member \"id\"")
    ) {
      stub.respondToOthers(.json(body))
      return try await LiveJokeService(Wiring(stub)).joke(id: 1)
    }
  }

  @Test(
    "an impossible joke is invalid data",
    arguments: [
      (#""type": "programming""#, #""type": "error""#), ("73", "0"), ("73", "-1"), ("73", "1e99"),
      (#""Do you know the problem with UDP jokes?""#, #""""#),
    ])
  func invalid(part: String, other: String) async {
    #expect(
      await failureName { try await joke(.json(Self.udp.replacing(part, with: other))) }
        == "invalidData")
  }

  @Test("a different joke from the requested one is invalid data")
  func another() async {
    stub.respondToOthers(.json(Self.udp))
    await #expect(throws: ServiceError.invalidData("/id: found 73, expected 74")) {
      try await LiveJokeService(Wiring(stub)).joke(id: 74)
    }
  }

  @Test("revalidates a joke by its tag, and returns it on 304")
  func revalidation() async throws {
    let url = "https://official-joke-api.appspot.com/jokes/73"
    stub.respond(url: url, .json(Self.udp, headers: ["ETag": "W/\"62\""]), .response(304))
    let service = LiveJokeService(Wiring(stub))
    let first = try await service.joke(id: 73)
    #expect(try await service.joke(id: 73) == first)
    #expect(stub.requests.map { $0.headers["If-None-Match"] } == [nil, "W/\"62\""])
  }

  @Test("a service with default arguments calls the live API by libcurl, over the shared transport")
  func wiring() {
    #expect(Wiring.shared.transport is CurlTransport)
    #expect(Wiring.shared.options == ClientRequestOptions())
  }

  @Test("without a given time, the end of the limit is unknown")
  func limited() async {
    await #expect(throws: ServiceError.rateLimited(until: nil)) {
      try await joke(.json("{}", status: 429))
    }
  }
}
