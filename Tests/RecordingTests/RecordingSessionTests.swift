import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer

@testable import UnderstudyDrafting
@testable import UnderstudyRecording

/// What a run that records sends.
@Suite struct RecordingSessionTests {
  private static let environment = ["UNDERSTUDY_COPY_KEY": "from-environment"]

  /// The headers of one request, by name, and how often it was sent.
  private static func sent(
    _ lines: [(String, String)], samples: Int = 1, environment: [String: String] = environment
  ) async throws -> (headers: [String: [String]], count: Int) {
    let stage = try await RecordingStage.open([
      "thing": """
      { "request": { "method": "GET", "path": "/thing" },
        "cases": { "ok": { "status": 200, "body": {} } } }
      """
    ])
    try stage.write(
      "copy/upstream.json",
      """
      { "baseURL": "\(stage.baseURL)", "headers": { "X-Own": "upstream" },
        "secrets": { "X-Api-Key": "Key {UNDERSTUDY_COPY_KEY}" } }
      """)
    var options = RecordingSession.Options(folder: stage.folder)
    options.headers = lines.map { HeaderField(name: $0.0, value: $0.1) }
    options.samples = samples
    let url = try #require(WebURL(recording: "\(stage.baseURL)/thing"))
    let session = try RecordingSession(
      [url], options, environment: { environment[$0] }, differs: { $0.differs(from: $1, in: $2) })
    #expect(await session.ask().failures.isEmpty)
    let journal = await stage.live.journal()
    var headers: [String: [String]] = [:]
    for field in journal.first?.request.headers ?? [] {
      headers[field.name.lowercased(), default: []].append(field.value)
    }
    await stage.live.close()
    return (headers, journal.count)
  }

  @Test(
    "a header of the command line stands for the secret of its name, however it is spelled",
    arguments: ["X-Api-Key", "x-api-key", "X-API-KEY"])
  func replaced(name: String) async throws {
    for environment in [Self.environment, [:]] {
      let sent = try await Self.sent([(name, "mine"), ("X-More", "1")], environment: environment)
      #expect(sent.headers["x-api-key"] == ["mine"])
      #expect(sent.headers["x-own"] == ["upstream"])
      #expect(sent.headers["x-more"] == ["1"])
    }
  }

  @Test("each request has the upstream's headers and secrets, and is sent as often as asked")
  func usual() async throws {
    let sent = try await Self.sent([], samples: 3)
    #expect(sent.headers["x-api-key"] == ["Key from-environment"])
    #expect(sent.headers["x-own"] == ["upstream"])
    #expect(sent.count == 3)
  }

  @Test("a secret that is not set is missed before anything is sent")
  func missing() async throws {
    let failure = await #expect(throws: Failure.self) {
      try await Self.sent([("X-Other", "1")], environment: [:])
    }
    #expect(failure?.message == "UNDERSTUDY_COPY_KEY is not set, but X-Api-Key needs it")
    #expect(failure?.fix == "set it, or send the header with --header")
  }
}
