import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// A live API that is recorded into a folder of its own, which goes with it.
final class RecordingStage: Sendable {
  let live: FakeServer
  private let files: TemporaryFolder
  let baseURL: WebURL

  /// `files` are the contracts of the upstream `api`, as the live API responds.
  static func open(_ files: [String: String]) async throws -> RecordingStage {
    var all = ["api/upstream.json": #"{ "summary": "Live", "baseURL": "http://live/v1" }"#]
    all["api/other.json"] = #"""
      { "request": { "method": "GET", "path": "/o/t/h/e/r" }, "cases": { "ok": { "status": 200 } } }
      """#
    for (name, text) in files { all["api/\(name).json"] = text }
    var configuration = ServerConfiguration()
    configuration.namesCases = false
    let library = ContractLibrary(reading: all)
    #expect(library.findings.filter { $0.severity == .error } == [])
    let live = try await FakeServer.start(library, configuration: configuration)
    return try RecordingStage(live)
  }

  private init(_ live: FakeServer) throws {
    self.live = live
    files = try TemporaryFolder()
    baseURL = try #require(live.baseURL(of: "api").flatMap { WebURL(base: $0) })
  }

  var folder: String { files.path }

  func write(_ path: String, _ text: String) throws { try files.write(path, text) }

  func write(_ bytes: [UInt8], to path: String) throws {
    try files.write(String(path.dropFirst(folder.count + 1)), bytes: bytes)
  }

  func target() throws -> RecordingTarget {
    let isThere = files.files.contains { $0.hasPrefix("copy/") }
    let upstream = isThere ? try ContractLibrary.load([folder]).upstreams.first : nil
    return RecordingTarget(
      folder: folder, upstreamName: "copy",
      baseURL: upstream == nil ? baseURL : upstream?.baseURL, upstream: upstream)
  }

  /// Asks for each path twice.
  func exchanges(_ targets: [String]) async throws -> [RecordedExchange] {
    let client = RecordingClient(Self.transport, samples: 2, timeout: .seconds(30))
    var exchanges: [RecordedExchange] = []
    for target in targets {
      let url = try #require(WebURL(recording: "\(baseURL)\(target)"))
      exchanges.append(
        RecordedExchange(
          method: "GET", path: try #require(url.path(below: baseURL)), query: url.query,
          responses: try await client.ask("\(baseURL)\(target)", headers: [])))
    }
    return exchanges
  }

  func record(
    _ targets: String..., paths: [String] = [], secrets: [String] = [], replaces: Bool = false
  ) async throws -> Recording {
    let recording = try Recording(
      of: try await exchanges(targets), for: try target(),
      paths: try paths.map { try PathTemplate(parsing: $0) }, mask: SecretMask(secrets: secrets),
      replaces: { _ in replaces })
    for file in recording.files { try write(file.bytes, to: file.path) }
    return recording
  }

  /// With `BASE` for the live API's address.
  func text(_ path: String) throws -> String {
    try files.read(path).replacing("\(baseURL)", with: "BASE")
  }

  static var transport: CurlTransport {
    var configuration = CurlConfiguration()
    configuration.ignoresProxies = true
    return CurlTransport(configuration)
  }
}

extension Recording {
  /// As `understudy record` checks responses.
  init(
    of exchanges: [RecordedExchange], for target: RecordingTarget, paths: [PathTemplate],
    mask: SecretMask, replaces: (Contract) -> Bool = { _ in false }
  ) throws(Failure) {
    try self.init(
      of: exchanges, for: target, paths: paths, mask: mask, replaces: replaces,
      differs: { $0.differs(from: $1, in: $2) })
  }
}
