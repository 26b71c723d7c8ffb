public import UnderstudyClient

/// Jokes, one at a time.
///
/// The smallest example: one upstream, two requests, one value, `Joke`. A joke that is asked for by
/// its number is revalidated, since it hardly ever changes, and must have that number.
public protocol JokeService: Sendable {
  func randomJoke() async throws(ServiceError) -> Joke
  /// The joke with this number; any other joke is an error.
  func joke(id: Int) async throws(ServiceError) -> Joke
}

/// Asks the Official Joke API.
public struct LiveJokeService: JokeService {
  private let client: UpstreamClient

  public init(_ wiring: Wiring = .shared, baseURL: WebURL = .jokes) {
    client = UpstreamClient(baseURL, wiring, limitsRate: true)
  }

  public func randomJoke() async throws(ServiceError) -> Joke {
    try await client.get(Joke.self, client.baseURL.appending("random_joke"))
  }

  public func joke(id: Int) async throws(ServiceError) -> Joke {
    let joke = try await client.get(
      Joke.self, client.baseURL.appending("jokes", String(id)), revalidates: true)
    guard joke.id == id else {
      throw .invalidData("/id: found \(joke.id), expected \(id)")
    }
    return joke
  }
}
