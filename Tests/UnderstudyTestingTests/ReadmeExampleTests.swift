import Foundation
import FoundationNetworking
import Testing
import UnderstudyTesting

@Suite struct JokeTests {
  @Test("a joke that is cut short is an error", .fake("joke", case: "cut-short"))
  func cutShort() async throws {
    let client = JokeClient(baseURL: try Fake.current.baseURL())
    await #expect(throws: DecodingError.self) { try await client.randomJoke() }
  }

  @Test("a server that fails is asked once more", .fake("joke/random-joke"))
  func retry() async throws {
    let fake = try Fake.current
    try fake.play(["server-error", "ok"], of: "joke/random-joke")
    let joke = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
    #expect(joke.setup == "What does an angry pepper do?")
    let requests = await fake.expectRequests(2, to: "joke/random-joke")
    #expect(requests.last?.header("Accept") == "application/json")
  }
}

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

  func joke(at path: String) async throws -> Joke {
    var request = URLRequest(url: try #require(URL(string: baseURL + path)))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let (data, answer) = try await session.data(for: request)
    let status = (answer as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw UnexpectedStatus(code: status) }
    return try JSONDecoder().decode(Joke.self, from: data)
  }
}

@Suite struct ReadmeTests {
  @Test("the README shows these tests")
  func shown() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(
      contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let block = readme.components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```\n").first
    let example = try #require(source.components(separatedBy: "\nstruct Joke:").first)
    #expect(block == example)
  }
}
