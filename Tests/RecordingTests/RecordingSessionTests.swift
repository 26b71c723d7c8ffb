import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyTestSupport

@testable import UnderstudyRecording

/// What a run that records sends, where it puts the responses, and what it refuses.
@Suite struct RecordingSessionTests {
  private static let environment = ["UNDERSTUDY_COPY_KEY": "from-environment"]
  private static let upstream = """
    { "baseURL": "LIVE/v1", "headers": { "X-Own": "upstream" },
      "secrets": { "X-Api-Key": "Key {UNDERSTUDY_COPY_KEY}" } }
    """

  private let live: LiveAPI
  private let folder: TemporaryFolder

  init() throws {
    live = try LiveAPI()
    folder = try TemporaryFolder()
  }

  private func write(_ files: [String: String]) throws {
    for (name, text) in files { try folder.write(name, text.replacing("LIVE", with: live.url)) }
  }

  /// `LIVE` stands for the live API's address.
  private func session(
    _ urls: [String], environment: [String: String] = environment,
    _ change: (inout RecordingSession.Options) throws -> Void = { _ in }
  ) throws -> RecordingSession {
    var options = RecordingSession.Options(folder: folder.path)
    options.samples = 1
    try change(&options)
    let urls = try urls.map { text in
      try #require(WebURL(recording: text.replacing("LIVE", with: live.url)))
    }
    return try RecordingSession(
      urls, options, environment: { environment[$0] }, differs: { $0.differs(from: $1, in: $2) })
  }

  private func url(_ text: String) throws -> WebURL {
    try #require(WebURL(base: text.replacing("LIVE", with: live.url)))
  }

  // MARK: - What is sent

  /// The headers of the only request, by name.
  private func sent(
    _ lines: [(String, String)], environment: [String: String] = environment
  ) async throws -> [String: [String]] {
    try write(["copy/upstream.json": Self.upstream])
    let before = live.asked.count
    let session = try session(["LIVE/v1/thing"], environment: environment) {
      $0.headers = lines.map { HeaderField(name: $0.0, value: $0.1) }
    }
    #expect(await session.ask().failures.isEmpty)
    #expect(live.asked.count == before + 1)
    let asked = try #require(live.asked.last)
    return Dictionary(grouping: asked.headers, by: { $0[0].lowercased() }).mapValues {
      $0.map { $0[1] }
    }
  }

  @Test(
    "a header of the command line stands for the secret of its name, however it is spelled",
    arguments: ["X-Api-Key", "x-api-key", "X-API-KEY"])
  func replaced(name: String) async throws {
    for environment in [Self.environment, [:]] {
      let sent = try await sent([(name, "mine"), ("X-More", "1")], environment: environment)
      #expect(sent["x-api-key"] == ["mine"])
      #expect(sent["x-own"] == ["upstream"])
      #expect(sent["x-more"] == ["1"])
    }
  }

  @Test("each request has the upstream's headers and secrets, and is sent as often as asked")
  func usual() async throws {
    let sent = try await sent([])
    #expect(sent["x-api-key"] == ["Key from-environment"])
    #expect(sent["x-own"] == ["upstream"])
    let session = try session(["LIVE/v1/thing"]) { $0.samples = 2 }
    let responses = await session.ask()
    #expect(live.asked.count == 1 + 2)
    #expect(responses.byTarget.flatMap(\.exchanges).map(\.responses.count) == [2])
  }

  @Test("without options each request is sent three times, to where its URL leads, within 30 s")
  func defaults() {
    let options = RecordingSession.Options(folder: "here")
    #expect(options.folder == "here" && options.samples == 3 && options.timeout == .seconds(30))
    #expect(options.upstream == nil && options.paths == [] && options.headers == [])
    #expect(!options.replacesContracts)
  }

  @Test("a secret that may be missing is not sent without a value")
  func optional() async throws {
    try write([
      "copy/upstream.json": Self.upstream.replacing(
        #""Key {UNDERSTUDY_COPY_KEY}""#,
        with: #"{ "value": "{UNDERSTUDY_COPY_KEY}", "optional": true }"#)
    ])
    for (environment, values) in [(Self.environment, ["from-environment"]), ([:], [])] {
      let session = try session(["LIVE/v1/thing"], environment: environment)
      #expect(await session.ask().failures.isEmpty)
      #expect(live.asked.last?.values("X-Api-Key") == values)
    }
  }

  // MARK: - Where it goes

  @Test("a URL belongs to the upstream with the longest base URL around it")
  func nearest() async throws {
    try write([
      "wide/upstream.json": #"{ "baseURL": "LIVE" }"#,
      "narrow/upstream.json": #"{ "baseURL": "LIVE/v1" }"#,
      "other/upstream.json": #"{ "baseURL": "LIVE/v10" }"#, "dark/upstream.json": "{}",
    ])
    let session = try session(["LIVE/v1/a", "LIVE/b", "LIVE/v1/c?d=1", "LIVE/v1x/e"])
    let responses = await session.ask()
    #expect(responses.failures.isEmpty)
    #expect(responses.byTarget.map(\.target.upstreamName) == ["narrow", "wide"])
    #expect(
      responses.byTarget.map { $0.exchanges.map { "\($0.path) \($0.query ?? "-")" } }
        == [["/a -", "/c d=1"], ["/b -", "/v1x/e -"]])
    #expect(live.asked.map(\.target) == ["/v1/a", "/b", "/v1/c?d=1", "/v1x/e"])
  }

  @Test("a new upstream is at the origin of its first URL, or where it is said to be")
  func new() async throws {
    let guessed = try session(["LIVE/v1/a"])
    let found = try #require(await guessed.ask().byTarget.first)
    let port = try #require(live.url.split(separator: ":").last)
    #expect(found.target.upstreamName == "127-0-0-1-\(port)")
    #expect(found.target.baseURL == (try url("LIVE")))
    #expect(found.exchanges.map(\.path) == ["/v1/a"])
    let base = try url("LIVE/v1")
    let chosen = try session(["LIVE/v1/a"]) { $0.upstream = ("mine", base) }
    let other = try #require(await chosen.ask().byTarget.first)
    #expect(other.target.upstreamName == "mine" && other.target.baseURL == base)
    #expect(other.exchanges.map(\.path) == ["/a"])
  }

  @Test("a chosen upstream that is there keeps its base URL, which may be said again")
  func chosen() async throws {
    try write(["copy/upstream.json": #"{ "baseURL": "LIVE/v1" }"#])
    for base in [nil, try url("LIVE/v1")] {
      let session = try session(["LIVE/v1/a"]) { $0.upstream = ("copy", base) }
      let found = try #require(await session.ask().byTarget.first)
      #expect(found.target.upstream?.name == "copy")
      #expect(found.exchanges.map(\.path) == ["/a"])
    }
  }

  @Test("what was recorded of a secret's responses does not show the secret")
  func masked() async throws {
    try write(["copy/upstream.json": Self.upstream])
    let session = try session(["LIVE/v1/from-environment?mine-too-1=1", "LIVE/v1/b?c=mine-too-1"]) {
      $0.headers = [HeaderField(name: "Authorization", value: "Bearer mine-too-1")]
    }
    let found = try #require(await session.ask().byTarget.first)
    let recording = try session.recording(of: found.exchanges, for: found.target)
    #expect(
      recording.refusals.map(\.message) == [
        "GET /[redacted] has a secret in its path, so it is not recorded"
      ])
    #expect(recording.contracts.map(\.name) == ["b"])
    for file in recording.files {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains("mine-too") && !text.contains("from-environment"), "\(text)")
    }
  }

  @Test("a failure does not keep other URLs from being asked")
  func failures() async throws {
    let session = try session(["http://127.0.0.1:1/a?token=hush", "LIVE/b"])
    let responses = await session.ask()
    #expect(responses.byTarget.flatMap(\.exchanges).map(\.path) == ["/b"])
    let failure = try #require(responses.failures.first)
    #expect(responses.failures.count == 1)
    // The rest is curl's.
    let start = "no response from http://127.0.0.1:1/a?token=[redacted]: cannot connect"
    #expect(failure.message.prefix(start.count) == start)
    #expect(failure.fix == "start the server that should listen there, or correct the URL")
  }

  @Test("a response that is too large for a contract is said to be, with what to do")
  func tooLarge() async throws {
    let large = try LiveAPI { _ in
      WireMessage(status: 200, bytes: [UInt8](repeating: 0x61, count: (64 << 20) + 1))
    }
    let session = try session(["\(large.url)/a"])
    let failures = await session.ask().failures
    #expect(failures.map(\.fix) == ["record something smaller: the limit for a contract is 64 MiB"])
    #expect(large.asked.count == 1)
  }

  @Test("secrets are protected only by variables that an upstream has")
  func secretHosts() throws {
    try write(["copy/upstream.json": Self.upstream])
    let own = try url("LIVE")
    _ = try session(["LIVE/v1/a"]) {
      $0.secretHosts = SecretHosts(["UNDERSTUDY_COPY_KEY": [own]])
    }
    #expect(
      try refusal(["LIVE/v1/a"]) { $0.secretHosts = SecretHosts(["UNDERSTUDY_COPY_KEX": [own]]) }
        == [
          "found --secret UNDERSTUDY_COPY_KEX, expected a variable of \"secrets\" in an upstream.json",
          "did you mean \"UNDERSTUDY_COPY_KEY\"?",
        ])
    let other = try url("https://other.example")
    #expect(
      try refusal(["LIVE/v1/a"]) { $0.secretHosts = SecretHosts(["UNDERSTUDY_COPY_KEY": [other]]) }
        == [
          "found LIVE, expected https://other.example, the only place that may get"
            + " UNDERSTUDY_COPY_KEY",
          "correct \"baseURL\", or name this host in --secret, too, if it may get it",
        ])
  }

  // MARK: - What is refused

  private func refusal(
    _ urls: [String], environment: [String: String] = environment,
    _ change: (inout RecordingSession.Options) throws -> Void = { _ in }
  ) throws -> [String?] {
    let failure = #expect(throws: Failure.self) {
      _ = try session(urls, environment: environment, change)
    }
    #expect(live.asked.isEmpty)
    return [failure?.message.replacing(live.url, with: "LIVE"), failure?.fix]
  }

  @Test("what is wrong is said before anything is sent")
  func refusals() throws {
    try write(["copy/upstream.json": Self.upstream])
    #expect(
      try refusal(["LIVE/v1/a"], environment: [:]) == [
        "UNDERSTUDY_COPY_KEY is not set, but X-Api-Key needs it",
        "set it, or send the header with --header",
      ])
    #expect(
      try refusal(["LIVE/v1/a", "LIVE/b?token=hush"]) { $0.upstream = ("copy", nil) } == [
        "LIVE/b?token=[redacted] is not below the base URL of copy, LIVE/v1",
        "choose another name with --upstream",
      ])
    #expect(
      try refusal(["LIVE/a", "http://127.0.0.1:1/b"]) { $0.upstream = ("new", nil) } == [
        "http://127.0.0.1:1/b is not below the base URL of new, LIVE",
        "choose another name with --upstream",
      ])
    let other = try url("LIVE/v2")
    #expect(
      try refusal(["LIVE/v2/a"]) { $0.upstream = ("copy", other) } == [
        "copy already exists with the base URL LIVE/v1, not LIVE/v2",
        "choose another name with --upstream",
      ])
    #expect(
      try refusal(["LIVE/v1/a/1"]) { $0.paths = [try PathTemplate(parsing: "/b/{id}")] } == [
        "--path /b/{id} matches no URL",
        "write the path after the base URL, with a parameter for each whole segment",
      ])
    _ = try session(["LIVE/v1/a/1"]) { $0.paths = [try PathTemplate(parsing: "/a/{id}")] }
    let port = try #require(live.url.split(separator: ":").last)
    try write(["127-0-0-1-\(port)/upstream.json": #"{ "baseURL": "https://elsewhere.example" }"#])
    #expect(
      try refusal(["LIVE/b"]) == [
        "127-0-0-1-\(port) already exists with the base URL https://elsewhere.example, not LIVE",
        "choose another name with --upstream",
      ])
    try write(["broken/upstream.json": "{"])
    #expect(
      try refusal(["LIVE/b"]) { $0.upstream = ("broken", nil) }.last
        == "fix what understudy lint reports")
  }
}
