import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    guard let url = URL(string: baseURL + path) else { throw .connectivity }
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    guard let (data, answer) = try? await URLSession.shared.data(for: request) else {
      throw .connectivity
    }
    let status = (answer as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw .unexpectedStatus(status) }
    guard let joke = try? JSONDecoder().decode(Joke.self, from: data) else { throw .invalidData }
    return joke
  }
}
