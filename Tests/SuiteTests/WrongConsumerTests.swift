import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyCore

@testable import UnderstudySuite

/// Whatever a consumer may do wrong is found, in these words.
@Suite struct WrongConsumerTests {
  struct Wrong: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let glob: String
    let text: String
    let body: ServiceConsumer.Body

    init(_ name: String, _ glob: String, _ text: String, _ body: @escaping ServiceConsumer.Body) {
      (testDescription, self.glob, self.text, self.body) = (name, glob, text, body)
    }
  }

  static let wrong = [
    Wrong(
      "gives another value", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        value found string "What?", expected string "Why?" at /setup
        value found nothing, expected number 7 at /id
        value found null, expected nothing at /who
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      return Array(#"{"setup":"What?","who":null}"#.utf8)
    },
    Wrong(
      "gives a value that is no JSON", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        value found a value that is not valid JSON: 1:1: found Why, expected a value
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      return Array("Why?".utf8)
    },
    Wrong(
      "gives a value for an error", "joke/random#gone",
      """
      fail joke/random#gone, jokes.random
        outcome found the value object with 0 members, expected the error unexpectedStatus
      """
    ) { call in
      _ = try? await SmallSuite.ask(call, "/random")
      return Array("{}".utf8)
    },
    Wrong(
      "throws another error", "joke/random#gone",
      """
      fail joke/random#gone, jokes.random
        outcome found the error rateLimited null, expected unexpectedStatus
      """
    ) { call in
      _ = try? await SmallSuite.ask(call, "/random")
      throw ConsumerError("rateLimited", payload: "null")
    },
    Wrong(
      "throws the error with another payload", "joke/random#gone",
      """
      fail joke/random#gone, jokes.random
        outcome found unexpectedStatus with 404, expected 410
      """
    ) { call in
      _ = try? await SmallSuite.ask(call, "/random")
      throw ConsumerError("unexpectedStatus", payload: "404")
    },
    Wrong(
      "throws an error that has no name", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        outcome found an error without a name: CancellationError(), expected a value
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      throw CancellationError()
    },
    Wrong(
      "hides what went wrong below", "joke/random#reset",
      """
      fail joke/random#reset, jokes.random
        transport found no failure of the transport under connectivity, expected reset
        curl-code found no curl code under connectivity, expected 56
      """
    ) { call in
      _ = try? await SmallSuite.ask(call, "/random")
      throw ConsumerError("connectivity")
    },
    Wrong(
      "asks twice", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        request-count sent 2 requests, expected 1: GET /joke/v1/random, GET /joke/v1/random?again
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      return try await SmallSuite.ask(call, "/random?again")
    },
    Wrong(
      "asks for what no contract matches", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        outcome found the error unexpectedStatus 404, expected a value
        request sent GET /joke/v1/randm, which no contract matches; nearest joke/random: path segment 1: \
      found "randm", expected "random"
        request sent no GET /random, which this case matches
      """
    ) { call in try await SmallSuite.ask(call, "/randm") },
    Wrong(
      "asks for something else", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        value found array with 0 elements, expected object with 2 members
        request sent no GET /random, which this case matches
      """
    ) { call in try await SmallSuite.ask(call, "/all") },
    Wrong(
      "asks another host", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        foreign-host sent GET https://jokes.example/v1/random, expected only requests to the fake
        request-count sent 2 requests, expected 1: GET /joke/v1/random, GET \
      https://jokes.example/v1/random
      """
    ) { call in
      _ = try? await call.transport.send(
        ClientRequest(url: "https://jokes.example/v1/random?key=secret"))
      return try await SmallSuite.ask(call, "/random")
    },
    Wrong(
      "follows a redirect to another host", "joke/random#elsewhere",
      """
      fail joke/random#elsewhere, jokes.random
        outcome found the error connectivity (cannot connect: GET https://other.example/joke leads away \
      from the fake), expected unexpectedStatus
        foreign-host sent GET https://other.example/joke, expected only requests to the fake
        request-count sent 2 requests, expected 1: GET /joke/v1/random, GET \
      https://other.example/joke
      """
    ) { call in try await SmallSuite.ask(call, "/random", redirects: 3) },
    Wrong(
      "never asks", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        request-count sent no request
      """
    ) { _ in Array(#"{"setup":"Why?","id":7}"#.utf8) },
    Wrong(
      "hangs", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        hang no outcome within 1.0 s
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      try await Task.sleep(for: .seconds(1000))
      return []
    },
    Wrong(
      "ignores that it is cancelled", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        hang no outcome within 1.0 s
        request-count sent no request
      """
    ) { _ in await withUnsafeContinuation { (_: UnsafeContinuation<[UInt8], Never>) in } },
    Wrong(
      "gives up too early", "joke/random#ok",
      """
      fail joke/random#ok, jokes.random
        outcome found the error connectivity (timed out while waiting: after 1 ms (curl 28)), expected a \
      value
      """
    ) { call in
      _ = try await SmallSuite.ask(call, "/random")
      throw ConsumerError(
        "connectivity",
        transport: TransportError(.timedOut(.waiting), "after 1 ms", curlCode: 28))
    },
    Wrong(
      "waits for ever", "joke/random#too-slow",
      """
      fail joke/random#too-slow, jokes.random
        hang no outcome within 1.0 s
      """
    ) { call in
      var connection = CurlConfiguration()
      connection.ignoresProxies = true
      return try await CurlTransport(connection).send(
        ClientRequest(url: try call.baseURL(of: "joke") + "/random")
      ).body
    },
  ]

  @Test("is found", arguments: wrong)
  func found(_ wrong: Wrong) async throws {
    let results = try await SmallSuite.results(of: SmallSuite.consumer(wrong.body), wrong.glob) {
      if wrong.text.contains("within 1.0 s") { $0.guardTime = .seconds(1) }
    }
    let text = results.map(\.text).joined(separator: "\n")
    #expect(TextDiff.unified(wrong.text, text) == "")
  }
}
