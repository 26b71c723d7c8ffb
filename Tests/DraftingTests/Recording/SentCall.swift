import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySecrets

@testable import UnderstudyDrafting

/// A POST with a body, and the response that was recorded.
struct SentCall {
  let path: String
  let type: String
  let sent: String
  let response: String
  var responseType = "application/json"

  var exchange: RecordedExchange {
    RecordedExchange(
      method: "POST", path: path, headers: [HeaderField(name: "Content-Type", value: type)],
      body: Array(sent.utf8),
      responses: [
        LiveResponse(
          status: 200, headers: [HeaderField(name: "Content-Type", value: responseType)],
          body: Array(response.utf8), latency: .zero)
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

  /// Expects each call to be served as recorded.
  func serve(_ calls: [SentCall]) async throws {
    let library = try ContractLibrary.load([folder])
    #expect(library.findings == [])
    let fake = try await FakeServer.start(library)
    let base = try #require(fake.baseURL(of: "copy"))
    for call in calls {
      var request = ClientRequest(.post, url: base + call.path, body: Array(call.sent.utf8))
      request.headers.append("Content-Type", call.type)
      let response = try await Self.transport.send(request)
      #expect(String(decoding: response.body, as: UTF8.self) == call.response, "\(call.sent)")
    }
    await fake.close()
  }
}
