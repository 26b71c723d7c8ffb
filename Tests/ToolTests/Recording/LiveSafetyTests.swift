import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The built tool sends to each live API what is for it, and only for those who may.
@Suite struct LiveSafetyTests {
  private static let live = [
    "w/upstream.json": #"{ "summary": "One" }"#,
    "w/trail.json": #"""
    { "request": { "method": "GET", "path": "/trail" },
      "cases": { "ok": { "status": 200, "body": { "from": "w" } } } }
    """#,
    "hb/upstream.json": #"{ "summary": "Another, on another port" }"#,
    "hb/list.json": #"""
    { "request": { "method": "GET", "path": "/list" },
      "cases": { "ok": { "status": 200, "body": { "from": "hb" } } } }
    """#,
    "hb/post.json": #"""
    { "request": { "method": "POST", "path": "/post" },
      "cases": { "ok": { "status": 201, "body": { "from": "hb" } } } }
    """#,
  ]

  /// Live APIs on two ports; `W` and `HB` in the words are their base URLs.
  private func withLive(
    _ test: @escaping @Sendable (_ words: (String) -> [String], SampleContracts) throws -> Void
  ) async throws -> [JournalEntry] {
    var configuration = ServerConfiguration()
    (configuration.namesCases, configuration.givesPorts) = (false, true)
    let live = try await FakeServer.start(
      ContractLibrary(reading: Self.live), configuration: configuration)
    let (w, hb) = (try #require(live.baseURL(of: "w")), try #require(live.baseURL(of: "hb")))
    try await offPool {
      try test(
        { line in
          line.split(separator: " ").map {
            String($0.replacing("HB", with: hb).replacing("W", with: w))
          }
        },
        SampleContracts(only: ["note": ""]))
    }
    let journal = await live.journal()
    await live.close()
    return journal
  }

  /// What came to the live APIs, `POST /hb/post with Authorization`.
  private static func texts(_ journal: [JournalEntry]) -> [String] {
    journal.map { entry in
      "\(entry.request.method) \(entry.path)"
        + (entry.request.headerValue("authorization") == nil ? "" : " with Authorization")
        + (entry.request.headerValue("understudy-token") == nil ? "" : " with the token")
        + (entry.isUnmatched ? ", unmatched" : "")
    }
  }

  @Test(
    "live APIs on two ports of a machine get their own requests, whichever comes first",
    arguments: [[0, 1], [1, 0]])
  func ports(order: [Int]) async throws {
    let journal = try await withLive { words, samples in
      let server = try RunningServer(
        words("--record --upstream w=W --upstream hb=HB"), in: samples.folder)
      _ = server.lines { $0.isEmpty }
      for number in order {
        if number == 0 {
          #expect(try server.send("GET /w/trail").hasSuffix(#"{"from":"w"}"#))
        } else {
          let response = try server.send("POST /hb/post", "Authorization: Bearer theirs")
          #expect(response.hasSuffix(#"{"from":"hb"}"#))
        }
        let lines = server.lines { $0.hasPrefix("reloaded") }
        #expect(!lines.contains { $0.hasPrefix("not recorded") }, "\(lines)")
      }
      // Neither its Host nor its path names one of them.
      #expect(try server.send("POST /post", "Authorization: x").hasPrefix("HTTP/1.1 404 "))
      for path in ["w/trail", "hb/post-post"] { _ = try samples.read("Contracts/\(path).json") }
      #expect(samples.run(["lint"]).code == .pass)
      server.interrupt()
      #expect(server.end().code == 0)
    }
    let expected = ["GET /trail", "POST /post with Authorization"]
    #expect(Self.texts(journal) == order.map { expected[$0] })
  }

  @Test("record makes an upstream for each of two ports")
  func record() async throws {
    _ = try await withLive { words, samples in
      let run = try ProcessRun(
        Checkout.tool.path, words("record W/trail HB/list"), directory: samples.folder)
      #expect(run.errors == "")
      #expect(run.code == 0)
      let folder = samples.folder.appendingPathComponent("Contracts").path
      let ports = words("W HB").compactMap { $0.split(separator: ":").last }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == ports.map { "127-0-0-1-\($0)" }.sorted())
      #expect(samples.run(["lint"]).code == .pass)
    }
  }

  @Test("a page reaches a live API only if its origin is allowed")
  func pages() async throws {
    let journal = try await withLive { words, samples in
      let server = try RunningServer(
        words("--record --cors --allow-origin http://localhost:3000/ --upstream w=W"),
        in: samples.folder)
      let refusal = try server.send("DELETE /w/trail", "Origin: http://evil.example")
      #expect(refusal.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
      #expect(refusal.contains("start the server with --allow-origin and their origin"))
      let response = try server.send("GET /w/trail", "Origin: http://localhost:3000")
      #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(response.contains("\r\nAccess-Control-Allow-Origin: http://localhost:3000\r\n"))
      server.interrupt()
      #expect(server.end().code == 0)
    }
    #expect(Self.texts(journal) == ["GET /trail"])
  }

  @Test("where others can reach the server, a live API is called only with the token")
  func token() async throws {
    let journal = try await withLive { words, samples in
      let server = try RunningServer(
        words("--record --bind 0.0.0.0 --upstream w=W"), in: samples.folder,
        environment: ["UNDERSTUDY_ADMIN_TOKEN": "right-right-right"])
      let refusal = try server.send("GET /w/trail", "Authorization: Bearer theirs")
      #expect(refusal.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
      let response = try server.send(
        "GET /w/trail", "Authorization: Bearer theirs", "Understudy-Token: right-right-right")
      #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
      _ = server.lines { $0.hasPrefix("reloaded") }
      // What was recorded is served here; without credentials it is another request.
      let again = try server.send("GET /w/trail", "Authorization: Bearer theirs")
      #expect(again.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(try server.send("GET /w/trail").hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
      server.interrupt()
      #expect(server.end().code == 0)
    }
    #expect(Self.texts(journal) == ["GET /trail with Authorization"])
  }

  @Test("a response that hides a header in another is refused")
  func hiddenHeader() async throws {
    try await offPool {
      let peer = try BytesPeer(headers: ["X-A: a\rSet-Cookie: evil=1"], body: [])
      let samples = try SampleContracts(only: ["note": ""])
      let server = try RunningServer(
        ["--record", "--upstream", "w=\(peer.url)"], in: samples.folder)
      let response = try server.send("GET /w/x")
      #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
      #expect(!response.contains("evil"))
      #expect(
        response.hasSuffix(
          "GET \(peer.url)x: a header has a carriage return or NUL in it (RFC 9110, section 5.5)"
            + " (curl 23)\"}\n"),
        "\(response)")
      server.interrupt()
      #expect(server.end().code == 0)
    }
  }

  @Test(
    "an origin has no path",
    arguments: ["http://a/b", "a.example", "null", "*", "ftp://a.example"])
  func wrongOrigin(origin: String) {
    let run = CommandLineRun(words: ["serve", "--allow-origin", origin])
    #expect(
      run.errors
        == "understudy: error: found \"\(origin)\" for --allow-origin, expected an address without a path, such as http://localhost:3000\n"
    )
    #expect(run.code == .couldNotRun)
  }
}
