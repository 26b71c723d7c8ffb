import Testing
import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// A server of contracts that stand here, and what a client gets from it.
struct SmallServer {
  static let files = [
    "shop/upstream.json": #"""
    { "summary": "A shop", "scenarios": {
        "restock": { "summary": "Empty, then full", "state": { "shelf": "empty" },
                     "scripts": { "items": ["empty", "ok"] } } } }
    """#,
    "shop/items.json": #"""
    { "summary": "What there is", "request": { "method": "GET", "path": "/items" },
      "cases": {
        "ok": { "status": 200, "body": [1, 2] },
        "empty": { "status": 200, "body": [] },
        "gone": { "summary": "No more", "status": 410 },
        "slow": { "like": "ok", "delay": { "fixed": "1h" } },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER" } },
      "scripts": { "fails-once": ["gone", "ok"] } }
    """#,
    "shop/item.json": #"""
    { "summary": "One of them",
      "request": { "method": "GET", "path": "/items/{id}",
                   "parameters": { "header.Authorization": { "matches": "^Bearer " } } },
      "cases": { "ok": { "status": 200, "body": {} },
                 "sold": { "when": { "state": { "shelf": "sold" } }, "status": 404 } } }
    """#,
    "shop/add.json": #"""
    { "summary": "Adds one", "request": { "method": "POST", "path": "/items" },
      "cases": { "ok": { "status": 201, "body": { "id": 3 } } } }
    """#,
    "shop/login.json": #"""
    { "summary": "Lets in",
      "request": { "method": "POST", "path": "/login",
                   "body": { "equals": { "password": "invented" } } },
      "cases": { "ok": { "status": 204 } } }
    """#,
  ]

  static func with(
    _ files: [String: String] = files, threads: Int = 1,
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (FakeServer) async throws -> Void
  ) async throws {
    let library = ContractLibrary(reading: files)
    let errors = library.findings.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors)")
    var configuration = ServerConfiguration()
    configuration.threadCount = threads
    configure(&configuration)
    let server = try await FakeServer.start(library, configuration: configuration)
    do {
      try await BlockingThread.run { try await test(server) }
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }
}

extension WireClient {
  /// Sends a request on this connection.
  func ask(
    _ line: String, _ headers: [String] = [], host: String = "localhost", body: String? = nil
  ) {
    var lines = ["\(line) HTTP/1.1", "Host: \(host)"] + headers
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    send(lines.map { "\($0)\r\n" }.joined() + "\r\n" + (body ?? ""))
  }

  /// The next response, complete.
  func response() throws -> ReceivedResponse {
    var bytes: [UInt8] = []
    while true {
      let (piece, end) = receiveBytes()
      bytes += piece
      if end == .stillOpen { throw WaitedInVain(for: "a response", but: bytes) }
      if let response = try ReceivedResponse.parse(bytes, isClosed: end != nil) { return response }
      if end != nil { throw WaitedInVain(for: "a response on a closed connection", but: bytes) }
    }
  }

  func exchange(
    _ line: String, _ headers: [String] = [], host: String = "localhost", body: String? = nil
  ) throws -> ReceivedResponse {
    ask(line, headers, host: host, body: body)
    return try response()
  }
}

/// What a test waited for did not come.
struct WaitedInVain: Error, CustomStringConvertible {
  let description: String

  init(for expected: String, but bytes: [UInt8]) {
    self.init(for: expected, but: String(decoding: bytes, as: UTF8.self))
  }

  init(for expected: String, but text: String) {
    description = "waited for \(expected), but this came: \(text.isEmpty ? "nothing" : text)"
  }
}

extension FakeServer {
  func client() throws -> WireClient { try WireClient(port: address.port) }

  /// Asks the admin API, on a connection of its own.
  func admin(
    _ method: String, _ path: String, _ headers: [String] = [], session: String? = nil,
    body: String? = nil
  ) throws -> ReceivedResponse {
    let prefix = session.map { "/~\($0)" } ?? ""
    return try client().exchange(
      "\(method) \(prefix)/__understudy\(path)", headers, host: "\(address)", body: body)
  }
}

extension ReceivedResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  func json() throws -> JSONValue { try JSONDocument(parsing: body).root }
}
