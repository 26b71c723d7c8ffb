import Foundation
import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting
@testable import UnderstudyDrift

/// What was recorded of an API nobody here wrote is served, and asked again.
@Suite struct ReplayTests {
  /// A recording of some requests, written.
  private struct Replay {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("replay \(UUID().uuidString)").path
    let recording: Recording
    let library: ContractLibrary

    init(_ exchanges: [RecordedExchange], of url: String, secrets: [String] = []) throws {
      let target = RecordingTarget(
        folder: folder, upstreamName: "copy", baseURL: WebURL(base: url), upstream: nil)
      recording = try Recording(
        of: exchanges, for: target, paths: [], mask: SecretMask(secrets: [], seen: secrets),
        differs: { $0.differs(from: $1, in: $2) })
      for file in recording.files {
        let url = URL(fileURLWithPath: file.path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
      library = try ContractLibrary.load([folder])
      #expect(library.findings == [])
      #expect(recording.findings == [])
      #expect(recording.refusals == [])
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func reason(of request: WireMessage) -> String? {
      recording.unrecorded.first { $0.request == "\(request.method) \(request.target)" }?.reason
    }

    func isLeftOut(_ header: String) -> Bool {
      recording.contracts.contains {
        $0.volatileHeaders.contains(header) || $0.secretHeaders.contains(header)
      }
    }

    /// What `drift` has against the live API, and what it could not ask.
    func drift() async -> [String] {
      let plan = DriftPlan(
        library, ConsumerRegistry([]), DriftPlan.Options(), environment: { _ in nil })
      var connection = CurlConfiguration()
      connection.ignoresProxies = true
      let transport = CurlTransport(connection)
      let clock = TestTime().clock
      let network = LiveNetwork(
        transport, local: transport, upstreams: plan.upstreams, earlier: EarlierResponses(),
        clock: clock, timeout: .seconds(30), deadline: .seconds(60))
      let run = DriftRun(
        plan, library, from: { _, _, round in network.responses(inRound: round) }, clock: clock,
        now: clock.now(), DriftConfiguration())
      let checks = await run.results().flatMap(\.checks)
      await transport.close()
      return checks.filter { $0.result != .pass || !$0.findings.isEmpty }.map(\.text)
    }
  }

  private static func exchange(
    _ asked: WireMessage, _ responses: [WireMessage]
  ) -> RecordedExchange {
    RecordedExchange(
      method: asked.method, path: asked.path,
      query: asked.target.contains("?") ? asked.query : nil,
      headers: asked.headers.map { HeaderField(name: $0[0], value: $0[1]) }, body: asked.body,
      responses: responses.map { response in
        LiveResponse(
          status: response.status,
          headers: response.headers.map { HeaderField(name: $0[0], value: $0[1]) },
          body: response.body, latency: .zero)
      })
  }

  private static let meaningful = [
    "Content-Type", "ETag", "Vary", "Cache-Control", "Location", "Retry-After", "Content-Range",
    "X-RateLimit-Limit", "X-RateLimit-Remaining", "Last-Modified", "Content-Language",
    "WWW-Authenticate", "Set-Cookie",
  ]

  /// What is not as it was, in words.
  private static func difference(
    _ found: WireMessage, _ expected: WireMessage, _ replay: Replay,
    bases: (fake: String, live: String)
  ) -> String? {
    if found.status != expected.status { return "status \(found.status)" }
    let isSame =
      found.body == expected.body
      || (try? JSONDocument(parsing: found.body)).flatMap { own in
        (try? JSONDocument(parsing: expected.body)).map { own.root.isEqual(to: $0.root) }
      } ?? false
    if !isSame { return "body \(String(decoding: found.body, as: UTF8.self))" }
    for name in meaningful where !replay.isLeftOut(name) {
      let own = found.values(name).map { $0.replacing(bases.fake, with: bases.live) }
      let wanted = expected.values(name).map { value in
        name == "Set-Cookie"
          ? value.replacing(/=[^;]+;/, with: "=[redacted];", maxReplacements: 1) : value
      }
      if own != wanted { return "\(name) \(own), not \(wanted)" }
    }
    return nil
  }

  /// Why a request may be left out.
  private static let reasons = [
    "304 is the response to a conditional request, and no full response was recorded",
    "206 is the response to a conditional request, and no full response was recorded",
  ]

  @Test(
    "every recorded request gets its response, or is said not to, and drift is silent",
    arguments: 1...24)
  func replays(seed: Int) async throws {
    let api = try StrangeAPI()
    let asked = try await offPool { [port = api.port] in
      var dice = Dice(seed: UInt64(seed))
      return try (0..<40).map { _ in
        let request = StrangeAPI.request(&dice)
        return (request, try request.ask(port: port))
      }
    }
    let replay = try Replay(
      asked.map { Self.exchange($0, [$1]) }, of: api.url, secrets: ["sesame-open-now"])
    defer { replay.remove() }
    let fake = try await FakeServer.start(replay.library)
    let base = try #require(fake.baseURL(of: "copy"))
    let found = try await offPool { [port = UInt16(fake.address.port)] in
      try asked.map { request, _ in
        var request = request
        request.firstLine = "\(request.method) /copy\(request.target) HTTP/1.1"
        return try request.ask(port: port)
      }
    }
    var seen: Set<WireMessage> = []
    var lostCount = 0
    for ((request, expected), found) in zip(asked, found) where seen.insert(request).inserted {
      if let reason = replay.reason(of: request) {
        #expect(Self.reasons.contains(reason), "\(request.firstLine)")
        lostCount += 1
      } else {
        let words = Self.difference(found, expected, replay, bases: (base, api.url))
        #expect(words == nil, "\(request)")
      }
    }
    #expect(lostCount < seen.count / 3)
    await fake.close()
    let changes = await replay.drift()
    #expect(changes == [])
  }

  @Test("requests distinguished only by a header of the response are reported as not recorded")
  func otherTag() async throws {
    func exchange(_ target: String, _ tag: String) -> RecordedExchange {
      Self.exchange(
        WireMessage("GET", target),
        [
          WireMessage(
            status: 200, [["Content-Type", "application/json"], ["ETag", tag]], body: "{}")
        ])
    }
    let replay = try Replay(
      [exchange("/x", "\"1\""), exchange("/x?", "\"2\"")], of: "http://127.0.0.1:1")
    defer { replay.remove() }
    #expect(
      replay.recording.unrecorded.map { "\($0.request): \($0.reason)" } == [
        "GET /x?: \"ok\" has a different header ETag"
      ])
  }

  @Test("a tag stays readable, unless it is a secret that was seen", arguments: [true, false])
  func readableTag(isSecret: Bool) throws {
    let session = isSecret ? "765600554" : "765600555"
    let response = WireMessage(
      status: 200,
      [
        ["Content-Type", "application/json"], ["ETag", "\"765600554\""],
        ["Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"], ["Set-Cookie", "session=\(session)"],
      ], body: "{}")
    let replay = try Replay(
      [Self.exchange(WireMessage("GET", "/x"), [response])], of: "http://127.0.0.1:1")
    defer { replay.remove() }
    let text = replay.recording.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    #expect(text.contains("765600554") == !isSecret)
    #expect(text.contains("Sun, 06 Nov 1994 08:49:37 GMT"))
    #expect(!text.contains(session))
  }

  @Test("several responses of one URL replay as well", arguments: 1...8)
  func samples(seed: Int) async throws {
    let api = try StrangeAPI()
    let asked = try await offPool { [port = api.port] in
      var dice = Dice(seed: UInt64(seed))
      let requests = (0..<20).map { _ in StrangeAPI.request(&dice) }
        .filter { $0.method == "GET" && $0.headers.isEmpty }
      return try requests.map { request in
        (request, try (0..<3).map { _ in try request.ask(port: port) })
      }
    }
    let replay = try Replay(asked.map { Self.exchange($0, $1) }, of: api.url)
    defer { replay.remove() }
    #expect(replay.recording.unrecorded == [])
    let changes = await replay.drift()
    #expect(changes == [])
  }
}
