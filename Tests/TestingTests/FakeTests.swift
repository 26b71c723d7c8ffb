import Testing
import UnderstudyTesting

/// What a test gets from its fake.
@Suite struct FakeTests {
  @Test(
    "each case of a parameterized test has a fake of its own", .fake("joke"), arguments: 1...4)
  func ownFake(count: Int) async throws {
    let client = try JokeClient(baseURL: FakeAPI.current.baseURL())
    for _ in 0..<count { _ = try await client.randomJoke() }
    await (try FakeAPI.current).expectRequests(count)
  }

  @Suite(.fake("joke", case: "not-found")) struct OfSuite {
    @Test("a suite's trait gives each test a fake, which the test's own shares")
    func ofSuite() async throws {
      let client = try JokeClient(baseURL: FakeAPI.current.baseURL())
      await #expect(throws: UnexpectedStatus(code: 404)) { try await client.randomJoke() }
    }

    @Test("the test's own trait comes after the suite's", .fake("joke/random-joke", case: "udp"))
    func ofTest() async throws {
      let client = try JokeClient(baseURL: FakeAPI.current.baseURL())
      let joke = try await client.randomJoke()
      #expect(joke.setup == "The punchline often arrives before the set-up.")
      await #expect(throws: UnexpectedStatus(code: 404)) { try await client.joke(at: "/jokes/1") }
    }

    @Test("the test's setting for a name replaces that of its suite", .fake("joke", case: "udp"))
    func replaced() async throws {
      _ = try await JokeClient(baseURL: FakeAPI.current.baseURL()).randomJoke()
    }
  }

  @Test("a held response waits for the test", .fake("joke"))
  func hold() async throws {
    let fake = try FakeAPI.current
    let client = try JokeClient(baseURL: fake.baseURL())
    let responses = try fake.hold("joke/random-joke")
    async let joke = client.randomJoke()
    let response = await responses.next()
    #expect(response?.request.path == "/joke/random_joke")
    #expect(await response?.release() == true)
    _ = try await joke
    await responses.end()
    _ = try await client.randomJoke()
  }

  @Test(
    "an upstream or a contract can be off", .fake("joke"), arguments: ["joke", "joke/random-joke"])
  func off(name: String) async throws {
    let fake = try FakeAPI.current
    let client = try JokeClient(baseURL: fake.baseURL())
    try fake.use(.off, of: name)
    let error = await #expect(throws: (any Error).self) { try await client.randomJoke() }
    #expect(!(error is UnexpectedStatus))
    try fake.use(.fake, of: name)
    _ = try await client.randomJoke()
    #expect(throws: FakeError.self) { try fake.use(.off, of: "jok") }
    try fake.use(.off, of: name)
  }

  @Test("a test whose upstream is off has reached it", .fake("joke"))
  func offAlone() async throws {
    let fake = try FakeAPI.current
    try fake.use(.off, of: "joke")
    let client = try JokeClient(baseURL: fake.baseURL())
    await #expect(throws: (any Error).self) { try await client.randomJoke() }
  }

  @Test("the next request is there before it is served", .fake("joke/random-joke"))
  func nextRequest() async throws {
    let fake = try FakeAPI.current
    let client = try JokeClient(baseURL: fake.baseURL())
    let responses = try fake.hold("joke/random-joke")
    async let joke = client.randomJoke()
    let request = await fake.nextRequest(to: "joke")
    #expect(request?.description == "GET /joke/random_joke  joke/random-joke#ok")
    await responses.end()
    _ = try await joke
  }

  @Test("requests are counted by upstream, contract and case", .fake())
  func counts() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL(of: "joke"))
    try fake.use("udp", of: "joke/random-joke")
    _ = try await client.randomJoke()
    _ = try await client.joke(at: "/jokes/1")
    await fake.expectRequests(2)
    await fake.expectRequests(2, to: "joke")
    await fake.expectRequests(1, to: "joke/random-joke")
    await fake.expectRequests(1, case: "udp")
    await fake.expectRequests(0, to: "dog-ceo")
    #expect(
      try await fake.requests(to: "joke").map(\.path) == ["/joke/random_joke", "/joke/jokes/1"])
  }

  @Test(
    "a test sees the secrets that it sends, and its failure messages do not show them",
    .fake("joke"))
  func secrets() async throws {
    let fake = try FakeAPI.current
    let client = JokeClient(baseURL: try fake.baseURL())
    _ = try await client.joke(
      at: "/random_joke?token=abc", headers: ["Authorization": "Bearer mine"])
    let request = try #require(await fake.expectRequests().first)
    #expect(request.header("authorization") == "Bearer mine")
    #expect(request.query == "token=abc")
    #expect(
      request.description == "GET /joke/random_joke?token=[redacted]  joke/random-joke#ok")
  }

  @Test("a part of a test has a fake of its own, which is the current one there")
  func part() async throws {
    try await withFake("joke", case: "not-found") { fake in
      #expect(try FakeAPI.current === fake)
      let client = JokeClient(baseURL: try fake.baseURL())
      await #expect(throws: UnexpectedStatus(code: 404)) { try await client.randomJoke() }
    }
  }

  @Test("contracts are where the test says", .fake("joke", contracts: "../../Contracts/joke"))
  func elsewhere() async throws {
    _ = try await JokeClient(baseURL: FakeAPI.current.baseURL()).randomJoke()
  }
}

/// What is said of names that are wrong, word for word.
@Suite struct FakeErrorTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attempt: @Sendable (FakeAPI) throws -> Void

    init(_ message: String, _ attempt: @escaping @Sendable (FakeAPI) throws -> Void) {
      testDescription = message
      self.attempt = attempt
    }
  }

  @Test(
    "a wrong name is an error with a suggestion",
    arguments: [
      Mistake("unknown upstream \"jok\"\n  fix: did you mean \"joke\"?") {
        _ = try $0.baseURL(of: "jok")
      },
      Mistake(
        "unknown contract \"joke/any-of-them\"\n  fix: known: dog-ceo/breed-images, dog-ceo/breeds,"
          + " dog-ceo/random-image, dog-ceo/random-images, dog-ceo-images/picture,"
          + " dogpatch/dogs, github/org-repos, github/repo, joke/joke-by-id, joke/random-joke,"
          + " restaurants/add-favorite, restaurants/delete-favorite, …"
      ) {
        try $0.use("ok", of: "joke/any-of-them")
      },
      Mistake(
        "unknown case \"notfound\" of joke/random-joke\n  fix: did you mean \"not-found\"?"
      ) {
        try $0.use("notfound", of: "joke/random-joke")
      },
      Mistake("unknown case \"not-fond\" of joke/joke-by-id\n  fix: did you mean \"not-found\"?") {
        try $0.use(["ok", "not-fond"], of: "joke/joke-by-id")
      },
      Mistake("unknown contract \"joke/joke-by-ids\"\n  fix: did you mean \"joke/joke-by-id\"?") {
        _ = try $0.hold("joke/joke-by-ids")
      },
      Mistake("unknown scenario \"none\" of joke") {
        try $0.use(scenario: "none", of: "joke")
      },
      Mistake(
        """
        found 6 upstreams, expected a name
          fix: name it: baseURL(of: "dog-ceo") or baseURL(of: "dog-ceo-images") or \
        baseURL(of: "dogpatch") or baseURL(of: "github") or baseURL(of: "joke") or \
        baseURL(of: "restaurants")
        """
      ) { _ = try $0.baseURL() },
    ])
  func mistake(_ mistake: Mistake) async throws {
    let failure = Failures()
    await failure.collect {
      try await withFake { fake in try mistake.attempt(fake) }
    }
    #expect(failure.texts == [mistake.testDescription])
  }

  @Test("a trait with a wrong name fails its test")
  func trait() async throws {
    let failure = Failures()
    await failure.collect { try await Failures.run(.fake("jok")) {} }
    await failure.collect { try await Failures.run(.fake("joke", case: "malformd")) {} }
    await failure.collect { try await Failures.run(.fake(contracts: "Nowhere")) {} }
    #expect(failure.texts.prefix(1) == ["unknown upstream \"jok\"\n  fix: did you mean \"joke\"?"])
    #expect(failure.texts.count == 3)
  }

  @Test("a test without a fake learns how to get one")
  func noFake() {
    let error = #expect(throws: FakeError.self) { try FakeAPI.current }
    #expect(
      error?.description == """
        this test has no fake
          fix: add .fake("my-upstream") to its @Test or @Suite, or use withFake(…)
        """)
  }
}
