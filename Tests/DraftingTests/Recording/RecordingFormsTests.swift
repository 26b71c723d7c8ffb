import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySecrets

@testable import UnderstudyDrafting

/// Forms that were sent, of which single fields tell requests apart.
@Suite struct RecordingFormsTests {
  @Test("fields that differ become conditions, those that are missing as absent")
  func fields() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [SentCall] = [
      .form("grant=code&scope=a+b&%C3%BC=%26", "first"),
      .form("grant=refresh&scope=a+b&%C3%BC=%26", "second"),
      .form("scope=a%20b&grant=code&%C3%BC=%26&more", "third"),
      .form("grant=code&scope=a+b&scope=c&%C3%BC=%26", "fourth"),
      .form("grant=code&scope=a+b&%C3%BC=", "fifth"),
    ]
    #expect(try stage.record(calls).unrecorded == [])
    let text = try stage.text("copy/post-send.json")
    #expect(text.contains(#""grant": "refresh""#))
    #expect(text.contains(#""scope": ["a b", "c"]"#))
    #expect(text.contains(#""more": { "absent": true }"#))
    #expect(!text.contains(#""example""#))
    try await stage.serve(calls)
    // The order and the spelling of fields do not matter.
    try await stage.serve([.form("%C3%BC=%26&scope=a%20b&grant=refresh", "second")])
    await stage.live.close()
  }

  @Test("a field that all requests share, or that nothing hangs on, is no condition")
  func shared() async throws {
    let stage = try await RecordingStage.open([:])
    try stage.record([.form("a=1&b=2", "x"), .form("a=1&b=3", "y")])
    #expect(try stage.text("copy/post-send.json").contains(#""body": { "form": { "b": "3" } }"#))
    await stage.live.close()
  }

  @Test("parts of a form are compared, whatever the boundary between them")
  func parts() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [SentCall] = [
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"a.txt\"", "one\r\ntwo")], "first"),
      .parts([("\"to\"", "b"), ("\"file\"; filename=\"a.txt\"", "one\r\ntwo")], "second"),
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"b.txt\"", "")], "third", boundary: "--y"),
      .parts([("\"to\"", "a")], "fourth"),
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"a.txt\"", "two")], "fifth"),
    ]
    #expect(try stage.record(calls).unrecorded == [])
    let text = try stage.text("copy/post-send.json")
    #expect(text.contains(#""file": { "equals": "two", "filename": "a.txt" }"#))
    #expect(text.contains(#""file": { "filename": "b.txt" }"#))
    #expect(text.contains(#""file": { "absent": true }"#))
    try await stage.serve(calls)
    try await stage.serve(
      [.parts([("\"to\"", "a"), ("\"file\"; filename=\"b.txt\"", "x")], "third", boundary: "z")])
    await stage.live.close()
  }

  @Test("the same parts between other boundaries are the same request")
  func boundaries() async throws {
    let stage = try await RecordingStage.open([:])
    let calls = ["x", "y"].enumerated().map { number, boundary in
      SentCall.parts([("\"a\"", "1")], "response \(number)", boundary: boundary)
    }
    let found = try stage.record(calls)
    #expect(found.contracts.first?.scripts.map(\.cases) == [["ok", "ok-2"]])
    await stage.live.close()
  }

  @Test("of a secret in a form only its presence is a condition")
  func secrets() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [SentCall] = [
      .form("grant=password&password=hidden-1", "in"),
      .form("grant=password&password=hidden-2", "out"),
      .form("grant=password", "none"),
    ]
    let found = try stage.record(calls)
    #expect(
      found.unrecorded.map(\.reason) == [
        "its body contains a secret, and nothing distinguishes it from a request with a different"
          + " response"
      ])
    #expect(!(try stage.text("copy/post-send.json").contains("hidden")))
    try await stage.serve([calls[0], calls[2]])
    let parts = SentCall.parts([("\"password\"", "hidden-3")], "I saw hidden-3")
    #expect(parts.exchange.secrets == ["hidden-3"])
    await stage.live.close()
  }

  @Test(
    "what no condition can compare is reported with its reason",
    arguments: [
      (
        SentCall.form("*=1", "x"), SentCall.form("*=2", "y"),
        "its form has a field that no condition can name"
      ),
      (
        SentCall.form((0...100).map { "f\($0)=1" }.joined(separator: "&"), "x"),
        SentCall.form((0...100).map { "f\($0)=2" }.joined(separator: "&"), "y"),
        "its form has more than 100 fields"
      ),
      (
        SentCall.form("a=" + String(repeating: "x", count: 5_000), "x"),
        SentCall.form("a=" + String(repeating: "y", count: 5_000), "y"),
        "its body has more than 4096 bytes"
      ),
      (
        SentCall.parts([("\"a\"", "1"), ("\"a\"", "2")], "x"),
        SentCall.parts([("\"a\"", "1"), ("\"a\"", "3")], "y"),
        "its form has several parts of one name"
      ),
      (
        SentCall.other("multipart/form-data", "--x", "x"),
        SentCall.other("multipart/form-data", "--y", "y"), "its parts cannot be read"
      ),
      (
        SentCall.other("multipart/mixed", "--x", "x"),
        SentCall.other("multipart/mixed", "--y", "y"),
        "its body has a different boundary each time"
      ),
    ])
  private func excluded(first: SentCall, second: SentCall, reason: String) async throws {
    let stage = try await RecordingStage.open([:])
    #expect(
      try stage.record([first, second]).unrecorded.map(\.reason) == [
        "\(reason), and nothing distinguishes it from a request with a different response"
      ])
    try await stage.serve([first])
    await stage.live.close()
  }

  @Test("a status that a contract lacks is added with the fields it responds")
  func added() async throws {
    let stage = try await RecordingStage.open([:])
    try stage.record([.form("a=1", "x")])
    let other = RecordedExchange(
      method: "POST", path: "/send",
      headers: [HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded")],
      body: Array("a=2".utf8),
      responses: [LiveResponse(status: 422, headers: [], body: [], latency: .zero)])
    let found = try Recording(
      of: [other], for: try stage.target(), paths: [], mask: SecretMask(secrets: []))
    #expect(found.contracts.map(\.fate) == [.extended])
    let text = String(decoding: found.files.last?.bytes ?? [], as: UTF8.self)
    #expect(text.contains(#""when": { "request": { "body": { "form": { "a": "2" } } } }"#))
    await stage.live.close()
  }

  @Test("no script is promised for a contract that is only extended")
  func unscripted() async throws {
    let stage = try await RecordingStage.open([:])
    func recording(_ statuses: Int...) throws -> Recording {
      let responses = statuses.map {
        LiveResponse(status: $0, headers: [], body: [], latency: .zero)
      }
      let exchange = RecordedExchange(method: "GET", path: "/thing", responses: responses)
      return try Recording(
        of: [exchange], for: try stage.target(), paths: [], mask: SecretMask(secrets: []))
    }
    let first = try recording(200, 404)
    let said = "the same request had several responses"
    #expect(
      first.contracts.flatMap(\.remarks)
        == [
          "\(said): script as-recorded serves: ok, not-found",
          "not requested by drift, which could not repeat the request: ok",
        ])
    for file in try recording(200).files { try stage.write(file.bytes, to: file.path) }
    let second = try recording(200, 404)
    #expect(second.contracts.map(\.fate) == [.extended])
    #expect(
      second.contracts.flatMap(\.remarks)
        == ["\(said), which only a script serves in turn"])
    await stage.live.close()
  }
}

extension SentCall {
  static func other(_ type: String, _ sent: String, _ response: String) -> SentCall {
    SentCall(path: "/send", type: type, sent: sent, response: response, responseType: "text/plain")
  }

  static func form(_ sent: String, _ response: String) -> SentCall {
    other("application/x-www-form-urlencoded", sent, response)
  }

  /// Parts by the text behind `form-data; name=`.
  static func parts(
    _ parts: [(name: String, text: String)], _ response: String, boundary: String = "x"
  ) -> SentCall {
    let written = parts.map { name, text in
      "--\(boundary)\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(text)\r\n"
    }
    return other(
      "multipart/form-data; boundary=\(boundary)", written.joined() + "--\(boundary)--\r\n",
      response)
  }
}
