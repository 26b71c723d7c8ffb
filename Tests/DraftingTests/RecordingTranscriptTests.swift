import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// What becomes of recorded exchanges, and of samples, in whole: the files of
/// `Fixtures/Transcripts`.
@Suite struct RecordingTranscriptTests {
  private static let baseURL = WebURL(base: "https://api.example.com/v1")

  /// `{"ask": "GET /users?page=1", "with": {"X-A": "1"}, "body": {}, "got": [[200, {}], [404]]}`
  private static func exchange(_ value: JSONValue) -> RecordedExchange {
    let words = (value["ask"]?.string ?? "").split(separator: " ").map(String.init) + ["", ""]
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return RecordedExchange(
      method: String(words[0]), path: String(target[0]),
      query: target.count > 1 ? String(target[1]) : nil, headers: headers(value["with"]),
      body: bytes(value["body"]),
      responses: (value["got"] ?? .null).elements.map { response in
        let own = headers(response[2])
        let type = HeaderField(name: "Content-Type", value: "application/json")
        let isJSON = response.count > 1 && response[1]?.kind != .string
        return LiveResponse(
          status: response[0]?.int ?? 0,
          headers: isJSON && own.value(of: "content-type") == nil ? [type] + own : own,
          body: bytes(response[1]), cutFromByteCount: response[4]?.int,
          latency: .milliseconds(response[3]?.int ?? 7))
      })
  }

  private static func headers(_ value: JSONValue?) -> [HeaderField] {
    (value ?? .null).members.flatMap { member in
      (member.value.kind == .array ? Array(member.value.elements) : [member.value]).map {
        HeaderField(name: member.key, value: $0.string ?? "")
      }
    }
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8] {
    value.map { $0.string.map { Array($0.utf8) } ?? Array($0.compact) } ?? []
  }

  private static func lines(_ text: String, guessesSlugs: Bool) throws -> [String] {
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    var target = RecordingTarget(
      folder: "none", upstreamName: "api", baseURL: baseURL, upstream: nil)
    target.limitsLatency = guessesSlugs
    let recording = try Recording(
      of: root.elements.map(exchange).filter { !$0.responses.isEmpty }, for: target, paths: [],
      mask: .standard,
      guessesSlugs: guessesSlugs, differs: { $0.differs(from: $1, in: $2) })
    var lines: [String] = []
    for file in recording.files where !file.path.hasSuffix("/upstream.json") {
      let shown =
        file.path.hasSuffix(".json")
        ? (try JSONDocument(parsing: file.bytes)).root.compact : file.bytes
      lines.append("\(file.path): \(String(decoding: shown, as: UTF8.self))")
    }
    for contract in recording.contracts {
      lines += (contract.guessRemarks + contract.remarks).map { "\(contract.name): \($0)" }
      if contract.fate != .new { lines.append("\(contract.name): \(contract.fate)") }
    }
    lines += recording.refusals.map { "refused: \($0.message)" }
    lines += recording.unrecorded.map { "unrecorded \($0.request): \($0.reason)" }
    lines += recording.findings.map { "\($0.severity) \($0.file): \($0.message)" }
    return lines
  }

  @Test("exchanges one after the other, and all at once", arguments: [false, true])
  func exchanges(guessesSlugs: Bool) throws {
    let transcript = try Transcript(
      guessesSlugs ? "exchanges-at-once" : "exchanges", near: NearInputs.ofJSON
    ) {
      try Self.lines($0, guessesSlugs: guessesSlugs)
    }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  @Test("schemas of samples")
  func samples() throws {
    let transcript = try Transcript("samples", near: NearInputs.ofJSON) { line in
      let root = try JSONDocument(parsing: Array(line.utf8)).root
      let schema = InferredSchema(samples: Array(root.elements)).text.laidOut()
      return [String(decoding: try JSONDocument(parsing: schema).root.compact, as: UTF8.self)]
    }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }
}
