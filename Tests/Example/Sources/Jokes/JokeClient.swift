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
    guard let answer = await get(baseURL + path) else { throw .connectivity }
    guard answer.status == 200 else { throw .unexpectedStatus(answer.status) }
    guard let joke = decode(Joke.self, from: answer.body) else { throw .invalidData }
    return joke
  }
}
