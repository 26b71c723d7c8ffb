package import UnderstudyClient

/// Jokes, one at a time.
package protocol JokeService: Sendable {
  func randomJoke() async throws(ServiceError) -> Joke
  /// The joke with this number: another one is an error.
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
    let joke = try await client.get(
      Joke.self, client.baseURL.appending("jokes", String(id)), revalidates: true)
    guard joke.id == id else {
      throw .invalidData("/id: found \(joke.id), expected \(id)")
    }
    return joke
  }
}
