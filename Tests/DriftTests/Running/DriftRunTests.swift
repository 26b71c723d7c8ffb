import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

@Suite struct DriftRunTests {
  @Test("passes when the live API responds as the contract says, with other values")
  func unchanged() async throws {
    #expect(
      try await LiveStage.texts(serving: ["ok"])
        .map { $0.prefix { $0 != "\n" } } == [
          "pass joke/random#ok", "pass joke/random#ok, jokes.random",
        ])
  }

  @Test("reports a change that two responses show, and the service it breaks")
  func changed() async throws {
    let texts = try await LiveStage.texts(serving: ["gone"])
    #expect(
      texts.first == """
        fail joke/random#ok after 2
          error status found status 410, as in the case "gone", expected 200
        """)
    #expect(
      texts.last == """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error unexpectedStatus 410, expected a value
        """)
  }

  @Test("does not report a value that only the first of two responses shows")
  func flicker() async throws {
    let contract = LiveStage.contract.replacing(
      #""status": 200,"#, with: #""status": 200, "headers": { "X-Kind": "a" },"#)
    let live = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": {
          "ok": { "status": 200, "headers": { "X-Kind": "a" }, "body": { "id": 8 } },
          "other": { "status": 200, "headers": { "X-Kind": "b" }, "body": { "id": 8 } } } }
      """,
    ])
    let server = try await FakeServer.start(live)
    server.use(["other", "ok"], for: "joke/random")
    let stage = LiveStage(
      LiveStage.library(contract: contract), at: server.baseURL(of: "joke"))
    #expect(
      await stage.checks().map(\.text) == [
        "pass joke/random#ok after 2", "pass joke/random#ok, jokes.random",
      ])
    await server.close()
  }

  @Test(
    "does not report an upstream that cannot be reached as changed",
    arguments: [
      (["endless"], "too many requests: found status 429, it asks to wait more than a year"),
      (["failing"], "server error: found status 500"),
      (["forbidden"], "access denied: found status 401"),
      (
        ["busy"], "server error: found status 503, it asks to wait 120 seconds"
      ),
      (
        ["limited"],
        "too many requests: found status 403, it asks to wait until 2033-05-18T03:34:20Z"
      ),
    ])
  func inconclusive(cases: [String], reason: String) async throws {
    let texts = try await LiveStage.texts(serving: cases) {
      $0.configuration.deadline = .seconds(30)
    }
    #expect(
      texts == [
        "couldNotCheck joke/random#ok\n  \(reason)",
        "couldNotCheck joke/random#ok, jokes.random\n  \(reason)",
      ])
  }

  @Test(
    "gives the refusal as the reason for requests that were not sent after it",
    arguments: [("busy", Check.Cause.away), ("limited", .limited)])
  func withheld(caseName: String, cause: Check.Cause) async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(caseName, for: "joke/random")
    var stage = LiveStage(
      LiveStage.library(
        upstream: """
          { "summary": "Jokes", "baseURL": "https://jokes.example", "rate": { "concurrency": 1 } }
          """,
        contract: LiveStage.contract.replacing(
          #""status": 410,"#, with: #""status": 410, "live": {},"#)),
      at: server.baseURL(of: "joke"))
    stage.configuration.deadline = .seconds(30)
    #expect(await stage.checks().map(\.cause) == Array(repeating: cause, count: 4))
    let journal = await server.journal()
    #expect(journal.count == 1)
    await server.close()
  }

  @Test("reports that nobody responds, without a second request")
  func unreachable() async throws {
    try await ListeningSocket.refusing { url in
      let checks = await LiveStage(at: url).checks()
      #expect(checks.map(\.result) == [.couldNotCheck, .couldNotCheck])
      #expect(checks.map(\.attemptCount) == [1, 1])
      for check in checks {
        #expect(
          check.reason
            == "no response from \(url): cannot connect: Couldn't connect to server (curl 7)")
      }
    }
  }

  @Test("repeats a request at once, or after the pause the upstream asks for, and then checks")
  func patience() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(["busy-now", "busy", "ok"], for: "joke/random")
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    #expect(await stage.checks().map(\.result) == [.pass, .pass])
    #expect(stage.time.pauses.contains(.seconds(120)))
    await server.close()
  }

  @Test("waits for the budget that the last response left")
  func budget() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(["last", "ok"], for: "joke/random")
    let twice = ServiceConsumer("jokes.random") { call in
      let request = ClientRequest(url: try call.baseURL(of: "joke") + "/random")
      _ = try await LiveStage.ask(request, call)
      return try await LiveStage.ask(request, call)
    }
    let stage = LiveStage(at: server.baseURL(of: "joke"), consumer: twice)
    #expect(await stage.checks().map(\.result) == [.pass, .pass])
    #expect(stage.time.pauses == [.seconds(60)])
    await server.close()
  }

  @Test(
    "repeats a request without waiting for slow upstreams", .timeLimit(.minutes(1)))
  func slowOthers() async throws {
    let contract =
      #"{ "request": { "method": "GET", "path": "/random" }, "cases": { "ok": CASE } }"#
    let stage = LiveStage(
      ContractLibrary(reading: [
        "joke/upstream.json": #"{ "summary": "Jokes" }"#,
        "joke/changed.json": contract.replacing("CASE", with: #"{ "status": 200, "live": {} }"#),
        "joke/slow.json": contract.replacing("CASE", with: #"{ "status": 410, "live": {} }"#),
      ]), at: "http://127.0.0.1:1")
    let (asked, asksAgain) = AsyncStream.makeStream(of: Void.self)
    let results = await stage.results { liveCase, _, round in
      Scripted {
        if round > 1 { asksAgain.finish() }
        if liveCase.contract.id == "joke/slow" { for await _ in asked {} }
        return .response(LiveResponse("", status: 410))
      }
    }
    #expect(
      results.flatMap(\.checks).map(\.text) == [
        """
        fail joke/changed#ok after 2
          error status found status 410, expected 200
        """, "pass joke/slow#ok",
      ])
  }

  @Test("leaves open what there was no time to request again")
  func noTime() async throws {
    let texts = try await LiveStage.texts(serving: ["gone"]) {
      $0.configuration.deadline = .seconds(20)
    }
    let reason = "it seems to have changed, and the deadline left no time to repeat the request"
    #expect(
      texts == [
        "couldNotCheck joke/random#ok\n  \(reason); seen once: status: found status 410,"
          + " as in the case \"gone\", expected 200",
        "couldNotCheck joke/random#ok, jokes.random\n  \(reason); seen once: consumer-broken:"
          + " found the error unexpectedStatus 410, expected a value",
      ])
  }

  @Test("reports what was seen once when the rate allows no second response")
  func rateUsedUp() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(["gone"], for: "joke/random")
    let library = LiveStage.library(
      upstream: """
        { "summary": "Jokes", "baseURL": "https://jokes.example",
          "rate": { "requests": 1, "per": "1h" } }
        """)
    let texts = await LiveStage(library, at: server.baseURL(of: "joke")).checks().map(\.text)
    #expect(
      texts.first == """
        couldNotCheck joke/random#ok after 2
          repeated request: the rate in upstream.json is used up: joke accepts requests again at \
        2033-05-18T04:33:20Z; seen once: status: found status 410, as in the case "gone", expected 200
        """)
    await server.close()
  }

  @Test(
    "waits a little before it repeats a request if no pause is asked for",
    arguments: ["eager", "past"])
  func eager(name: String) async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use([name, "ok"], for: "joke/random")
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    #expect(await stage.checks().map(\.result) == [.pass, .pass])
    #expect(stage.time.pauses.contains { $0 >= .milliseconds(100) })
    await server.close()
  }

  @Test(
    "sends the request itself, with the upstream's headers, where no service does")
  func ownRequest() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let library = LiveStage.library(
      upstream: """
        { "summary": "Jokes", "baseURL": "https://jokes.example",
          "headers": { "User-Agent": "understudy" } }
        """)
    let idle = ServiceConsumer("jokes.random") { _ in Array("1".utf8) }
    let stage = LiveStage(library, at: server.baseURL(of: "joke"), consumer: idle)
    #expect(await stage.checks().map(\.result) == [.pass, .pass])
    let journal = await server.journal()
    #expect(journal.map(\.path) == ["/joke/random"])
    #expect(journal.first?.request.headerValue("user-agent") == "understudy")
    await server.close()
  }

  @Test("names itself where neither the service nor the contract says who asks")
  func userAgent() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    _ = await LiveStage(at: server.baseURL(of: "joke")).checks()
    let agents = await server.journal().map { $0.request.headerValue("user-agent") }
    #expect(agents == [Recording.userAgent])
    await server.close()
  }

  @Test("sends one request for a case and its service")
  func once() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    _ = await LiveStage(at: server.baseURL(of: "joke")).checks()
    #expect(await server.journal().count == 1)
    await server.close()
  }

  @Test("sends nothing to an address that no contract knows")
  func foreign() async throws {
    let wanderer = ServiceConsumer("jokes.random") { call in
      try await LiveStage.ask(ClientRequest(url: "https://other.example/joke"), call)
    }
    let texts = try await LiveStage.texts(serving: ["ok"], consumer: wanderer)
    #expect(
      texts.last == """
        fail joke/random#ok, jokes.random after 2
          error foreign-host sent GET https://other.example/joke, expected only requests to the \
        upstreams of the contracts
        """)
  }

  @Test("sends nothing that could change something, unless the case says that it is safe")
  func unsafe() async throws {
    let writer = ServiceConsumer("jokes.random") { call in
      let url = try call.baseURL(of: "joke") + "/random"
      return try await LiveStage.ask(ClientRequest(.post, url: url, body: []), call)
    }
    let server = try await FakeServer.start(LiveStage.live)
    let stage = LiveStage(at: server.baseURL(of: "joke"), consumer: writer)
    let texts = await stage.checks().map(\.text)
    #expect(
      texts.last == """
        fail joke/random#ok, jokes.random after 2
          error request sent POST \(server.baseURL(of: "joke") ?? "")/random, expected no request \
        that could change something
        """)
    #expect(await server.journal().map(\.method) == ["GET", "GET"])
    await server.close()
  }
}

/// Responds to whatever is asked by a closure.
private struct Scripted: ResponseSource {
  let response: @Sendable () async -> LiveExchange.Outcome

  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome { await response() }
}
