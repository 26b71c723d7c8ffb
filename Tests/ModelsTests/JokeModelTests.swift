import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct JokeModelTests {
  private static let contract = "joke/random-joke"
  private static let udp = Joke(
    id: 73, type: "programming", setup: "The punchline often arrives before the set-up.",
    punchline: "Do you know the problem with UDP jokes?")

  private static func model(
    _ stage: any Stage, _ state: JokeModel.State = .idle
  ) throws -> JokeModel {
    try JokeModel(
      service: LiveJokeService(stage.wiring, baseURL: stage.baseURL(of: "joke")), state: state)
  }

  @Test("sends no request on init")
  func initial() {
    let stub = StubTransport()
    let model = JokeModel(
      service: LiveJokeService(Wiring(stub)), state: .loaded(Self.udp))
    #expect(model.state == .loaded(Self.udp))
    #expect(stub.requests == [])
  }

  @Test("\"Tell me another!\" sends exactly one request to the right URL")
  func url() async {
    #expect(JokeModel.buttonTitle == "Tell me another!")
    let stub = StubTransport()
    stub.respondToOthers(.response(500))
    await JokeModel(service: LiveJokeService(Wiring(stub))).tellAnother()
    #expect(stub.requests.map(\.method) == [.get])
    #expect(
      stub.requests.map(\.url) == ["https://official-joke-api.appspot.com/random_joke"])
  }

  @Test("it is loading, and then loaded", arguments: Venue.allCases)
  func loaded(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "udp")
      let states = try await states(of: { try Self.model(stage) }) { await $0.tellAnother() }
      #expect(states == [.idle, .loading, .loaded(Self.udp)])
    }
  }

  @Test(
    "it is loading, and then failed, and says how", arguments: Venue.allCases,
    [
      ("reset", "No connection"), ("html-page", "Invalid response"),
      ("error-with-200", "Invalid response"), ("not-found", "Error 404"),
      ("rate-limited", "Too many requests"),
    ])
  func failed(venue: Venue, failure: (name: String, message: String)) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, failure.name)
      let states = try await states(of: { try Self.model(stage) }) { await $0.tellAnother() }
      #expect(states == [.idle, .loading, .failed(failure.message)])
    }
  }

  @Test("after a failure the button tries again", arguments: Venue.allCases)
  func retry(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "server-error", "udp")
      let states = try await states(of: { try Self.model(stage) }) { model in
        await model.tellAnother()
        await model.tellAnother()
      }
      #expect(states == [.idle, .loading, .failed("Error 500"), .loading, .loaded(Self.udp)])
    }
  }

  @Test("a second tap while loading sends no request", arguments: Venue.allCases)
  func secondTap(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "udp", held: true)
      let model = try Self.model(stage)
      let tap = Task { await model.tellAnother() }
      let release = try await stage.nextHeld(Self.contract)
      #expect(model.state == .loading)
      await model.tellAnother()
      await release()
      await tap.value
      #expect(model.state == .loaded(Self.udp))
      #expect(await stage.requests() == ["GET /random_joke"])
    }
  }

  @Test("a cancelled load leaves the joke that was there", arguments: Venue.allCases)
  func cancelled(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage, .loaded(Self.udp))
      let tap = Task { await model.tellAnother() }
      _ = try await stage.nextHeld(Self.contract)
      tap.cancel()
      await tap.value
      #expect(model.state == .loaded(Self.udp))
    }
  }

  @Test(
    "a hundred of them, at once and in any order, share nothing", arguments: Venue.allCases)
  func repetitions(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "udp")
      let tasks = try (0..<100).map { number in
        let model = try Self.model(stage)
        return Task {
          // Every third is asked twice.
          for _ in 0...(number % 3 == 0 ? 1 : 0) { await model.tellAnother() }
          return model.state
        }
      }
      for task in tasks.shuffled() { #expect(await task.value == .loaded(Self.udp)) }
      #expect(await stage.requests().count == 134)
    }
  }
}
