import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

/// Upstreams that response well at one time and not at another.
@Suite struct IntermittentTests {
  private struct Joke: Decodable { let punchline: String }
  private struct AnyJoke: Decodable { let punchline: String? }

  private static let contract = """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": { "punchline": "So." }, "live": {},
          "schema": { "properties": { "punchline": { "type": "string" } } },
          "expect": { "jokes.random": { "value": "So." }, "jokes.shown": { "value": "So." } } } } }
    """
  private static let upstream = #"{ "summary": "Jokes", "baseURL": "https://jokes.example" }"#
  private static let consumers = """
    { "jokes.random": { "upstreams": ["joke"], "errors": { "invalidData": null } },
      "jokes.shown": { "upstreams": ["joke"], "errors": { "invalidData": null } } }
    """

  private static let live = ContractLibrary(reading: [
    "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    "joke/random.json": """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": { "punchline": "Ha." } },
        "null": { "status": 200, "body": { "punchline": null } },
        "gone": { "status": 410, "text": "no more" } } }
    """,
  ])

  /// - Parameter reads: gives the value of a body, in JSON.
  private static func consumer(
    _ name: String, reads: @escaping @Sendable (JSONTreeDecoder, JSONValue) throws -> String
  ) -> ServiceConsumer {
    ServiceConsumer(name) { call in
      do {
        let body = try await LiveStage.ask(
          ClientRequest(url: call.baseURL(of: "joke") + "/random"), call)
        let root = try JSONDocument(parsing: body).root
        return Array(try reads(JSONTreeDecoder(recorder: call.recorder), root).utf8)
      } catch {
        throw ConsumerError("invalidData")
      }
    }
  }

  /// Takes no joke without a punchline.
  private static let strict = consumer("jokes.random") { decoder, root in
    "\"\(try decoder.decode(Joke.self, from: root).punchline)\""
  }

  /// What comes of it when the server serves these cases one after the other.
  private static func checks(
    serving cases: [String], samples: Int = 2, consumers: [ServiceConsumer] = [strict]
  ) async throws -> (checks: [Check], requestCount: Int) {
    let server = try await FakeServer.start(live)
    server.use(cases, for: "joke/random")
    let library = ContractLibrary(reading: [
      "consumers.json": Self.consumers, "joke/upstream.json": upstream,
      "joke/random.json": contract,
    ])
    var stage = LiveStage(library, at: server.baseURL(of: "joke"), consumers: consumers)
    stage.configuration.sampleCount = samples
    let checks = await stage.results().flatMap(\.checks)
    let count = await server.journal().count
    await server.close()
    return (checks, count)
  }

  @Test("a response that a service rejects is an error, though the next is fine")
  func once() async throws {
    let checks = try await Self.checks(serving: ["null", "ok"]).checks
    #expect(
      checks.map(\.text) == [
        """
        fail joke/random#ok after 2
          error schema-nullability-changed found null, expected string, read by jokes.random \
        (intermittent: in 1 of 2 responses)
        """,
        """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error invalidData, expected a value \
        (intermittent: in 1 of 2 responses)
        """,
      ])
    #expect(
      checks.last?.findings.first?.fix
        == "make jokes.random handle such a response, ask joke to revert the change, or accept it with a reason"
    )
    #expect(
      checks.flatMap(\.findings).map(\.frequency)
        == Array(repeating: Finding.Frequency(1, of: 2), count: 2))
  }

  @Test("a broken response that was seen is always error, and no other is", arguments: 0..<60)
  func seeded(seed: Int) async throws {
    var dice = Dice(seed: UInt64(seed))
    let samples = dice.pick([2, 3, 5])
    let cases = (0..<samples).map { _ in dice.pick(["ok", "null"]) }
    let (checks, requestCount) = try await Self.checks(serving: cases, samples: samples)
    let isSeen = cases.dropLast().contains("null")
    #expect(requestCount == (isSeen ? samples : samples - 1))
    #expect(checks.map(\.result) == Array(repeating: isSeen ? .fail : .pass, count: 2))
    let frequency = Finding.Frequency(cases.count { $0 == "null" }, of: samples)
    for finding in checks.flatMap(\.findings) {
      #expect(finding.severity == .error)
      #expect(finding.frequency == frequency)
    }
  }

  @Test("an intermittent status is error if it breaks a service")
  func status() async throws {
    let checks = try await Self.checks(serving: ["gone", "ok"]).checks
    #expect(
      checks.first?.text == """
        fail joke/random#ok after 2
          error status found status 410, expected 200 (intermittent: in 1 of 2 responses)
        """)
  }

  @Test("a service is checked on the response that another one was given")
  func otherReader() async throws {
    let lenient = Self.consumer("jokes.random") { decoder, root in
      "\"\(try decoder.decode(AnyJoke.self, from: root).punchline ?? "none")\""
    }
    let other = Self.consumer("jokes.shown") { decoder, root in
      "\"\(try decoder.decode(Joke.self, from: root).punchline)\""
    }
    let checks = try await Self.checks(
      serving: ["null", "ok"], consumers: [lenient, other]
    ).checks
    #expect(
      checks.map(\.text) == [
        """
        fail joke/random#ok after 2
          error schema-nullability-changed found null, expected string, read by jokes.random, \
        jokes.shown (intermittent: in 1 of 2 responses)
        """,
        "pass joke/random#ok, jokes.random",
        """
        fail joke/random#ok, jokes.shown after 2
          error consumer-broken found the error invalidData, expected a value \
        (intermittent: in 1 of 2 responses)
        """,
      ])
  }

  @Test("sends no more requests than the rate allows, and reserves the last for cases in doubt")
  func rate() async throws {
    let server = try await FakeServer.start(Self.live)
    server.use(["ok", "ok", "null"], for: "joke/random")
    let library = ContractLibrary(reading: [
      "consumers.json": Self.consumers, "joke/random.json": Self.contract,
      "joke/upstream.json": """
      { "summary": "Jokes", "baseURL": "https://jokes.example",
        "rate": { "requests": 4, "per": "1h" } }
      """,
    ])
    var stage = LiveStage(library, at: server.baseURL(of: "joke"), consumers: [Self.strict])
    stage.configuration.sampleCount = 10
    let checks = await stage.results().flatMap(\.checks)
    #expect(await server.journal().count == 4)
    #expect(checks.map(\.result) == [.fail, .fail])
    let findings = checks.flatMap(\.findings)
    #expect(!findings.isEmpty && findings.allSatisfy { $0.frequency?.count == 2 })
    await server.close()
  }

  @Test("kept responses are checked as the run did that got them", arguments: [2, 4])
  func replay(samples: Int) async throws {
    let server = try await FakeServer.start(Self.live)
    server.use(["null", "ok", "null", "ok"], for: "joke/random")
    let library = ContractLibrary(reading: [
      "consumers.json": Self.consumers, "joke/upstream.json": Self.upstream,
      "joke/random.json": Self.contract,
    ])
    var stage = LiveStage(library, at: server.baseURL(of: "joke"), consumers: [Self.strict])
    stage.configuration.sampleCount = samples
    let results = await stage.results()
    await server.close()
    let again = try await stage.checkedAgain(results)
    #expect(!results.flatMap(\.checks).isEmpty)
    #expect(again.flatMap(\.checks) == results.flatMap(\.checks))
  }

  @Test("knows whether a header is read")
  func headers() async throws {
    let contract = Self.contract.replacing(
      #""status": 200,"#, with: #""status": 200, "headers": { "X-Kind": "a" },"#
    ).replacing(#", "jokes.shown": { "value": "So." }"#, with: "")
    let library = ContractLibrary(reading: [
      "consumers.json": Self.consumers, "joke/upstream.json": Self.upstream,
      "joke/random.json": contract,
    ])
    let server = try await FakeServer.start(Self.live)
    let reading = ServiceConsumer("jokes.random") { call in
      let url = try call.baseURL(of: "joke") + "/random"
      let response = try await call.transport.send(ClientRequest(url: url))
      return Array("\"\(response.headers["x-kind"] ?? "none")\"".utf8)
    }
    for (consumer, text) in [
      (Self.strict, "note header-removed no header X-Kind, expected \"a\""),
      (
        reading,
        "warning header-removed no header X-Kind, expected \"a\", read by jokes.random"
      ),
    ] {
      let stage = LiveStage(library, at: server.baseURL(of: "joke"), consumers: [consumer])
      let findings = await stage.results().flatMap(\.checks).flatMap(\.findings)
      #expect(
        findings.map { "\($0.severity.rawValue) \($0.type.rawValue) \($0.message)" } == [text])
      #expect(findings.map(\.header) == ["X-Kind"])
    }
    await server.close()
  }
}
