import Testing
import UnderstudyTesting

/// What a test that fails says, word for word, and at which line.
@Suite struct FailureTests {
  @Test("a test that never reached its fake fails at the trait")
  func neverReached() async {
    let failures = Failures()
    await failures.collect { try await Failures.run(.fake("joke")) {} }
    #expect(
      failures.texts == [
        """
        the test never reached its fake: no request to joke, expected one or more
        received nothing
        """
      ])
    #expect(failures.lines == [#line - 8])
  }

  @Test("a case that was never requested is a failure too, and what was received is listed")
  func otherCase() async {
    let failures = Failures()
    await failures.collect {
      try await Failures.run(.fake("joke", case: "udp")) {
        let fake = try FakeAPI.current
        try fake.use("ok", of: "joke/random-joke")
        _ = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
      }
    }
    #expect(
      failures.texts == [
        """
        the test never reached its fake: no request to joke responded with "udp", expected \
        one or more
        received:
          GET /joke/random_joke  joke/random-joke#ok
        """
      ])
  }

  @Test("an unmatched request fails the test with what comes nearest")
  func unmatched() async {
    let failures = Failures()
    await failures.collect {
      try await withFake("joke") { fake in
        let client = JokeClient(baseURL: try fake.baseURL())
        _ = try await client.randomJoke()
        _ = try? await client.joke(at: "/random_jokes?x=1")
      }
    }
    #expect(
      failures.texts == [
        """
        found 1 unmatched request, expected none
        received:
          GET /joke/random_joke  joke/random-joke#ok
          GET /joke/random_jokes?x=1  no contract
            nearest: joke/random-joke  GET /random_joke
              path segment 1: found "random_jokes", expected "random_joke"
            nearest: joke/joke-by-id  GET /jokes/{id}
              path segment 1: found "random_jokes", expected "jokes"
              path segment 2: missing, expected "{id}"
        """
      ])
    #expect(failures.lines == [#line - 20])
  }

  @Test("a different number of requests fails at the line that expects it")
  func count() async {
    let failures = Failures()
    await failures.collect {
      try await withFake("joke") { fake in
        _ = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
        await fake.expectRequests(2, to: "joke/random-joke")
        await fake.expectRequests(to: "dog-ceo", case: "not-found")
        await fake.expectRequests(to: "joke/random")
      }
    }
    let received = "received:\n  GET /joke/random_joke  joke/random-joke#ok"
    #expect(
      failures.texts.prefix(2) == [
        "found 1 request to joke/random-joke, expected 2\n\(received)",
        "found 0 requests to dog-ceo responded with \"not-found\", expected 1\n\(received)",
      ])
    #expect(failures.texts.last?.hasPrefix("unknown contract \"joke/random\"") == true)
    #expect(failures.lines == [#line - 12, #line - 11, #line - 10])
  }

  @Test("a request that does not come fails at the line that waits for it")
  func noRequest() async {
    let failures = Failures()
    await failures.collect {
      try await withFake { fake in
        let request = await fake.nextRequest(to: "joke", within: .milliseconds(1))
        #expect(request == nil, "\(String(describing: request))")
        let response = await (try fake.hold("joke/random-joke")).next(within: .milliseconds(1))
        #expect(response == nil, "\(String(describing: response))")
      }
    }
    #expect(
      failures.texts == [
        "no request to joke after 0.001 seconds, expected one\nreceived nothing",
        "no request to hold after 0.001 seconds, expected one\nreceived nothing",
        "the test never reached its fake: no request, expected one or more\nreceived nothing",
      ])
    #expect(failures.lines == [#line - 12, #line - 10, #line - 13])
  }

  @Test("of many requests the last twenty are listed, and the others counted", arguments: [20, 21])
  func many(count: Int) async {
    let failures = Failures()
    await failures.collect {
      try await withFake("joke") { fake in
        let client = JokeClient(baseURL: try fake.baseURL())
        for number in 3...count { _ = try await client.joke(at: "/jokes/\(number)") }
        for _ in 1...2 { _ = try? await client.joke(at: "/x") }
      }
    }
    let lines = failures.texts.first?.split(separator: "\n").map(String.init) ?? []
    #expect(
      lines.prefix(2) == [
        "found 2 unmatched requests, expected none",
        count == 20 ? "received:" : "received, after 1 more:",
      ])
    let listed = lines.filter { $0.hasPrefix("  GET ") }
    #expect(listed.count == 20)
    #expect(listed.first == "  GET /joke/jokes/\(count - 17)  joke/joke-by-id#ok")
    #expect(listed.suffix(2) == ["  GET /joke/x  no contract", "  GET /joke/x  no contract"])
  }
}
