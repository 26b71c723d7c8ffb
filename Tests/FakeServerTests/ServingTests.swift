import Foundation
import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct ServingTests {
  private static func library() throws -> ContractLibrary {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try ContractLibrary.load([root.appending(path: "Contracts").path])
  }

  private func withServer(
    _ configuration: ServerConfiguration = ServerConfiguration(),
    _ test: (FakeServer) async throws -> Void
  ) async throws {
    let server = try await FakeServer.start(Self.library(), configuration: configuration)
    try await BlockingThread.run { try await test(server) }
    await server.close()
  }

  @Test("responds to a request with the contract's first case and keeps the connection")
  func first() async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      for _ in 0..<3 {
        client.send("GET /joke/random_joke HTTP/1.1\r\nHost: x\r\n\r\n")
        let text = client.receive("}")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("\r\nUnderstudy-Contract: joke/random-joke\r\n"))
        #expect(text.contains("\r\nUnderstudy-Case: ok\r\n"))
        #expect(text.hasSuffix("\"id\":236}"))
      }
    }
  }

  @Test("responses pipelined requests in order")
  func pipelined() async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      client.send(
        String(repeating: "GET /joke/random_joke HTTP/1.1\r\nHost: x\r\n\r\n", count: 50)
          + "GET /joke/jokes/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let (text, end) = client.receiveAll()
      #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 52)
      #expect(end == .closed)
    }
  }

  @Test("an unmatched request gets a problem that names the nearest contracts")
  func unmatched() async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      client.send("POST /joke/random_jok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let (text, _) = client.receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
      #expect(text.contains("Content-Type: application/problem+json"))
      #expect(text.contains("\"contract\":\"joke/random-joke\""))
      #expect(
        text.contains("path segment 1: found \\\"random_jok\\\", expected \\\"random_joke\\\""))
    }
  }

  @Test("a reset is a reset")
  func reset() async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      client.send("GET /joke/random_joke HTTP/1.1\r\nHost: x\r\nPrefer: example=reset\r\n\r\n")
      let (text, end) = client.receiveAll()
      #expect(text.isEmpty)
      #expect(end == .reset)
    }
  }

  @Test("a stalled response leaves the connection open")
  func stalled() async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      client.send("GET /joke/random_joke HTTP/1.1\r\nHost: x\r\nPrefer: example=stalled\r\n\r\n")
      #expect(client.receive("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(await client.isSilent(on: server))
      #expect(await server.close() == 1)
    }
  }

  @Test("a delayed response comes, and not before its time")
  func delayed() async throws {
    var configuration = ServerConfiguration()
    configuration.timeScale = 0.02
    try await withServer(configuration) { server in
      let client = try WireClient(port: server.address.port)
      let start = ContinuousClock.now
      client.send("GET /joke/random_joke HTTP/1.1\r\nHost: x\r\nPrefer: example=slow\r\n\r\n")
      #expect(client.receive("}").hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(ContinuousClock.now - start >= .milliseconds(40))
    }
  }

  @Test(
    "malformed requests are refused, and the response arrives",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"),
      ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", "HTTP/1.1 413 "),
    ])
  func refused(request: String, response: String) async throws {
    try await withServer { server in
      let client = try WireClient(port: server.address.port)
      client.send(request)
      let (text, end) = client.receiveAll()
      #expect(text.hasPrefix(response))
      #expect(end == .closed)
    }
  }
}
