/// Jokes, one at a time.
package protocol JokeService: Sendable {
  func randomJoke() async throws(ServiceError) -> Joke
  func joke(id: Int) async throws(ServiceError) -> Joke
}

/// Asks the Official Joke API.
package struct LiveJokeService: JokeService {
  private let client: UpstreamClient

  package init(_ wiring: Wiring = .shared, baseURL: WebURL = .jokes) {
    client = UpstreamClient(baseURL, wiring, limitsRate: true)
  }

  package func randomJoke() async throws(ServiceError) -> Joke {
    try await client.get(Joke.self, client.baseURL.appending("random_joke"))
  }

  package func joke(id: Int) async throws(ServiceError) -> Joke {
    try await client.get(
      Joke.self, client.baseURL.appending("jokes", String(id)), revalidates: true)
  }
}
