import Testing
import UnderstudyCore
import UnderstudyJSON

/// `understudy drift --dry-run`: what a run would request.
@Suite struct RequestPlanTests {
  @Test("shows each request with its case and sender, and sends none")
  func text() async throws {
    let run = try await ShippedContracts().run([
      "drift", "joke/random-joke", "restaurants/list-favorites", "--dry-run", "--base-url",
      "joke=http://127.0.0.1:9/joke",
    ])
    let output = """
      joke  http://127.0.0.1:9/joke
        GET /random_joke  joke/random-joke#ok  jokes.random
        1 request for 1 case, at once; rate: 40 requests in 15 minutes

      not requested
        1 case: restaurants has no live API: upstream.json names no "baseURL"

      1 request to 1 upstream; no request was sent

      """
    #expect(TextDiff.unified(output, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test("prints the same for programs")
  func json() async throws {
    let run = try await ShippedContracts().run([
      "drift", "joke/random-joke", "restaurants/list-favorites", "--dry-run", "--format", "json",
    ])
    let root = try JSONDocument(parsing: run.output).root
    let part = try #require(root["upstreams"]?[0])
    #expect(part["name"]?.string == "joke")
    #expect(part["cases"]?.int == 1)
    #expect(part["runsPerRound"]?.int == 1)
    #expect(part["requests"]?[0]?["consumer"]?.string == "jokes.random")
    #expect(
      part["requests"]?[0]?["url"]?.string == "https://official-joke-api.appspot.com/random_joke")
    #expect(root["notRequested"]?[0]?["case"]?.string == "restaurants/list-favorites#ok")
    #expect(run.code == 0)
  }
}
