import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// What was recorded is served again, whatever was asked.
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
      responses: [
        LiveResponse(
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
    "each request of an endpoint has a case that serves its response",
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
    #expect(Set(contract.cases.map(\.status)) == Set(exchanges.flatMap(\.responses).map(\.status)))
    let file = try #require(contract.files.last)
    let first = try #require(exchanges.first)
    #expect(
      try JSONDocument(parsing: file.bytes).root["summary"]?.string
        == "Recorded from \(first.method) \(first.path)")
  }

  // MARK: - Any requests

  private static let queries = [
    nil, "page=1", "page=2", "page=2&tag=a", "tag=a&tag=b&page=1", "tag=a", "q=%E2%82%AC+x",
  ]
  private static let bodies = [
    #"{"item":"A"}"#, #"{"item":"B","count":[1,2.5,null]}"#, "[]", "plain words", "a=1&b=2",
  ]

  /// A request of any shape to one of a few endpoints; its response depends on all of it.
  private static func exchange(_ dice: inout Dice) -> RecordedExchange {
    let method = dice.pick(["GET", "GET", "GET", "POST", "PUT", "DELETE"])
    let path = dice.pick(["/things", "/things/\(dice.below(3))", "/things/\(dice.below(3))/parts"])
    let query = dice.pick(queries)
    let hasBody = method == "POST" || method == "PUT"
    let body = hasBody ? dice.pick(bodies) : ""
    var headers: [HeaderField] = []
    if dice.below(3) == 0 {
      headers.append(HeaderField(name: "Accept-Language", value: dice.pick(["de", "fr"])))
    }
    if hasBody {
      let type = body.hasPrefix("a=") ? "application/x-www-form-urlencoded" : "application/json"
      headers.append(HeaderField(name: "Content-Type", value: type))
    }
    let whole = "\(method) \(path) \(query ?? "-") \(headers.map(\.value)) \(body)"
    let status = [200, 201, 404, 409, 503][whole.utf8.reduce(0) { ($0 * 31 + Int($1)) % 997 } % 5]
    return RecordedExchange(
      method: method, path: path, query: query, headers: headers, body: Array(body.utf8),
      responses: [
        LiveResponse(
          status: status, headers: [HeaderField(name: "Content-Type", value: "text/plain")],
          body: Array(whole.utf8), latency: .zero)
      ])
  }

  @Test("whatever was asked, the contracts respond to it as the live API did", arguments: 1...60)
  func any(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let exchanges = (0..<dice.below(12) + 1).map { _ in Self.exchange(&dice) }
    let recording = try Self.recording(exchanges)
    #expect(recording.unrecorded.map { "\($0.request): \($0.reason)" } == [])
    #expect(recording.refusals.map(\.message) == [] && recording.findings.map(\.message) == [])
    let files = recording.files.map { ($0.path.replacing("no-such-folder/", with: ""), $0.bytes) }
    let library = ContractLibrary(readingBytes: Dictionary(files) { $1 })
    #expect(library.findings.filter { $0.severity == .error } == [])
    let upstream = try #require(library.upstreams.first)
    #expect(upstream.contracts.count == Set(recording.contracts.map(\.name)).count)
    for exchange in exchanges {
      let target = exchange.query.map { "\(exchange.path)?\($0)" } ?? exchange.path
      let parts = RequestParts(
        Request(exchange.method, target, headers: exchange.headers, body: exchange.body))
      let served = library.index.match(parts, in: upstream)?.unsteeredCase(for: parts)
      let response = try #require(exchange.responses.first)
      #expect(served?.status == response.status, "\(exchange.method) \(target)")
      #expect(served?.bodyBytes == response.body, "\(exchange.method) \(target)")
    }
  }
}
