import Foundation
import UnderstudyTestSupport
import FoundationNetworking
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyURLSessionClient

@Suite struct URLSessionTransportTests {
  private static let cases = #"""
    "ok": { "status": 200, "headers": { "X-A": "1" }, "body": [1, 2] },
    "missing": { "status": 404, "text": "no" },
    "found": { "status": 302, "headers": { "Location": "/api/x" }, "text": "elsewhere" },
    "held": { "like": "ok", "stall": "beforeHead" },
    "memorable": {
      "status": 200, "text": "keep me",
      "headers": { "Set-Cookie": "a=1; Path=/", "Cache-Control": "max-age=3600", "ETag": "\"1\"" }
    },
    "dripping": { "like": "ok", "pace": { "chunks": 5, "over": "60s" } }
    """#

  private func run(
    _ test: (FakeServer, ClientRequest, URLSessionTransport) async throws -> Void
  ) async throws {
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"{ "summary": "An API" }"#,
      "api/x.json": """
      { "summary": "x", "request": { "method": "GET", "path": "/x" }, "cases": { \(Self.cases) } }
      """,
    ])
    let server = try await FakeServer.start(library)
    let configuration = URLSessionTransport.forgetful
    configuration.connectionProxyDictionary = [:]
    let transport = URLSessionTransport(configuration)
    let request = ClientRequest(url: try #require(server.baseURL(of: "api")) + "/x")
    let result: Result<Void, any Error>
    do { result = .success(try await test(server, request, transport)) } catch {
      result = .failure(error)
    }
    transport.close()
    await server.close()
    try result.get()
  }

  @Test(
    "a response has its status, headers, body and address", arguments: ["ok", "missing", "found"])
  func responses(caseName: String) async throws {
    try await run { server, request, transport in
      server.use(caseName, for: "api/x")
      let response = try await transport.send(request)
      #expect(response.status == ["ok": 200, "missing": 404, "found": 302][caseName])
      let bodies = ["ok": "[1,2]", "missing": "no", "found": ""]
      #expect(String(decoding: response.body, as: UTF8.self) == bodies[caseName])
      #expect(response.headers["x-a"] == (caseName == "ok" ? "1" : nil))
      #expect(response.url == request.url)
    }
  }

  @Test("nothing is remembered: no cookie is sent back, and no response is used again")
  func forgetting() async throws {
    try await run { server, request, transport in
      server.use("memorable", for: "api/x")
      for _ in 0..<3 {
        let response = try await transport.send(request)
        #expect(String(decoding: response.body, as: UTF8.self) == "keep me")
      }
      let heads = await server.journal().map(\.headers)
      #expect(heads.count == 3)
      for headers in heads {
        let names = headers.map { $0.name.lowercased() }
        #expect(!names.contains { ["cookie", "if-none-match", "if-modified-since"].contains($0) })
      }
    }
  }

  @Test("a cancelled task ends its transfer")
  func cancelling() async throws {
    try await run { server, request, transport in
      server.use("held", for: "api/x")
      let task = Task { try await transport.send(request) }
      _ = try #require(await server.nextRequest())
      task.cancel()
      let error = await #expect(throws: TransportError.self) { try await task.value }
      #expect(error?.kind == .cancelled)
    }
  }

  @Test(
    "the total time-out counts from the call, whatever comes meanwhile",
    arguments: ["held", "dripping"])
  func timeout(caseName: String) async throws {
    try await run { server, request, transport in
      server.use(caseName, for: "api/x")
      var impatient = request
      impatient.options.totalTimeout = .milliseconds(1_500)
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(impatient)
      }
      #expect(
        error == TransportError(.timedOut(.waiting), "GET \(request.url): not finished in time"))
    }
  }

  @Test("a request may have all the time there is")
  func noHurry() async throws {
    try await run { _, request, transport in
      var patient = request
      patient.options.totalTimeout = .seconds(Int64.max)
      let response = try await transport.send(patient)
      #expect(response.status == 200)
    }
  }

  @Test("a request that no upstream could be sent is refused, without its secrets")
  func invalid() async throws {
    try await run { server, request, transport in
      var split = request
      split.url += "?token=secret"
      split.headers["X"] = "1\r\nY: 2"
      let error = await #expect(throws: TransportError.self) { try await transport.send(split) }
      #expect(
        error
          == TransportError(
            .invalidRequest,
            "GET \(request.url): the value of X has a line end or another control character"))
      #expect(await server.journal().count == 0)
    }
  }

  @Test("failures have the kinds of any transport")
  func failures() async throws {
    try await run { _, _, transport in
      let invalid = await #expect(throws: TransportError.self) {
        try await transport.send(ClientRequest(url: "fake url"))
      }
      #expect(
        invalid
          == TransportError(
            .invalidRequest, "GET fake url: the URL does not begin with http:// or https://"))
      let port = try BarredPort()
      let refused = await #expect(throws: TransportError.self) {
        try await transport.send(ClientRequest(url: "http://127.0.0.1:\(port.number)/"))
      }
      #expect(refused?.kind == .cannotConnect)
    }
  }
}

/// A port that is taken and on which nobody listens.
private final class BarredPort {
  let number: UInt16
  private let descriptor: Int32

  init() throws {
    let descriptor = Platform.socket()
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isTaken = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    try #require(isTaken)
  }

  deinit { close(descriptor) }
}
