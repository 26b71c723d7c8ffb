import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrafting

/// What was recorded is played again, whatever was asked.
@Suite struct DraftedContractTests {
  private static func exchange(
    _ line: String, _ status: Int, _ body: String, form: String = ""
  ) -> RecordedExchange {
    let words = line.split(separator: " ").map(String.init)
    let parts = words[1].split(separator: "?", maxSplits: 1).map(String.init)
    let type = HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded")
    return RecordedExchange(
      method: words[0], path: parts[0], query: parts.count > 1 ? parts[1] : nil,
      headers: form.isEmpty ? [] : [type], body: Array(form.utf8),
      answers: [
        LiveAnswer(
          status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
          body: Array(body.utf8), latency: .zero)
      ])
  }

  private static func recording(_ exchanges: [RecordedExchange]) throws -> Recording {
    let target = RecordingTarget(
      folder: "no-such-folder", upstreamName: "api", baseURL: nil, upstream: nil)
    return try Recording(
      of: exchanges, for: target, paths: [], mask: SecretMask(secrets: []),
      differs: { _, _, _ in false })
  }

  @Test(
    "each request of an endpoint has a case that plays its answer",
    arguments: [
      [Self.exchange("GET /things", 200, #"{"id":1}"#)],
      [
        Self.exchange("GET /things?page=1", 200, #"{"id":1}"#),
        Self.exchange("GET /things?page=2", 200, #"{"id":2}"#),
      ],
      [
        Self.exchange("GET /things?page=1", 200, #"{"id":1}"#),
        Self.exchange("GET /things?page=1", 200, #"{"id":1}"#),
        Self.exchange("GET /things?page=2", 200, #"{"id":2}"#),
        Self.exchange("GET /things", 200, #"{"id":3}"#),
        Self.exchange("GET /things?page=9", 404, #"{"error":"none"}"#),
      ],
      (1...9).map { Self.exchange("GET /things/\($0)", 200, "{\"id\":\($0)}") },
      [
        Self.exchange("POST /things", 201, #"{"id":1}"#, form: "a=1"),
        Self.exchange("POST /things", 201, #"{"id":2}"#, form: "a=2&b=1"),
      ],
    ])
  func replays(exchanges: [RecordedExchange]) throws {
    let recording = try Self.recording(exchanges)
    #expect(recording.unrecorded.map(\.reason) == [])
    #expect(recording.refusals.map(\.message) == [])
    #expect(recording.findings.map(\.message) == [])
    let contract = try #require(recording.contracts.first)
    #expect(recording.contracts.count == 1)
    #expect(recording.replayed == Set(exchanges.map(\.requestKey)))
    #expect(contract.cases.count == Set(exchanges.map(\.requestKey)).count)
    #expect(Set(contract.cases.map(\.status)) == Set(exchanges.flatMap(\.answers).map(\.status)))
    let file = try #require(contract.files.last)
    let first = try #require(exchanges.first)
    #expect(
      try JSONDocument(parsing: file.bytes).root["summary"]?.string
        == "Recorded from \(first.method) \(first.path)")
  }
}
