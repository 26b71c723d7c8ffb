// Called repeatedly by libFuzzer: sends each line, `PUT /path body`, to a running server with our
// admin API and that of WireMock. Afterwards the server must still answer.
import Foundation
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudySystem
import UnderstudyWireMockAdmin

private let server = started()
private var port: Int { Int(server.address.port) }

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  // Some wait for others, or for a long time, as they were asked to.
  _ = try? answers(to: text.split(separator: "\n").map(String.init), within: .milliseconds(100))
  let reset = ["POST /__admin/reset", "POST /__understudy/reset", "GET /__understudy/health"]
  do {
    let received = try answers(to: reset, within: .seconds(20))
    precondition(received.contains(#"{"status":"ok"}"#), "the server answered \(received)")
  } catch {
    preconditionFailure("the server no longer answers: \(error)")
  }
  return 0
}

private func answers(to lines: [String], within patience: Duration) throws -> String {
  var bytes: [UInt8] = []
  for (index, line) in lines.enumerated() {
    let parts = line.split(separator: " ", maxSplits: 2)
    let body = parts.count > 2 ? parts[2] : ""
    let head = [
      "\(parts.prefix(2).joined(separator: " ")) HTTP/1.1", "Host: localhost:\(port)",
      "Connection: \(index == lines.count - 1 ? "close" : "keep-alive")",
      "Content-Length: \(body.utf8.count)",
    ]
    bytes += "\(head.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8
  }
  let socket = try ClientSocket(to: "127.0.0.1", port: port, until: .now + patience)
  try socket.send(bytes)
  return String(decoding: try socket.receiveAll(byteCountMax: 1 << 20), as: UTF8.self)
}

/// A server that is never closed.
private func started() -> FakeServer {
  nonisolated(unsafe) var server: FakeServer?
  let isStarted = DispatchSemaphore(value: 0)
  Task.detached {
    defer { isStarted.signal() }
    var configuration = ServerConfiguration()
    configuration.rootUpstream = WireMockLibrary.upstreamName
    configuration.timeScale = 0
    configuration.apis = [try WireMockAPI(WireMockAPI.Options())]
    let library = ContractLibrary(of: [Upstream(named: WireMockLibrary.upstreamName)])
    server = try await FakeServer.start(library, configuration: configuration)
  }
  isStarted.wait()
  guard let server else { preconditionFailure("the server did not start") }
  return server
}
