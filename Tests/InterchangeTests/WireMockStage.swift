import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// Stubs on a server, at the root path.
struct WireMockStage {
  let notes: [ImportNote]
  private let server: FakeUpstream

  static func with(
    _ stubs: String..., files: [String: String] = [:], isTemplated: Bool = false,
    _ test: (WireMockStage) async throws -> Void
  ) async throws {
    let text = "{ \"mappings\": [\n\(stubs.joined(separator: ",\n"))\n] }"
    let source = ImportSource(
      documents: [try ForeignDocument(reading: Array(text.utf8), file: "stubs.json")],
      reading: { name, _ throws(Failure) in
        guard let text = files[name] else {
          throw Failure(at: Place(name), message: "found no file \(name)", fix: nil)
        }
        return Array(text.utf8)
      })
    let stubs = try WireMockLibrary(source, isTemplated: isTemplated)
    var configuration = ServerConfiguration()
    configuration.rootUpstream = WireMockLibrary.upstreamName
    configuration.timeScale = 0
    let server = try await FakeUpstream.start(stubs.library, configuration: configuration)
    do {
      try await test(WireMockStage(notes: stubs.notes, server: server))
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  /// `201 made` for a status and a body; nothing for a connection that ends early.
  func answer(
    _ line: String, _ headers: [String] = [], body: String = ""
  ) async throws -> String {
    let head = ["\(line) HTTP/1.1", "Host: a", "Connection: close"] + headers
    let request =
      head.map { "\($0)\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let port = Int(server.address.port)
    let bytes = try await offPool {
      let socket = try ClientSocket(to: "127.0.0.1", port: port, until: .now + .seconds(30))
      try socket.send(Array(request.utf8))
      return try socket.receiveAll(byteCountMax: 1 << 20)
    }
    guard !bytes.isEmpty, let answer = try ReceivedResponse.parse(bytes, isClosed: true) else {
      return ""
    }
    let text = String(decoding: answer.body, as: UTF8.self)
    return answer.status == 404 && text.contains("No contract answers")
      ? "miss" : "\(answer.status)\(text.isEmpty ? "" : " ")\(text)"
  }

  /// What could not be taken over: where in the file, and why.
  var leftOut: [String] {
    notes.filter { $0.kind == .leftOut }.map { "\($0.pointer): \($0.reason)" }
  }
}
