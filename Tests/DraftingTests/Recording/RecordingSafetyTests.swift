import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// What recording must not do: lose what people wrote, show secrets, let one response spoil others.
@Suite struct RecordingSafetyTests {
  private static func exchange(
    _ path: String, query: String? = nil, sent: String = "", type: String = "application/json",
    headers: [HeaderField] = [], _ body: [UInt8]
  ) -> RecordedExchange {
    RecordedExchange(
      method: sent.isEmpty ? "GET" : "POST", path: path, query: query, body: Array(sent.utf8),
      responses: [
        LiveResponse(
          status: 200, headers: [HeaderField(name: "Content-Type", value: type)] + headers,
          body: body, latency: .zero)
      ])
  }

  private static func exchange(
    _ path: String, query: String? = nil, sent: String = "", type: String = "application/json",
    headers: [HeaderField] = [], _ body: String = "{}"
  ) -> RecordedExchange {
    exchange(path, query: query, sent: sent, type: type, headers: headers, Array(body.utf8))
  }

  private func recording(
    _ exchanges: [RecordedExchange], in stage: RecordingStage, secrets: [String] = []
  ) throws -> Recording {
    try Recording(
      of: exchanges, for: try stage.target(), paths: [], mask: SecretMask(secrets: secrets))
  }

  private func text(_ recording: Recording) -> String {
    recording.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  // MARK: - What is there

  private static let sound =
    #"{ "request": { "method": "GET", "path": "/x" }, "cases": { "ok": { "status": 200 } } }"#

  @Test(
    "nothing is recorded into an upstream with errors",
    arguments: [
      ("x", "{ \"request\": "), ("x", #"{ "request": { "method": "GET" }, "cases": {} }"#),
      ("upstream", "{"), ("upstream", #"{ "summary": 1 }"#),
    ])
  func unsound(name: String, text: String) async throws {
    let stage = try await RecordingStage.open([:])
    try stage.write("copy/upstream.json", #"{ "summary": "Mine" }"#)
    try stage.write("copy/x.json", Self.sound)
    try stage.write("copy/\(name).json", text)
    let error = #expect(throws: Failure.self) {
      try recording([Self.exchange("/x")], in: stage)
    }
    #expect(
      error?.message.hasPrefix(
        "\(stage.folder)/copy has errors, so nothing is recorded into it: "
          + "\(stage.folder)/copy/\(name).json: ") ?? false)
    #expect(error?.fix == "fix what understudy lint reports")
    await stage.live.close()
  }

  @Test("a body file replaces no other file")
  func bodies() async throws {
    let stage = try await RecordingStage.open([:])
    try stage.write("copy/upstream.json", #"{ "summary": "Mine" }"#)
    try stage.write("copy/files/a-b-ok.bin", "mine")
    let bytes = [UInt8](repeating: 0xFF, count: 600)
    let found = try recording(
      [
        Self.exchange("/a/b", type: "application/octet-stream", bytes),
        Self.exchange("/a", query: "q=1", type: "application/octet-stream", bytes + [1]),
        Self.exchange("/a", query: "q=b-ok", type: "application/octet-stream", bytes + [2]),
      ], in: stage)
    #expect(found.findings == [])
    #expect(
      found.files.map { $0.path.dropFirst(stage.folder.count) } == [
        "/copy/files/a-b-ok-2.bin", "/copy/a-b.json", "/copy/files/a-ok.bin",
        "/copy/files/a-ok-b-ok.bin", "/copy/a.json",
      ])
    await stage.live.close()
  }

  // MARK: - Secrets

  @Test("a request with a secret in its path is not recorded, and the others are")
  func path() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [Self.exchange("/bot/abc-sent/me"), Self.exchange("/x")], in: stage, secrets: ["abc-sent"])
    #expect(
      found.refusals.map(\.message) == [
        "GET /bot/[redacted]/me has a secret in its path, so it is not recorded"
      ])
    #expect(found.contracts.map(\.name) == ["x"])
    #expect(!text(found).contains("abc-sent"))
    await stage.live.close()
  }

  @Test(
    "a secret sent by a request is masked in its response",
    arguments: [
      exchange("/x", query: "api_key=hidden-1", #"{ "next": "/x?k=hidden-1" }"#),
      exchange("/x", query: "key=hidden-1", #"{ "echo": "hidden-1" }"#),
      exchange("/x", query: "sig=hidden-1&session=hidden-2", #"["hidden-1", "hidden-2"]"#),
      exchange("/x", sent: #"{ "password": "hidden-1" }"#, #"["hidden-1"]"#),
      exchange("/x", sent: "user=a&client_secret=hidden%2D1", #"["hidden-1"]"#),
      exchange(
        "/x", headers: [HeaderField(name: "Set-Cookie", value: "id=hidden-4f9d0c1b7a; Path=/")],
        #"["hidden-4f9d0c1b7a"]"#),
      exchange(
        "/x", headers: [HeaderField(name: "Set-Cookie", value: "session=hidden-1")],
        #"["hidden-1"]"#),
    ])
  func sources(exchange: RecordedExchange) async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording([exchange], in: stage)
    #expect(found.refusals == [])
    #expect(found.findings == [])
    #expect(text(found).contains("[redacted]"))
    #expect(!text(found).contains("hidden"))
    await stage.live.close()
  }

  @Test("the words in cookies are masked in their own place alone")
  func cookies() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [
        Self.exchange(
          "/settings", headers: [HeaderField(name: "Set-Cookie", value: "theme=high-contrast")],
          #"{ "theme": "high-contrast", "themes": ["high-contrast", "dark"] }"#)
      ], in: stage)
    let contract = try #require(found.files.first { $0.path.hasSuffix("settings.json") })
    let ok = try #require(JSONDocument(parsing: contract.bytes).root["cases"]?["ok"])
    #expect(ok["headers"]?["Set-Cookie"]?.string == "theme=[redacted]")
    #expect(
      String(decoding: try #require(ok["body"]).compact, as: UTF8.self)
        == #"{"theme":"high-contrast","themes":["high-contrast","dark"]}"#)
    await stage.live.close()
  }

  @Test("a short secret that was seen changes no word, number, date or path")
  func shortSecrets() async throws {
    let stage = try await RecordingStage.open([:])
    let cookies = ["en-US", "2024", "dark"]
    let found = try Recording(
      of: [
        Self.exchange("/login", sent: #"{ "password": "test" }"#, #"{ "you": "test" }"#),
        Self.exchange(
          "/latest",
          #"{ "at": "latest", "day": "2024-01-05", "year": 2024, "is": "a test: test/1", "x": "2024" }"#
        ),
        Self.exchange("/en-US/test", #"{ "next": "/en-US/test/2" }"#),
      ], for: try stage.target(), paths: [], mask: SecretMask(secrets: [], seen: cookies))
    #expect(found.refusals == [])
    #expect(found.contracts.map(\.name) == ["post-login", "latest", "en-us-test"])
    let bodies = try found.files.filter {
      $0.path.hasSuffix("t.json") || $0.path.hasSuffix("n.json")
    }
    .map { try #require(JSONDocument(parsing: $0.bytes).root["cases"]?["ok"]?["body"]) }
    #expect(
      bodies.map { String(decoding: $0.compact, as: UTF8.self) } == [
        #"{"you":"[redacted]"}"#,
        #"{"at":"latest","day":"2024-01-05","year":2024,"is":"a [redacted]: test/1","x":"[redacted]"}"#,
        #"{"next":"/en-US/test/2"}"#,
      ])
    await stage.live.close()
  }

  @Test(
    "secrets are found by their names in texts, addresses and headers",
    arguments: [
      exchange("/x", type: "application/x-www-form-urlencoded", "a=1&access_token=hidden&b=2"),
      exchange("/x", type: "application/x-ndjson", "{\"auth_token\":\"hidden\"}\n{\"a\":1}\n"),
      exchange("/x", #"{ "csrfToken": "hidden", "webhook_secret": "hidden" }"#),
      exchange("/x", #"{ "next": "https://h.example/x?page=2&signature=hidden" }"#),
      exchange(
        "/x", headers: [HeaderField(name: "Location", value: "https://h.example/#token=hidden")]),
      exchange(
        "/x", headers: [HeaderField(name: "Location", value: "/a?access_key=hidden&page=2")]),
      exchange(
        "/x",
        headers: ["X-Api-Token", "X-Session-Id", "X-Csrf-Token"].map {
          HeaderField(name: $0, value: "hidden")
        }),
    ])
  func names(exchange: RecordedExchange) async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording([exchange], in: stage)
    #expect(found.findings == [])
    #expect(found.contracts.map(\.name) == ["x"])
    #expect(!text(found).contains("hidden"))
    await stage.live.close()
  }

  @Test("no secret of a response is recorded")
  func everySecret() async throws {
    let stage = try await RecordingStage.open([:])
    for (text, secret) in SecretTable.texts {
      var body = JSONWriter()
      body.object { $0.member("note", text) }
      let line = text.split(separator: "\n").joined(separator: " ")
      let found = try recording(
        [
          Self.exchange("/x", headers: [HeaderField(name: "X-Note", value: line)], body.bytes),
          Self.exchange("/y", type: "text/plain", text),
          Self.exchange("/z", headers: [HeaderField(name: "Location", value: line)]),
        ], in: stage)
      #expect(found.findings == [], "\(text)")
      #expect(found.contracts.map(\.name) == ["x", "y", "z"])
      #expect(!self.text(found).contains(secret), "\(text)")
    }
    await stage.live.close()
  }

  @Test("bytes with a secret among them are not recorded")
  func opaque() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [Self.exchange("/x", type: "image/png", [0xFF, 0] + Array("abc-sent".utf8))], in: stage,
      secrets: ["abc-sent"])
    #expect(
      found.refusals.map(\.message) == [
        "the response to GET /x contains a secret in bytes that are not text, so it is not recorded"
      ])
    #expect(found.files == [])
    await stage.live.close()
  }

  // MARK: - One response and the others

  @Test("contracts with lint errors are left out, and the others are written")
  func lintErrors() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording([Self.exchange("/a//b"), Self.exchange("/x")], in: stage)
    #expect(found.findings.filter { $0.severity == .error }.isEmpty == false)
    #expect(
      found.files.map { $0.path.dropFirst(stage.folder.count) } == [
        "/copy/upstream.json", "/copy/x.json",
      ])
    let none = try recording([Self.exchange("/a//b")], in: stage)
    #expect(none.files == [])
    await stage.live.close()
  }

  @Test(
    "requests that nothing distinguishes make one case, and the others are reported as not recorded"
  )
  func indistinct() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      ["a=1&b=2", "b=2&a=1"].map { (query: String) in
        Self.exchange("/x", query: query, #"["\#(query)"]"#)
      }, in: stage)
    #expect(found.findings == [])
    #expect(found.contracts.first?.cases.map(\.name) == ["ok"])
    #expect(
      found.unrecorded.map { "\($0.request): \($0.reason)" } == [
        "GET /x?b=2&a=1: nothing distinguishes it from a request with a different response"
      ])
    await stage.live.close()
  }

  @Test("a long path has a short name")
  func longPath() async throws {
    let stage = try await RecordingStage.open([:])
    let found = try recording(
      [Self.exchange("/" + String(repeating: "x", count: 300))], in: stage)
    #expect(found.findings == [])
    #expect(found.contracts.map(\.name) == [String(repeating: "x", count: 80)])
    await stage.live.close()
  }

  @Test(
    "a path with dot segments is not recorded",
    arguments: [
      ("/a/b", true), ("/a/", true), ("/", true), ("/a//b", false), ("/a/./b", false),
      ("/../b", false), ("/%2e%2E/b", false), ("/a%2F..%2Fb", false), ("/a%5C..", false),
    ])
  func paths(path: String, isFine: Bool) {
    #expect(RecordedExchange.canRecord(path: path) == isFine)
  }
}
