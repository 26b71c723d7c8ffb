import Synchronization
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyRecording

/// A live API that remembers what it was asked.
final class LiveAPI: Sendable {
  private final class Log: Sendable {
    let asked = Mutex<[WireMessage]>([])
  }

  private let log: Log
  private let upstream: ScriptedUpstream

  init(_ response: @escaping @Sendable (WireMessage) -> WireMessage = LiveAPI.echo) throws {
    let log = Log()
    self.log = log
    upstream = try ScriptedUpstream { asked in
      log.asked.withLock { $0.append(asked) }
      return response(asked)
    }
  }

  var asked: [WireMessage] { log.asked.withLock { $0 } }
  var url: String { upstream.url }

  /// Another response for each request.
  static func echo(_ asked: WireMessage) -> WireMessage {
    if asked.method == "DELETE" { return WireMessage(status: 204) }
    let isMissing = asked.path.hasSuffix("/0")
    let words = "\(asked.method) \(asked.target) \(String(decoding: asked.body, as: UTF8.self))"
    return WireMessage(
      status: isMissing ? 404 : asked.method == "POST" ? 201 : 200,
      [["Content-Type", "application/json"], ["Vary", "Accept"]],
      body: "{\"echo\":\"\(words.replacing("\"", with: "'"))\"}")
  }
}

/// A client of the server that records.
struct RecordedClient: Sendable {
  let transport = CurlTransport.direct(to: [])
  let url: String

  @discardableResult
  func ask(_ asked: WireMessage) async throws -> ClientResponse {
    var request = ClientRequest(
      HTTPMethod(rawValue: asked.method), url: "\(url)\(asked.target)",
      body: asked.body.isEmpty ? nil : asked.body)
    for header in asked.headers { request.headers.append(header[0], header[1]) }
    return try await transport.send(request)
  }

  @discardableResult
  func ask(_ method: String, _ target: String, body: String = "") async throws -> ClientResponse {
    try await ask(WireMessage(method, target, body: body))
  }
}

/// A server that forwards requests to a live API, and what records them into a folder.
final class RecorderStage {
  let live: LiveAPI
  let folder: TemporaryFolder
  let client: RecordedClient
  private let server: FakeServer
  private(set) var recorder: ServeRecorder

  /// - Parameter files: beneath the folder, with `LIVE` for the address of the live API.
  init(
    takesAll: Bool = false, files: [String: String] = [:],
    _ response: @escaping @Sendable (WireMessage) -> WireMessage = LiveAPI.echo
  ) async throws {
    live = try LiveAPI(response)
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text.replacing("LIVE", with: live.url)) }
    let base = try #require(WebURL(base: live.url))
    recorder = try ServeRecorder(
      ["api": base], in: folder.path, takesAll: takesAll,
      differs: { $0.differs(from: $1, in: $2) })
    var configuration = ServerConfiguration()
    configuration.relay = recorder.configuration
    server = try await FakeServer.start(
      try Self.library(in: folder), configuration: configuration)
    client = RecordedClient(url: "http://\(server.address)/api")
  }

  private static func library(in folder: TemporaryFolder) throws -> ContractLibrary {
    try RecordingTarget.library(in: folder.path) ?? ContractLibrary(reading: [:])
  }

  func library() throws -> ContractLibrary { try Self.library(in: folder) }

  /// Records what has arrived, and serves it from now on.
  func record(
    while goesOn: @escaping @Sendable () -> Bool = { true }
  ) throws -> ServeRecorder.Outcome {
    let outcome = recorder.record(while: goesOn)
    server.replaceContracts(with: try library())
    return outcome
  }

  /// Records what has arrived, which the server need not know.
  func recordAlone() -> ServeRecorder.Outcome { recorder.record { true } }

  /// The names of the files, below the folder.
  func names(_ outcome: ServeRecorder.Outcome) -> [String] {
    outcome.files.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  func close() async {
    await server.close()
    await client.transport.close()
  }
}
