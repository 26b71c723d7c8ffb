import Foundation
import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// What browsers are told, on real sockets.
@Suite struct CrossOriginTests {
  private static func opened(_ names: String = "") -> [String] {
    [
      "Access-Control-Allow-Origin: https://page.example", "Access-Control-Allow-Credentials: true",
      "Access-Control-Expose-Headers: *, Understudy-Contract, Understudy-Case\(names)",
      "Vary: Origin",
    ]
  }

  private func ask(
    _ line: String, _ headers: [String] = [], cors: Bool = true
  ) async throws -> String {
    var configuration = ServerConfiguration()
    configuration.allowsCORS = cors
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let library = try ContractLibrary.load([root.appending(path: "Contracts").path])
    let server = try await FakeServer.start(library, configuration: configuration)
    let client = try WireClient(port: server.address.port)
    let fields = (["Host: x", "Connection: close"] + headers).joined(separator: "\r\n")
    client.send("\(line) HTTP/1.1\r\n\(fields)\r\n\r\n")
    let text = client.receiveAll().text
    await server.close()
    return text
  }

  private static let origin = "Origin: https://page.example"

  private func corsLines(_ response: String) -> [String] {
    response.components(separatedBy: "\r\n")
      .filter { $0.hasPrefix("Access-Control-") || $0.hasPrefix("Vary: Origin") }
  }

  @Test("a response is opened to the page that asked")
  func respond() async throws {
    let response = try await ask("GET /restaurants/favorites", [Self.origin])
    #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(corsLines(response) == Self.opened(", Content-Type"))
  }

  @Test("so is an unmatched request, whose reasons people read in their browser's console")
  func unmatched() async throws {
    let response = try await ask("GET /restaurants/nothing", [Self.origin])
    #expect(response.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(corsLines(response) == Self.opened())
  }

  @Test("a case with CORS headers of its own is left alone")
  func ownHeaders() async throws {
    let response = try await ask("GET /joke/random_joke", [Self.origin])
    #expect(corsLines(response) == ["Access-Control-Allow-Origin: *"])
  }

  @Test("a request without an Origin gets nothing added")
  func noOrigin() async throws {
    #expect(corsLines(try await ask("GET /restaurants/favorites")) == [])
  }

  @Test("without --cors nothing is added, and a preflight is unmatched")
  func off() async throws {
    #expect(
      corsLines(try await ask("GET /restaurants/favorites", [Self.origin], cors: false)) == [])
    let response = try await ask(
      "OPTIONS /restaurants/favorites", [Self.origin, "Access-Control-Request-Method: PUT"],
      cors: false)
    #expect(response.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
  }

  @Test("a preflight is allowed what it asks for")
  func preflight() async throws {
    let response = try await ask(
      "OPTIONS /restaurants/favorites",
      [
        Self.origin, "Access-Control-Request-Method: PUT",
        "Access-Control-Request-Headers: x-a, content-type",
      ])
    #expect(response.hasPrefix("HTTP/1.1 204 No Content\r\n"))
    #expect(
      corsLines(response) == [
        "Access-Control-Allow-Methods: PUT", "Access-Control-Allow-Headers: x-a, content-type",
      ] + Self.opened())
    #expect(!response.contains("Content-Length"))
  }

  @Test(
    "the admin API is opened to no page",
    arguments: ["OPTIONS /__understudy/x", "OPTIONS /__understudy", "GET /__understudy"])
  func admin(line: String) async throws {
    let response = try await ask(line, [Self.origin, "Access-Control-Request-Method: PUT"])
    #expect(corsLines(response) == [])
    #expect(!response.hasPrefix("HTTP/1.1 204"))
  }
}
