import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct RepositoriesModelTests {
  private static let contract = "github/org-repos"
  private static let apple = "/orgs/apple/repos?per_page=100"

  private static func model(_ stage: any Stage) throws -> RepositoriesModel {
    try RepositoriesModel(
      service: LiveRepositoryService(stage.wiring, baseURL: stage.baseURL(of: "github")))
  }

  private static let onePage = [
    Repository(name: "gmaven", fullName: "jenkinsci/gmaven", stars: 5, language: "Java"),
    Repository(
      name: "core-js", fullName: "jenkinsci/core-js",
      description: "Patched core-js used in Hudson", stars: 2, language: "Java"),
  ]

  @Test("repos(from:) shows what is at an address", arguments: Venue.allCases)
  func from(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "one-page", at: "/orgs/apple/repos")
      let url = try stage.baseURL(of: "github").text + "/orgs/apple/repos"
      let states = try await states(of: { try Self.model(stage) }) { await $0.load(from: url) }
      #expect(states == [.idle, .loading, .loaded(Self.onePage)])
      #expect(await stage.requests() == ["GET /orgs/apple/repos"])
    }
  }

  @Test("an invalid URL is an error, without a request", arguments: Venue.allCases)
  func invalidURL(venue: Venue) async throws {
    try await venue.serve { stage in
      let states = try await states(of: { try Self.model(stage) }) {
        await $0.load(from: "fake url")
      }
      #expect(states == [.idle, .loading, .failed("Invalid address")])
      #expect(await stage.requests() == [])
    }
  }

  @Test("a sequence of responses is shown one by one", arguments: Venue.allCases)
  func sequence(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(
        Self.contract, "reset", "cut-short", "rate-limited", "not-found", "one-page",
        at: Self.apple)
      let states = try await states(of: { try Self.model(stage) }) { model in
        for _ in 1...5 { await model.load(organisations: ["apple"]) }
      }
      #expect(
        states == [
          .idle, .loading, .failed("No connection"), .loading, .failed("Invalid response"),
          .loading, .failed("Too many requests"), .loading, .failed("Error 404"), .loading,
          .loaded(Self.onePage),
        ])
    }
  }

  @Test(
    "several organisations are requested at once, and shown in their order",
    arguments: Venue.allCases)
  func several(venue: Venue) async throws {
    try await venue.serve { stage in
      for name in venue == .stub ? ["apple", "jenkinsci"] : ["apple"] {
        try stage.use(
          Self.contract, "one-page", at: "/orgs/\(name)/repos?per_page=100", held: true)
      }
      let model = try Self.model(stage)
      let load = Task { await model.load(organisations: ["apple", "jenkinsci"]) }
      let first = try await stage.nextHeld(Self.contract)
      let second = try await stage.nextHeld(Self.contract)
      #expect(model.state == .loading)
      await second()
      await first()
      await load.value
      #expect(model.state == .loaded(Self.onePage + Self.onePage))
    }
  }

  @Test("a load that is cancelled gives way to what was loaded before", arguments: Venue.allCases)
  func cancelled(venue: Venue) async throws {
    try await venue.serve { stage in
      let model = try Self.model(stage)
      try stage.use(Self.contract, "one-page", at: Self.apple)
      await model.load(organisations: ["apple"])
      let other = "/orgs/other/repos?per_page=100"
      try stage.use(Self.contract, "not-found", at: other, held: true)
      let first = Task { await model.load(organisations: ["other"]) }
      let releaseFirst = try await stage.nextHeld(Self.contract)
      let second = Task { await model.load(organisations: ["other"]) }
      _ = try await stage.nextHeld(Self.contract)
      second.cancel()
      await second.value
      #expect(model.state == .loaded(Self.onePage))
      await releaseFirst()
      await first.value
      #expect(model.state == .loaded(Self.onePage))
    }
  }

  @Test("the first of several organisations to fail gives the error, and ends the others")
  func firstError() async throws {
    let stub = StubTransport()
    stub.respond(url: "https://api.github.com/orgs/a/repos?per_page=100", .json("[]").held)
    stub.respond(url: "https://api.github.com/orgs/b/repos?per_page=100", .response(404).held)
    let model = RepositoriesModel(service: LiveRepositoryService(Wiring(stub)))
    let load = Task { await model.load(organisations: ["a", "b"]) }
    let held = [try #require(await stub.nextHeld()), try #require(await stub.nextHeld())]
    held.first { $0.request.url.contains("/b/") }?.release()
    await load.value
    #expect(model.state == .failed("Error 404"))
    #expect(held.allSatisfy { !$0.release() })
  }

  @Test("a third call that needs two others comes after both", arguments: Venue.allCases)
  func mostStarred(venue: Venue) async throws {
    try await venue.serve { stage in
      for name in venue == .stub ? ["apple", "jenkinsci"] : ["apple"] {
        try stage.use(Self.contract, "one-page", at: "/orgs/\(name)/repos?per_page=100")
      }
      try stage.use("github/repo", "ok", at: "/repos/jenkinsci/gmaven")
      let service = try LiveRepositoryService(
        stage.wiring, baseURL: stage.baseURL(of: "github"))
      #expect(try await service.mostStarred(of: "apple", and: "jenkinsci") != nil)
      let requests = await stage.requests()
      #expect(
        Set(requests.prefix(2)) == ["GET \(Self.apple)", "GET /orgs/jenkinsci/repos?per_page=100"])
      #expect(requests.dropFirst(2) == ["GET /repos/jenkinsci/gmaven"])
    }
  }

  @Test("the last request is shown, whichever response comes last", arguments: Venue.allCases)
  func latest(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "not-found", "one-page", at: Self.apple, held: true)
      let model = try Self.model(stage)
      let stream = model.states
      let first = Task { await model.load(organisations: ["apple"]) }
      let releaseFirst = try await stage.nextHeld(Self.contract)
      let second = Task { await model.load(organisations: ["apple"]) }
      let releaseSecond = try await stage.nextHeld(Self.contract)
      await releaseSecond()
      await second.value
      await releaseFirst()
      await first.value
      #expect(model.state == .loaded(Self.onePage))
      #expect(
        await stream.first(3) == [.idle, .loading, .loaded(Self.onePage)])
    }
  }
}
