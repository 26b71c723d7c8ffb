import Foundation
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyServices

@testable import UnderstudyShowcase

/// Keys that a test presses, and what it sees of an app.
@MainActor
private final class TestConsole: Console {
  let isInteractive: Bool
  private(set) var written = ""
  private let drawn = AsyncStream<String>.makeStream()
  private let keys = AsyncStream<Character>.makeStream()
  private var shown = ""

  init(isInteractive: Bool) { self.isInteractive = isInteractive }

  func write(_ text: String) { written += text }

  func draw(_ text: String) { drawn.continuation.yield(text) }

  func nextKey() async -> Character? {
    for await key in keys.stream { return key }
    return nil
  }

  func press(_ key: Character) { keys.continuation.yield(key) }

  /// Waits until it shows something; what it shows then.
  func shows(_ text: String) async -> String {
    if shown.contains(text) { return shown }
    for await screen in drawn.stream {
      shown = screen
      if screen.contains(text) { break }
    }
    return shown
  }
}

/// The apps over real services and a real fake.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct AppTests {
  private static let library = ShippedSuiteTests.library

  private static func withFake(
    _ cases: [String: [String]] = [:],
    _ body:
      @MainActor (Wiring, @Sendable (String) throws -> WebURL, FakeServer) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.timeScale = 0.001
    let server = try await FakeServer.start(
      #require(library), configuration: configuration)
    for (contract, names) in cases { server.use(names, for: contract) }
    var direct = CurlConfiguration()
    direct.ignoresProxies = true
    let transport = CurlTransport(direct)
    var wiring = Wiring(transport)
    wiring.options.goesOnce = true
    do {
      try await body(
        wiring, { try #require(server.baseURL(of: $0).flatMap { WebURL($0) }) }, server)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
    await transport.close()
  }

  @Test("dogs: an alert, RETRY, three dogs")
  func dogs() async throws {
    try await Self.withFake(["dog-ceo/random-images": ["reset", "stray-brace", "ok"]]) {
      wiring, url, _ in
      let app = DogsApp(
        service: LiveDogService(
          wiring, baseURL: try url("dog-ceo"), picturesBaseURL: try url("dog-ceo-images")),
        showsPictures: false)
      let console = TestConsole(isInteractive: true)
      let run = Task { await app.run(on: console) }
      #expect(
        await console.shows("RETRY") == """
          Dogs


            ! Error loading dogs
              [ RETRY ]

          r RETRY   q quit

          """)
      console.press("r")
      #expect(await console.shows("Error parsing dogs").contains("[ RETRY ]"))
      console.press("r")
      #expect(
        await console.shows("Komondor") == """
          Dogs

          Setter English
          Retriever Golden
          Komondor

          r other dogs   q quit

          """)
      console.press("q")
      #expect(await run.value)
    }
  }

  @Test("restaurants: favorites are added and deleted by number, and an alert is dismissed")
  func restaurants() async throws {
    let cases = [
      "restaurants/list-restaurants": ["not-found", "ok"],
      "restaurants/delete-favorite": ["forbidden", "deleted"],
    ]
    try await Self.withFake(cases) { wiring, url, server in
      let app = RestaurantsApp(
        service: LiveRestaurantService(wiring, baseURL: try url("restaurants")))
      let console = TestConsole(isInteractive: true)
      let run = Task { await app.run(on: console) }
      #expect(
        await console.shows("RETRY").contains("  ! Request Failed: Error 404\n    [ RETRY ]\n"))
      console.press("r")
      #expect(
        await console.shows("BURGER KING").hasPrefix(
          """
          Restaurants

          1 McDonald's, 25-35 min, 4.0 Good (500+)
          2 KFC, 15-25 min, 4.1 Good (500+)
          3 Carl's Jr, 15-25 min, 3.8 Good (61)

          Favorites
          4 BURGER KING, 25-35 min, 4.3 Very good (500+)

          """))
      console.press("4")
      #expect(
        await console.shows("[ OK ]").contains("  ! Request Failed: Error 403\n    [ OK ]\n"))
      console.press("r")
      #expect(await console.shows("load again").contains("\nFavorites\n4 BURGER KING"))
      console.press("4")
      #expect(
        await console.shows("\n4 BURGER KING, 25-35 min, 4.3 Very good (500+)\n\nFavorites")
          .contains("3 Carl's Jr"))
      console.press("2")
      #expect(await console.shows("Favorites\n4 KFC").contains("\n2 Carl's Jr"))
      console.press("9")
      console.press("q")
      #expect(await run.value)
      #expect(
        await server.journal().map { "\($0.method) \($0.status ?? 0)" } == [
          "GET 404", "GET 200", "GET 200", "DELETE 403", "DELETE 200", "POST 200",
        ])
    }
  }

  typealias Make = @MainActor @Sendable (Wiring, (String) throws -> WebURL) throws -> any App

  private static let makers: [String: Make] = [
    "dogs": { wiring, url in
      DogsApp(
        service: LiveDogService(
          wiring, baseURL: try url("dog-ceo"), picturesBaseURL: try url("dog-ceo-images")),
        showsPictures: true)
    },
    "restaurants": { wiring, url in
      RestaurantsApp(service: LiveRestaurantService(wiring, baseURL: try url("restaurants")))
    },
    "jokes": { wiring, url in
      JokesApp(service: LiveJokeService(wiring, baseURL: try url("joke")))
    },
    "listings": { wiring, url in
      ListingsApp(service: LiveDogPatchService(wiring, baseURL: try url("dogpatch")))
    },
    "repos": { wiring, url in
      RepositoriesApp(
        service: LiveRepositoryService(wiring, baseURL: try url("github")),
        organisations: ["apple"])
    },
  ]

  @Test(
    "writes plain lines when not on a terminal",
    arguments: [
      (
        "restaurants", [:],
        """
        Restaurants
        Loading…
        1 McDonald's, 25-35 min, 4.0 Good (500+)
        2 KFC, 15-25 min, 4.1 Good (500+)
        3 Carl's Jr, 15-25 min, 3.8 Good (61)

        Favorites
        4 BURGER KING, 25-35 min, 4.3 Very good (500+)

        """
      ),
      (
        "dogs", ["dog-ceo/random-images": ["no-breed"], "dog-ceo-images/picture": ["not-found"]],
        "Dogs\nLoading…\nUnknown  (no picture)\n"
      ),
      (
        "dogs", ["dog-ceo/random-images": ["empty"]], "Dogs\nLoading…\nNo dogs\n"
      ),
      (
        "jokes", [:],
        "Jokes\nLoading…\nWhat does an angry pepper do?\nIt gets jalapeño face.\n"
      ),
      (
        "listings", [:],
        "Dogs for sale\nLoading…\nJack, German Shepherd, $399.99\nLulu, Poodle, $225.99\n"
      ),
      (
        "repos", ["github/org-repos": ["one-page"]],
        "Repositories of apple\nLoading…\n"
      ),
    ] as [(String, [String: [String]], String)])
  func plain(name: String, cases: [String: [String]], text: String) async throws {
    try await Self.withFake(cases) { wiring, url, _ in
      let make = try #require(Self.makers[name])
      let app = try make(wiring, url)
      let console = TestConsole(isInteractive: false)
      #expect(await app.run(on: console))
      #expect(console.written.hasPrefix(text), "\(console.written)")
    }
  }

  @Test(
    "ends with an alert when not on a terminal",
    arguments: [
      ("dogs", "dog-ceo/random-images", "reset", "Dogs\nLoading…\nError loading dogs\n"),
      ("dogs", "dog-ceo/random-images", "cut-short", "Dogs\nLoading…\nError parsing dogs\n"),
      (
        "restaurants", "restaurants/list-favorites", "unavailable",
        "Restaurants\nLoading…\nRequest Failed\nError 503\n"
      ),
      ("jokes", "joke/random-joke", "rate-limited", "Jokes\nLoading…\nToo many requests\n"),
      (
        "listings", "dogpatch/dogs", "since-1970",
        "Dogs for sale\nLoading…\nInvalid response\n"
      ),
      (
        "repos", "github/org-repos", "hung-up",
        "Repositories of apple\nLoading…\nNo connection\n"
      ),
    ])
  func alert(name: String, contract: String, served: String, text: String) async throws {
    try await Self.withFake([contract: [served]]) { wiring, url, _ in
      let make = try #require(Self.makers[name])
      let app = try make(wiring, url)
      let console = TestConsole(isInteractive: false)
      #expect(await app.run(on: console) == false)
      #expect(console.written == text)
    }
  }

  @Test("an upstream cannot control the terminal")
  func harmless() {
    #expect("a\u{1B}[2Jb\u{202E}c\nd é".harmless == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d é")
  }
}
