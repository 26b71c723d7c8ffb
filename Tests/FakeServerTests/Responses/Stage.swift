import Foundation
import Testing
@testable import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// Where one case is served: a contract of its own, loaded as any other, and a client.
struct Stage {
  static let httpDate = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let now = ResponseTime(Moment(microseconds: 784_111_777_123_456))

  let contract: Contract
  let servable: ServableCase
  var context = ServingContext(namesCase: false, now: now)
  var request = SampleRequest()
  var seed: UInt64 = 1

  /// `text` is what stands between the braces of the case.
  init(_ text: String, rewritesLinks: Bool = false) throws {
    let library = try Self.library(text)
    contract = try #require(
      library.contracts.first, "\(library.findings.map { "\($0)" }.joined(separator: "\n"))")
    let addresses = rewritesLinks ? LiveAddresses(of: library.upstreams) : nil
    servable = try #require(ServableCase(contract.cases[0], of: contract, rewriting: addresses))
  }

  /// A library with that one case, and two more upstreams.
  static func library(_ text: String) throws -> ContractLibrary {
    try library(cases: #""only": { \#(text) }"#)
  }

  /// The same with several cases, each with its name, and a file `big` of so many times `x`.
  static func library(cases: String, bigByteCount: Int = 0) throws -> ContractLibrary {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let contract = """
      { "summary": "x", "request": { "method": "GET", "path": "/x" },
        "cases": { \(cases) } }
      """
    let files = [
      "api/upstream.json": #"{ "summary": "x", "baseURL": "https://dog.example/api" }"#,
      "api/endpoint.json": contract,
      "api/big": String(repeating: "x", count: bigByteCount),
      "newer/upstream.json": #"{ "summary": "x", "baseURL": "https://dog.example/api/v2" }"#,
      "images/upstream.json": #"{ "summary": "x", "baseURL": "https://images.dog.example" }"#,
    ]
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try ContractLibrary.load([root.path])
  }

  func script() -> WireScript {
    var generator = ValueGenerator(seed: seed)
    return servable.script(for: context, request.facts(of: contract), using: &generator)
  }

  /// All bytes that are sent, whatever the pauses.
  func bytes() -> [UInt8] { script().sentBytes }

  func wire() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The bytes behind the head.
  func body() -> [UInt8] {
    let bytes = bytes()
    return bytes.firstRange(of: Array("\r\n\r\n".utf8)).map { Array(bytes[$0.upperBound...]) } ?? []
  }

  func bodyText() -> String { String(decoding: body(), as: UTF8.self) }

  /// The steps as text, one each, and the end.
  func transcript() -> [String] {
    let script = script()
    let steps = script.map { step in
      switch step {
      case .send(let bytes): String(decoding: bytes, as: UTF8.self)
      case .pause(let duration): "pause \(duration)"
      case .piece: "piece"
      case .stall: "stall"
      }
    }
    return steps + ["\(script.end)"]
  }
}

extension WireScript {
  var sentBytes: [UInt8] {
    flatMap { step -> [UInt8] in if case .send(let bytes) = step { Array(bytes) } else { [] } }
  }
}

extension ValueGenerator {
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = ValueGenerator(seed: 7)
    return generator.noise(count: count)
  }
}

/// A request with just these values.
struct SampleRequest {
  var path: [String: String] = [:]
  var query: [String: String] = [:]
  var headers: [String: String] = [:]
  var body = ""
  var addresses = [
    "api": "http://127.0.0.1:4010/api", "images": "http://127.0.0.1:4010/images",
    "newer": "http://127.0.0.1:4010/newer",
  ]

  /// As the server sees it once it has led to a contract with such a path.
  func facts(of contract: Contract) -> RequestFacts {
    let names = path.keys.sorted()
    let template = PathTemplate(
      text: names.map { "/{\($0)}" }.joined(), segments: names.map { .parameter($0) }, tail: nil)
    let values = names.map { PercentEncoding.encode(path[$0] ?? "") }
    var request = Request(
      "GET", "/" + values.joined(separator: "/"),
      headers: headers.map { HeaderField(name: $0, value: $1) }, body: Array(body.utf8))
    request.query = query.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    let candidate = RequestIndex.Candidate(
      contract: contract, template: template, contractNumber: 0, liveCases: nil, rank: nil)
    return RequestFacts(
      RequestParts(request), candidate, at: Stage.now, baseURL: { [addresses] in addresses[$0] })
  }
}

/// A text of a contract, and what a client gets for it.
struct Replacement: CustomStringConvertible {
  let text: String
  let result: String

  init(_ text: String, _ result: String) { (self.text, self.result) = (text, result) }

  var description: String { text }
}

/// A head of these lines, with its blank line.
func head(_ lines: String...) -> String {
  lines.map { $0 + "\r\n" }.joined() + "\r\n"
}
