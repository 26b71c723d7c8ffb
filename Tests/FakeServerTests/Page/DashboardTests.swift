import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

/// The page as the server sends it.
@Suite struct DashboardTests {
  private static let accept = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"

  @Test(
    "browsers get the page, also in a session",
    arguments: ["/__understudy/", "/__understudy", "/~w/__understudy/"])
  func served(path: String) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET \(path)", [Self.accept], host: "\(server.address)")
      #expect(response.status == 200)
      #expect(response.text == DashboardPage.html)
      #expect(response.values(of: "Content-Type") == ["text/html; charset=utf-8"])
      #expect(response.values(of: "Content-Security-Policy") == [Dashboard.policy])
      #expect(response.values(of: "X-Content-Type-Options") == ["nosniff"])
      #expect(response.values(of: "Cache-Control") == ["no-store"])
      #expect(response.values(of: "Vary") == ["Accept, Accept-Encoding"])
      // Nobody's request, and no session was begun.
      #expect(await server.journal().isEmpty)
      #expect(server.core.sessionNames == [])
    }
  }

  @Test("HEAD gets the same head")
  func head() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      client.ask(
        "HEAD /__understudy/", [Self.accept, "Connection: close"], host: "\(server.address)")
      let text = client.receiveAll().text
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(text.contains("\r\nContent-Length: \(DashboardPage.html.utf8.count)\r\n"))
      #expect(text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(
    "programs get the description, and other methods what they got",
    arguments: [("GET", "application/json", 200), ("GET", "*/*", 200), ("PUT", "text/html", 405)])
  func programs(method: String, accepted: String, status: Int) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.admin(method, "/", ["Accept: \(accepted)"])
      #expect(response.status == status)
      #expect(response.values(of: "Content-Type").first?.contains("json") == true)
    }
  }

  @Test("the page needs no token, but what it asks for does")
  func token() async throws {
    try await SmallServer.with {
      $0.adminToken = "0123456789abcdef"
    } _: { (server) async throws in
      #expect(try server.admin("GET", "/", [Self.accept]).status == 200)
      #expect(try server.admin("GET", "/contracts", [Self.accept]).status == 401)
      #expect(try server.admin("GET", "/").status == 401)
    }
  }

  @Test(
    "a foreign Host or Origin does not get the page",
    arguments: [("evil.example", []), (nil, ["Origin: http://evil.example"])])
  func foreign(host: String?, headers: [String]) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET /__understudy/", [Self.accept] + headers, host: host ?? "\(server.address)")
      #expect(response.status == 403)
    }
  }

  @Test("the policy allows the style and the script that are in the page, and nothing else")
  func policy() throws {
    let page = DashboardPage.html
    func content(_ start: String, _ end: String) throws -> String {
      let parts = page.components(separatedBy: start)
      try #require(parts.count == 2)
      return try #require(parts[1].components(separatedBy: end).first)
    }
    let style = try content("<style>", "</style>")
    let script = try content("<script type=\"module\">", "</script>")
    #expect(DashboardPage.styleHash == "sha256-\(try Self.hash(style))")
    #expect(DashboardPage.scriptHash == "sha256-\(try Self.hash(script))")
    #expect(
      Dashboard.policy
        == "default-src 'none'; connect-src 'self'; img-src data:; "
        + "style-src '\(DashboardPage.styleHash)'; script-src '\(DashboardPage.scriptHash)'; "
        + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
  }

  private static func hash(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-sha256", "-binary", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return bytes.base64EncodedString()
  }

  @Test("the page is small on the wire, and whole")
  func compressed() async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.client().exchange(
        "GET /__understudy/", [Self.accept, "Accept-Encoding: gzip, deflate, br"],
        host: "\(server.address)")
      #expect(response.values(of: "Content-Encoding") == ["gzip"])
      #expect(response.body.count <= 60_000)
      let page = Inflate.decoded(response.body, coding: "gzip", byteCountMax: 1 << 20)
      #expect(page == Array(DashboardPage.html.utf8))
    }
  }

  @Test("the page writes no markup of its own")
  func markup() {
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Storage",
    ] {
      #expect(!DashboardPage.html.contains(word), "\(word)")
    }
  }
}
