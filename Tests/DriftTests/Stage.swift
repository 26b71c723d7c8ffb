import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrift

/// A contract with one live case, which responses are compared with.
struct Stage {
  static let file = "api/thing.json"
  let contract: Contract
  let text: String

  /// - Parameter response: the members of the case that make its response.
  init(_ response: String, others: String = "") throws {
    try self.init(
      text: """
        {
          "summary": "A thing",
          "request": { "method": "GET", "path": "/thing" },
          "cases": {
            "ok": {
              \(response),
              "live": { "latency": "1s" }
            }\(others)
          }
        }

        """)
  }

  init(text: String) throws {
    self.text = text
    let library = ContractLibrary(reading: [
      "consumers.json": #"{ "a": { "upstreams": ["api"], "errors": { "e": null } } }"#,
      "api/upstream.json": #"{ "summary": "An API", "baseURL": "https://api.example.com" }"#,
      Self.file: text,
    ])
    let errors = library.findings.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))\n\(text)")
    contract = try #require(library.upstreams.first?.contracts.first)
  }

  static let now = Moment(unixSeconds: 1_795_000_000)

  func findings(
    _ response: LiveResponse, again: LiveResponse? = nil, readers: [ConsumerReads] = []
  ) throws -> [Finding] {
    let expected = ExpectedResponse(
      of: try #require(contract.case(named: "ok")), in: contract, now: Self.now)
    let samples = [response, again].compactMap(\.self).map {
      (differences: expected.differences(from: $0), readers: readers)
    }
    return Comparison(samples, from: contract).findings
  }

  /// What an update would apply.
  func differences(_ response: LiveResponse, of name: String = "ok") throws -> [Difference] {
    Comparison(
      response, to: try #require(contract.case(named: name)), of: contract, readers: [],
      now: Self.now
    ).differences
  }

  /// The contract after an update with these responses, by case, and why some are not applied.
  func updated(
    _ responses: [String: LiveResponse], isOver: @escaping () -> Bool = { false }
  ) throws -> (stage: Stage, reasons: [String]) {
    var change = ContractChange(of: contract, now: Self.now, isOver: isOver)
    for served in contract.cases {
      guard let response = responses[served.name] else { continue }
      change.samples.append(
        ContractChange.Sample(
          name: served.name, response: SecretMask(secrets: []).masked(response),
          wanted: try differences(response, of: served.name)))
    }
    let leftOver = change.run()
    let bytes = change.file?.bytes ?? Array(text.utf8)
    let stage = try Stage(text: String(decoding: bytes, as: UTF8.self))
    return (stage, leftOver.map(\.reason))
  }

  /// The value of a case, without whitespace.
  func member(_ key: String, of name: String = "ok") -> String? {
    contract.case(named: name)?.source[key].map { String(decoding: $0.compact, as: UTF8.self) }
  }

  /// `error status thing.json:7:17 /path found …`
  func lines(
    _ response: LiveResponse, again: LiveResponse? = nil, readers: [ConsumerReads] = []
  ) throws -> [String] {
    try findings(response, again: again, readers: readers).map(\.line)
  }
}

extension Finding {
  /// Severity, type, place, path and message.
  var line: String {
    let position = place?.position.map { "\($0)" } ?? "-"
    return
      "\(severity.rawValue) \(type.rawValue) \(position) \(path?.description ?? "-") \(message)"
  }
}

extension LiveResponse {
  init(
    _ body: String, status: Int = 200, headers: [String: String] = [:],
    latency: Duration = .zero
  ) {
    self.init(
      status: status,
      headers: headers.sorted { $0.key < $1.key }.map {
        HeaderField(name: $0.key, value: $0.value)
      },
      body: Array(body.utf8), latency: latency)
  }
}

extension ConsumerReads {
  /// A consumer that decodes the whole of a body as a type.
  init(
    _ name: String, decoding type: (some Decodable).Type, of body: String, isContent: Bool
  ) throws {
    let paths = ReadPaths()
    let root = try JSONDocument(parsing: body).root
    _ = try? JSONTreeDecoder(recorder: paths).decode(type, from: root)
    self.init(name, paths: paths, headers: HeaderReads(), isContent: isContent)
  }
}
