import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

@testable import UnderstudyDrafting
@testable import UnderstudyDrift

/// A live API that redirects, with what it redirects to.
private struct Moved {
  let server: FakeServer
  let url: String
  var environment: [String: String] = [:]
  var consumer = LiveStage.consumer
  var contract = LiveStage.contract

  init(to location: String, status: Int = 302) async throws {
    let library = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "moved": { "status": \(status), "headers": { "Location": "\(location)" } } } }
      """,
      "joke/new.json": Self.new, "other/upstream.json": #"{ "summary": "Others" }"#,
      "other/new.json": Self.new, "known/upstream.json": #"{ "summary": "Others" }"#,
      "known/new.json": Self.new,
    ])
    server = try await FakeServer.start(library)
    url = try #require(server.baseURL(of: "joke"))
  }

  private static let new = """
    { "summary": "A joke", "request": { "method": "GET", "path": "/new" },
      "cases": { "ok": { "status": 200, "body": { "id": 8 } } } }
    """

  /// Another server, which responds at `/joke/new`.
  static func elsewhere() async throws -> Moved { try await Moved(to: "/") }

  static let follower = ServiceConsumer("jokes.random") { call in
    var request = ClientRequest(url: try call.baseURL(of: "joke") + "/random")
    request.options.redirectCountMax = 3
    return try await LiveStage.ask(request, call)
  }

  var stage: LiveStage {
    LiveStage(
      ContractLibrary(reading: [
        "consumers.json": LiveStage.consumers, "joke/random.json": contract,
        "joke/upstream.json": """
        { "summary": "Jokes", "baseURL": "\(url)",
          "secrets": { "X-Key": { "value": "{UNDERSTUDY_JOKE_KEY}", "optional": true } } }
        """,
        "known/upstream.json": """
        { "summary": "Others", "baseURL": "\(url.replacing("/joke", with: "/known"))",
          "secrets": { "X-Other": { "value": "{UNDERSTUDY_OTHER_KEY}", "optional": true } } }
        """,
      ]), at: nil, consumer: consumer, environment: environment)
  }

  /// What comes of it, without the port.
  func texts() async -> [String] {
    await stage.checks().map { $0.text.replacing(url, with: "URL") }
  }

  /// The paths that were asked for, with the secrets that came: `/joke/new X-Key`
  func journal() async -> [String] {
    await server.journal().map { entry in
      entry.path
        + ["X-Key", "X-Other"].filter { entry.request.headerValue(HeaderName($0)) != nil }.map {
          " \($0)"
        }
        .joined()
    }
  }
}

/// An upstream that redirects, and responses where it redirects to.
private struct Redirecting: ResponseSource {
  let location: String
  var response = LiveResponse(
    status: 200, headers: [], body: Array("{\"id\":8}".utf8), latency: .zero)

  /// With a service that follows it.
  static func stage(secret: String? = nil) -> LiveStage {
    let upstream = """
      { "summary": "Jokes", "baseURL": "https://jokes.example",
        "secrets": { "X-Key": { "value": "{UNDERSTUDY_JOKE_KEY}", "optional": true } } }
      """
    return LiveStage(
      LiveStage.library(upstream: upstream), at: nil, consumer: Moved.follower,
      environment: secret.map { ["UNDERSTUDY_JOKE_KEY": $0] } ?? [:])
  }

  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    guard target == "/random" else { return .response(response) }
    return Self.redirect(302, to: location)
  }

  static func redirect(_ status: Int, to location: String) -> LiveExchange.Outcome {
    .response(
      LiveResponse(
        status: status, headers: [HeaderField(name: "Location", value: location)], body: [],
        latency: .zero))
  }

  func results(on stage: LiveStage = Self.stage()) async -> [LiveCaseResult] {
    await stage.results { _, _, _ in self }
  }
}

@Suite struct RedirectTests {
  @Test(
    "the target of a redirect is checked, and the redirect is reported",
    arguments: [301, 302, 307, 308])
  func followed(status: Int) async throws {
    let moved = try await Moved(to: "/joke/new", status: status)
    #expect(
      await moved.texts() == [
        """
        pass joke/random#ok
          note redirect followed a redirect (\(status)) to URL/new
        """,
        """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error unexpectedStatus \(status), expected a value; it was \
        redirected (\(status)) to URL/new and did not follow
        """,
      ])
    await moved.server.close()
  }

  @Test("a service that follows sees no difference, and its response is the one that is checked")
  func follower() async throws {
    var moved = try await Moved(to: "/joke/new")
    moved.consumer = Moved.follower
    #expect(
      await moved.texts() == [
        """
        pass joke/random#ok
          note redirect followed a redirect (302) to URL/new
        """, "pass joke/random#ok, jokes.random",
      ])
    #expect(await moved.journal() == ["/joke/random", "/joke/new"])
    await moved.server.close()
  }

  @Test("a redirect that the case expects is its response")
  func expected() async throws {
    var moved = try await Moved(to: "/joke/new")
    moved.contract = """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "moved": { "status": 302, "headers": { "Location": "/new" }, "live": {} } } }
      """
    #expect(await moved.texts() == ["pass joke/random#moved"])
    #expect(await moved.journal() == ["/joke/random"])
    await moved.server.close()
  }

  @Test("secrets go as far as the origin that declares them")
  func secrets() async throws {
    let elsewhere = try await Moved.elsewhere()
    for (location, journal) in [
      ("/joke/new", ["/joke/random X-Key", "/joke/new X-Key"]),
      ("/other/new", ["/joke/random X-Key", "/other/new X-Key"]),
      // Of another upstream that is known.
      ("/known/new", ["/joke/random X-Key", "/known/new"]),
      ("\(elsewhere.url)/new", ["/joke/random X-Key"]),
    ] {
      var moved = try await Moved(to: location)
      moved.consumer = Moved.follower
      moved.environment = ["UNDERSTUDY_JOKE_KEY": "key-1", "UNDERSTUDY_OTHER_KEY": "key-2"]
      let result = try #require(await moved.stage.results().first)
      let found = await moved.journal()
      #expect(found == journal)
      #expect(
        result.exchanges.map(\.exchange.target).last
          == [
            "/joke/new": "/new", "/other/new": moved.url.replacing("/joke", with: "/other/new"),
            "/known/new": "/new", "\(elsewhere.url)/new": "\(elsewhere.url)/new",
          ][location])
      await moved.server.close()
    }
    #expect(await elsewhere.journal() == ["/joke/new"])
    await elsewhere.server.close()
  }

  @Test("a request that waits for its turn longer than its timeout is still sent")
  func late() async throws {
    var moved = try await Moved(to: "/joke/new")
    let url = moved.url
    moved.consumer = ServiceConsumer("jokes.random") { call in
      var request = ClientRequest(url: url + "/random")
      request.options.redirectCountMax = 3
      request.options.deadline = .now
      return try await LiveStage.ask(request, call)
    }
    #expect(await moved.texts().last == "pass joke/random#ok, jokes.random")
    await moved.server.close()
  }

  @Test("a redirect loop is drift")
  func circle() async throws {
    var moved = try await Moved(to: "/joke/random")
    moved.consumer = Moved.follower
    let texts = await moved.texts()
    #expect(
      texts.first == """
        fail joke/random#ok after 2
          error status found status 302 to /joke/random, expected 200
          note redirect a redirect (302) to URL/random was not followed: it came \
        after 5 others
        """)
    #expect(texts.last?.hasPrefix("fail joke/random#ok, jokes.random after 2\n") == true)
    #expect(
      texts.last?.hasSuffix("; it was redirected 4 times, last (302) to URL/random") == true)
    await moved.server.close()
  }

  @Test("a redirect to a host that does not respond could not be checked")
  func dead() async throws {
    let texts = try await ListeningSocket.refusing { url in
      let moved = try await Moved(to: "\(url)/new")
      let texts = await moved.texts()
      await moved.server.close()
      return texts.map { $0.replacing(url, with: "DEAD") }
    }
    #expect(
      texts.first?.hasPrefix(
        "couldNotCheck joke/random#ok\n  redirected to DEAD/new: no response from DEAD: cannot connect: "
      )
        == true)
    #expect(
      texts.last == """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error unexpectedStatus 302, expected a value; it was \
        redirected (302) to DEAD/new and did not follow
        """)
  }

  @Test("a service is not blamed for a redirect it would have followed")
  func refused() async {
    let results = await Redirecting(location: "http://jokes.example/new").results()
    #expect(
      results.flatMap(\.checks).map(\.text) == [
        """
        pass joke/random#ok after 2
          warning status found status 302 to http://jokes.example/new, expected 200
          note redirect a redirect (302) to http://jokes.example/new was not followed: \
        it leads from https to http
        """,
        """
        couldNotCheck joke/random#ok, jokes.random
          redirected to http://jokes.example/new, which is not followed: it leads from https to http
        """,
      ])
  }

  @Test("no redirect leads to an unspecified address, not even from this machine")
  func unspecified() async throws {
    let elsewhere = try await Moved.elsewhere()
    let there = elsewhere.url.replacing("127.0.0.1", with: "0.0.0.0")
    var moved = try await Moved(to: "\(there)/new")
    moved.consumer = Moved.follower
    let reason = "nobody is led to a link-local or unspecified address: 0.0.0.0"
    #expect(
      await moved.texts() == [
        """
        pass joke/random#ok after 2
          warning status found status 302 to \(there)/new, expected 200
          note redirect a redirect (302) to \(there)/new was not followed: \(reason)
        """,
        """
        couldNotCheck joke/random#ok, jokes.random
          redirected to \(there)/new, which is not followed: \(reason)
        """,
      ])
    #expect(await elsewhere.journal() == [])
    await moved.server.close()
    await elsewhere.server.close()
  }

  @Test("a refusal for missing secrets is explained")
  func lackOfSecrets() async {
    let refusal = LiveResponse(status: 401, headers: [], body: [], latency: .zero)
    let stage = Redirecting.stage(secret: "key-12345678")
    let results = await Redirecting(location: "https://other.example/new", response: refusal)
      .results(on: stage)
    #expect(
      results.flatMap(\.checks).first?.text == """
        couldNotCheck joke/random#ok
          redirected to https://other.example/new: access denied: found status 401; its secrets were \
        not sent there
        """)
  }

  @Test(
    "a response fetched without secrets is not revalidated", arguments: [nil, "key-12345678"])
  func tag(secret: String?) async throws {
    let response = LiveResponse(
      status: 200, headers: [HeaderField(name: "ETag", value: "\"1\"")], body: [], latency: .zero)
    let stage = Redirecting.stage(secret: secret)
    let results = await Redirecting(location: "https://other.example/new", response: response)
      .results(on: stage)
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path)
      .keep(results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let text = try String(contentsOfFile: "\(run)/joke/random#ok.json", encoding: .utf8)
    #expect(text.contains("\"selectors\"") == (secret == nil))
  }

  @Test("a redirect without a valid address is not followed, and is reported")
  func nowhere() async throws {
    let moved = try await Moved(to: "ftp://a:b@other.example/joke?token=abc#id_token=d")
    let text = await moved.texts().first
    #expect(
      text == """
        fail joke/random#ok after 2
          error status found status 302 to ftp://[redacted]@other.example/joke?token=[redacted], \
        expected 200
          note redirect a redirect (302) was not followed: its target is not an HTTP address
        """)
    await moved.server.close()
  }

  @Test("pages that redirects lead to are distinguished by their queries")
  func query() async throws {
    let result = try #require(
      await Redirecting(location: "https://a:b@other.example/new?page=2#top").results().first)
    #expect(
      result.exchanges.map(\.exchange.target) == ["/random", "https://other.example/new?page=2"])
  }

  @Test("a followed redirect is recognized among other requests")
  func parallel() {
    let redirects = ["/a", "/b"].map { path in
      LiveExchange(
        upstream: "joke", method: "GET", target: path,
        request: ClientRequest(url: "https://jokes.example" + path),
        outcome: Redirecting.redirect(302, to: "/new"))
    }
    let followed = redirects.map { redirect in
      LiveExchange(
        upstream: "joke", method: "GET", target: "/new",
        request: ClientRequest(url: "https://jokes.example/new"),
        outcome: .response(LiveResponse(status: 410, headers: [], body: [], latency: .zero)),
        redirects: [redirect])
    }
    #expect((redirects + followed).redirectNote(expecting: 200) == "")
    #expect(
      (redirects + [followed[1]]).redirectNote(expecting: 200)
        == "; it was redirected (302) to https://jokes.example/new and did not follow")
  }

  @Test("a redirect that would send a body elsewhere is reported with its target")
  func body() {
    let exchange = LiveExchange(
      upstream: "joke", method: "PUT", target: "/random",
      request: ClientRequest(.put, url: "https://jokes.example/random", body: [1]),
      outcome: Redirecting.redirect(307, to: "https://other.example/random?token=abc"))
    #expect(
      [exchange].redirectNote(expecting: 200)
        == "; it was redirected (307) to https://other.example/random, which is not followed: it"
        + " would send the body to another host")
  }

  @Test("a redirected response can be checked again")
  func replay() async throws {
    let elsewhere = try await Moved.elsewhere()
    let moved = try await Moved(to: "\(elsewhere.url)/new?signature=a")
    let results = await moved.stage.results()
    let replayed = try await moved.stage.checkedAgain(results)
    #expect(replayed.flatMap(\.checks) == results.flatMap(\.checks))
    #expect(replayed.first?.checks.map(\.result) == [.pass, .fail])
    await moved.server.close()
    await elsewhere.server.close()
  }
}
