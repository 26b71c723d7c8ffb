import HTTP
import JSON

public struct Joke: Decodable, Equatable, Sendable {
  public let setup: String
  public let punchline: String
}

public enum JokeError: Error, Equatable {
  case connectivity, invalidData
  case unexpectedStatus(Int)
}

/// Asks for jokes, once more if the connection fails.
public struct JokeClient: Sendable {
  private let baseURL: String

  public init(baseURL: String) { self.baseURL = baseURL }

  public func randomJoke() async throws(JokeError) -> Joke {
    do {
      return try await joke(at: "/random_joke")
    } catch .connectivity {
      return try await joke(at: "/random_joke")
    }
  }

  private func joke(at path: String) async throws(JokeError) -> Joke {
    guard let response = await get(baseURL + path) else { throw .connectivity }
    guard response.status == 200 else { throw .unexpectedStatus(response.status) }
    guard let joke = decode(Joke.self, from: response.body) else { throw .invalidData }
    return joke
  }
}
