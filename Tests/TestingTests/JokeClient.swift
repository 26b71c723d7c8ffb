import Foundation
import FoundationNetworking
import Testing

struct Joke: Decodable {
  let setup: String
}

struct UnexpectedStatus: Error, Equatable {
  let code: Int
}

/// A client as anybody might write it.
struct JokeClient: Sendable {
  let baseURL: String

  func randomJoke() async throws -> Joke {
    do {
      return try await joke(at: "/random_joke")
    } catch let error as UnexpectedStatus where error.code >= 500 {
      return try await joke(at: "/random_joke")
    }
  }

  func joke(at path: String, headers: [String: String] = [:]) async throws -> Joke {
    var request = URLRequest(url: try #require(URL(string: baseURL + path)))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    // Responses are held, and nobody knows when a test goes on that lets them go.
    configuration.timeoutIntervalForRequest = 600
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw UnexpectedStatus(code: status) }
    return try JSONDecoder().decode(Joke.self, from: data)
  }
}
