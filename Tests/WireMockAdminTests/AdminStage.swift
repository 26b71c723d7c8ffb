import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudyRecording
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyWireMockAdmin

/// A server that responds to WireMock's clients.
struct AdminStage {
  let server: FakeServer
  let api: WireMockAPI

  static func with(
    _ options: WireMockAPI.Options = WireMockAPI.Options(), sessionCountMax: Int? = nil,
    _ test: (AdminStage) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.rootUpstream = WireMockLibrary.upstreamName
    configuration.timeScale = 0
    configuration.namesCases = false
    if let sessionCountMax { configuration.limits.sessionCountMax = sessionCountMax }
    let api = try WireMockAPI(options)
    configuration.apis = [api]
    configuration.live = LiveForwarder(isLedAway: true).ask
    let rest = ContractLibrary(of: [Upstream(named: WireMockLibrary.upstreamName)])
    let server = try await FakeServer.start(rest, configuration: configuration)
    do {
      try await test(AdminStage(server: server, api: api))
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  func ask(
    _ line: String, _ body: String = "", headers: [String] = [], host: String? = nil
  ) async throws -> ReceivedResponse {
    let fields = ["Host: \(host ?? "\(server.address)")", "Connection: close"] + headers
    let head = (["\(line) HTTP/1.1"] + fields).map { "\($0)\r\n" }.joined()
    let bytes = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    let port = Int(server.address.port)
    let received = try await offPool {
      let socket = try ClientSocket(to: "127.0.0.1", port: port, until: .now + .seconds(30))
      try socket.send(bytes)
      return try socket.receiveAll(byteCountMax: 1 << 20)
    }
    guard let response = try ReceivedResponse.parse(received, isClosed: true) else {
      throw NoResponse()
    }
    return response
  }

  struct NoResponse: Error {}

  /// `200 text` of a path.
  func get(_ path: String) async throws -> String {
    let response = try await ask("GET \(path)")
    return response.status == 404 ? "404" : "\(response.status) \(response.text)"
  }

  /// The JSON that the admin API responds, and its status.
  @discardableResult
  func admin(
    _ line: String, _ body: String = "", session: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let parts = line.split(separator: " ", maxSplits: 1)
    let prefix = session.map { "/~\($0)" } ?? ""
    let response = try await ask("\(parts[0]) \(prefix)/__admin\(parts[1])", body)
    let json = response.body.isEmpty ? .null : try JSONDocument(parsing: response.body).root
    return (response.status, json)
  }
}

extension ReceivedResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension WireMockAPI.Options {
  /// The stubs of a folder that need not exist.
  init(folder: String? = nil, _ stubs: String...) throws {
    self.init()
    self.folder = folder
    let documents = try stubs.enumerated().map { number, stub in
      try ForeignDocument(
        reading: Array(stub.utf8), file: "\(folder.map { "\($0)/" } ?? "")mappings/\(number).json")
    }
    read = { documents }
  }
}
