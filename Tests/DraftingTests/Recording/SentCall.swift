import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySecrets

@testable import UnderstudyDrafting

/// A POST with a body, and the answer that was recorded.
struct SentCall {
  let path: String
  let type: String
  let sent: String
  let answer: String
  var answerType = "application/json"

  var exchange: RecordedExchange {
    RecordedExchange(
      method: "POST", path: path, headers: [HeaderField(name: "Content-Type", value: type)],
      body: Array(sent.utf8),
      answers: [
        LiveAnswer(
          status: 200, headers: [HeaderField(name: "Content-Type", value: answerType)],
          body: Array(answer.utf8), latency: .zero)
      ])
  }
}

extension RecordingStage {
  /// Records the calls, and writes the contracts.
  @discardableResult
  func record(_ calls: [SentCall]) throws -> Recording {
    let recording = try Recording(
      of: calls.map(\.exchange), for: try target(), paths: [], mask: SecretMask(secrets: []))
    for file in recording.files { try write(file.bytes, to: file.path) }
    return recording
  }

  /// Expects each call to be answered as recorded.
  func play(_ calls: [SentCall]) async throws {
    let library = try ContractLibrary.load([folder])
    #expect(library.findings == [])
    let fake = try await FakeUpstream.start(library)
    let base = try #require(fake.baseURL(of: "copy"))
    for call in calls {
      var request = ClientRequest(.post, url: base + call.path, body: Array(call.sent.utf8))
      request.headers.append("Content-Type", call.type)
      let answer = try await Self.transport.send(request)
      #expect(String(decoding: answer.body, as: UTF8.self) == call.answer, "\(call.sent)")
    }
    await fake.close()
  }
}
