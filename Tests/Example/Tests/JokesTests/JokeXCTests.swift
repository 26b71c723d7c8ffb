import Jokes
import UnderstudyTesting
import XCTest

final class JokeXCTests: XCTestCase {
  func testNotFound() async throws {
    try await withFake("jokes", case: "not-found") { fake in
      let client = JokeClient(baseURL: try fake.baseURL())
      await XCTAssertThrowsError(try await client.randomJoke()) { error in
        XCTAssertEqual(error as? JokeError, .unexpectedStatus(404))
      }
    }
  }
}
