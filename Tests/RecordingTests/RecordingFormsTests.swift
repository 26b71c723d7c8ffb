import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySecrets

@testable import UnderstudyDrafting

/// Forms that were sent, of which single fields tell requests apart.
@Suite struct RecordingFormsTests {
  /// A request, and the answer that was recorded.
  private struct Call {
    let type: String
    let sent: String
    let answer: String

    static func form(_ sent: String, _ answer: String) -> Call {
      Call(type: "application/x-www-form-urlencoded", sent: sent, answer: answer)
    }

    /// Parts by the text behind `form-data; name=`.
    static func parts(
      _ parts: [(name: String, text: String)], _ answer: String, boundary: String = "x"
    ) -> Call {
      let written = parts.map { name, text in
        "--\(boundary)\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(text)\r\n"
      }
      return Call(
        type: "multipart/form-data; boundary=\(boundary)",
        sent: written.joined() + "--\(boundary)--\r\n", answer: answer)
    }

    var exchange: RecordedExchange {
      RecordedExchange(
        method: "POST", path: "/send", headers: [HeaderField(name: "Content-Type", value: type)],
        body: Array(sent.utf8),
        answers: [
          LiveAnswer(
            status: 200, headers: [HeaderField(name: "Content-Type", value: "text/plain")],
            body: Array(answer.utf8), latency: .zero)
        ])
    }
  }

  @discardableResult
  private func record(_ calls: [Call], in stage: RecordingStage) throws -> Recording {
    let recording = try Recording(
      of: calls.map(\.exchange), for: try stage.target(), paths: [],
      mask: SecretMask(secrets: []))
    for file in recording.files { try stage.write(file.bytes, to: file.path) }
    return recording
  }

  /// Expects each request to be answered as recorded.
  private func play(_ calls: [Call], in stage: RecordingStage) async throws {
    let library = try ContractLibrary.load([stage.folder])
    #expect(library.findings == [])
    let fake = try await FakeUpstream.start(library)
    let base = try #require(fake.baseURL(of: "copy"))
    for call in calls {
      var request = HTTPRequest(.post, url: base + "/send", body: Array(call.sent.utf8))
      request.headers.append("Content-Type", call.type)
      let answer = try await RecordingStage.transport.send(request)
      #expect(String(decoding: answer.body, as: UTF8.self) == call.answer, "\(call.sent)")
    }
    await fake.close()
  }

  @Test("fields that differ become conditions, those that are missing as absent")
  func fields() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [Call] = [
      .form("grant=code&scope=a+b&%C3%BC=%26", "first"),
      .form("grant=refresh&scope=a+b&%C3%BC=%26", "second"),
      .form("scope=a%20b&grant=code&%C3%BC=%26&more", "third"),
      .form("grant=code&scope=a+b&scope=c&%C3%BC=%26", "fourth"),
      .form("grant=code&scope=a+b&%C3%BC=", "fifth"),
    ]
    #expect(try record(calls, in: stage).unrecorded == [])
    let text = try stage.text("copy/post-send.json")
    #expect(text.contains(#""grant": "refresh""#))
    #expect(text.contains(#""scope": ["a b", "c"]"#))
    #expect(text.contains(#""more": { "absent": true }"#))
    #expect(!text.contains(#""example""#))
    try await play(calls, in: stage)
    // The order and the spelling of fields do not matter.
    try await play([.form("%C3%BC=%26&scope=a%20b&grant=refresh", "second")], in: stage)
    await stage.live.close()
  }

  @Test("a field that all requests share, or that nothing hangs on, is no condition")
  func shared() async throws {
    let stage = try await RecordingStage.open([:])
    try record([.form("a=1&b=2", "x"), .form("a=1&b=3", "y")], in: stage)
    #expect(try stage.text("copy/post-send.json").contains(#""body": { "form": { "b": "3" } }"#))
    await stage.live.close()
  }

  @Test("parts of a form are compared, whatever the boundary between them")
  func parts() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [Call] = [
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"a.txt\"", "one\r\ntwo")], "first"),
      .parts([("\"to\"", "b"), ("\"file\"; filename=\"a.txt\"", "one\r\ntwo")], "second"),
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"b.txt\"", "")], "third", boundary: "--y"),
      .parts([("\"to\"", "a")], "fourth"),
      .parts([("\"to\"", "a"), ("\"file\"; filename=\"a.txt\"", "two")], "fifth"),
    ]
    #expect(try record(calls, in: stage).unrecorded == [])
    let text = try stage.text("copy/post-send.json")
    #expect(text.contains(#""file": { "equals": "two", "filename": "a.txt" }"#))
    #expect(text.contains(#""file": { "filename": "b.txt" }"#))
    #expect(text.contains(#""file": { "absent": true }"#))
    try await play(calls, in: stage)
    try await play(
      [.parts([("\"to\"", "a"), ("\"file\"; filename=\"b.txt\"", "x")], "third", boundary: "z")],
      in: stage)
    await stage.live.close()
  }

  @Test("the same parts between other boundaries are the same request")
  func boundaries() async throws {
    let stage = try await RecordingStage.open([:])
    let calls = ["x", "y"].enumerated().map { number, boundary in
      Call.parts([("\"a\"", "1")], "answer \(number)", boundary: boundary)
    }
    let found = try record(calls, in: stage)
    #expect(found.contracts.first?.scripts.map(\.cases) == [["ok", "ok-2"]])
    await stage.live.close()
  }

  @Test("of a secret in a form only its presence is a condition")
  func secrets() async throws {
    let stage = try await RecordingStage.open([:])
    let calls: [Call] = [
      .form("grant=password&password=hidden-1", "in"),
      .form("grant=password&password=hidden-2", "out"),
      .form("grant=password", "none"),
    ]
    let found = try record(calls, in: stage)
    #expect(
      found.unrecorded.map(\.reason) == [
        "its body contains a secret, and nothing distinguishes it from a request with a different"
          + " answer"
      ])
    #expect(!(try stage.text("copy/post-send.json").contains("hidden")))
    try await play([calls[0], calls[2]], in: stage)
    let parts = Call.parts([("\"password\"", "hidden-3")], "I saw hidden-3")
    #expect(parts.exchange.secrets == ["hidden-3"])
    await stage.live.close()
  }

  @Test(
    "what no condition can compare is reported with its reason",
    arguments: [
      (
        Call.form("*=1", "x"), Call.form("*=2", "y"),
        "its form has a field that no condition can name"
      ),
      (
        Call.form((0...100).map { "f\($0)=1" }.joined(separator: "&"), "x"),
        Call.form((0...100).map { "f\($0)=2" }.joined(separator: "&"), "y"),
        "its form has more than 100 fields"
      ),
      (
        Call.form("a=" + String(repeating: "x", count: 5_000), "x"),
        Call.form("a=" + String(repeating: "y", count: 5_000), "y"),
        "its body has more than 4096 bytes"
      ),
      (
        Call.parts([("\"a\"", "1"), ("\"a\"", "2")], "x"),
        Call.parts([("\"a\"", "1"), ("\"a\"", "3")], "y"), "its form has several parts of one name"
      ),
      (
        Call(type: "multipart/form-data", sent: "--x", answer: "x"),
        Call(type: "multipart/form-data", sent: "--y", answer: "y"), "its parts cannot be read"
      ),
      (
        Call(type: "multipart/mixed", sent: "--x", answer: "x"),
        Call(type: "multipart/mixed", sent: "--y", answer: "y"),
        "its body has a different boundary each time"
      ),
    ])
  private func excluded(first: Call, second: Call, reason: String) async throws {
    let stage = try await RecordingStage.open([:])
    #expect(
      try record([first, second], in: stage).unrecorded.map(\.reason) == [
        "\(reason), and nothing distinguishes it from a request with a different answer"
      ])
    try await play([first], in: stage)
    await stage.live.close()
  }

  @Test("a status that a contract lacks is added with the fields it answers")
  func added() async throws {
    let stage = try await RecordingStage.open([:])
    try record([.form("a=1", "x")], in: stage)
    let other = RecordedExchange(
      method: "POST", path: "/send",
      headers: [HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded")],
      body: Array("a=2".utf8),
      answers: [LiveAnswer(status: 422, headers: [], body: [], latency: .zero)])
    let found = try Recording(
      of: [other], for: try stage.target(), paths: [], mask: SecretMask(secrets: []))
    #expect(found.contracts.map(\.fate) == [.extended])
    let text = String(decoding: found.files.last?.bytes ?? [], as: UTF8.self)
    #expect(text.contains(#""when": { "request": { "body": { "form": { "a": "2" } } } }"#))
    await stage.live.close()
  }
}
