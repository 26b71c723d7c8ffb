import Foundation
import Synchronization
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The built tool records an API, serves what it has recorded, and asks the API again.
@Suite struct ReplayTests {
  private static let requests = [
    WireMessage("GET", "/items/1"),
    WireMessage("GET", "/items/2?tag=a&tag=b"),
    WireMessage("GET", "/items/2?tag=a"),
    WireMessage("GET", "/items/2?q=%E2%82%AC+x"),
    WireMessage("GET", "/items/1", [["If-None-Match", "\"1\""]]),
    WireMessage("GET", "/items/1", [["Range", "bytes=0-3"]]),
    WireMessage(
      "POST", "/items", [["Content-Type", "application/json"]], body: "{\"item\":\"A\"}"),
    WireMessage(
      "POST", "/items", [["Content-Type", "application/json"]], body: "{\"item\":\"B\"}"),
    WireMessage("DELETE", "/items/1"),
    WireMessage("GET", "/secure"),
    WireMessage("GET", "/secure", [["Authorization", "Bearer sesame-open-now"]]),
    WireMessage("GET", "/lines"), WireMessage("GET", "/feed"), WireMessage("GET", "/page"),
    WireMessage("GET", "/picture"), WireMessage("GET", "/moved"), WireMessage("GET", "/nothing/a"),
    WireMessage("GET", "/language"),
    WireMessage("GET", "/language", [["Accept-Language", "de"]]),
  ]

  private static func ask(_ requests: [WireMessage], of port: UInt16) throws -> [WireMessage] {
    try requests.map { request in
      var request = request
      request.firstLine = "\(request.method) /api\(request.target) HTTP/1.1"
      return try request.ask(port: port)
    }
  }

  @Test("an app gets the same responses again, and drift finds nothing")
  func all() async throws {
    let api = try StrangeAPI()
    try await offPool { [url = api.url] in
      let samples = try SampleContracts(only: ["note": ""])
      let recorder = try RunningServer(
        ["--record-all", "--upstream", "api=\(url)"], in: samples.folder)
      let first = try Self.ask(Self.requests, of: recorder.port)
      recorder.interrupt()
      let end = recorder.end()
      #expect(end.code == 0)
      #expect(!end.output.contains("not recorded"), "\(end.output)")
      let server = try RunningServer([], in: samples.folder)
      let second = try Self.ask(Self.requests, of: server.port)
      for ((request, old), new) in zip(zip(Self.requests, first), second) {
        #expect(new.status == old.status, "\(request)")
        #expect(
          String(decoding: new.body, as: UTF8.self).filter { !$0.isWhitespace }
            == String(decoding: old.body, as: UTF8.self).filter { !$0.isWhitespace }, "\(request)")
        for name in ["Content-Type", "ETag", "Vary", "Cache-Control", "X-RateLimit-Limit"] {
          #expect(new.values(name) == old.values(name), "\(request)")
        }
      }
      server.interrupt()
      #expect(server.end().code == 0)
      let drift = try ProcessRun(
        Checkout.tool.path, ["drift"], directory: samples.folder)
      #expect(drift.errors == "")
      #expect(drift.code == 0, "\(drift.output)")
    }
  }

  /// An API that counts what it is asked for.
  private static func counting() throws -> (ScriptedUpstream, asked: @Sendable () -> [String]) {
    let log = Log()
    let upstream = try ScriptedUpstream { asked in
      let body = String(decoding: asked.body, as: UTF8.self)
      log.asked.withLock { $0.append("\(asked.method) \(asked.target) \(body)") }
      let echo = "\(asked.target) \(body)".replacing("\"", with: "'")
      return WireMessage(
        status: 200, [["Content-Type", "application/json"]], body: "{\"echo\":\"\(echo)\"}")
    }
    return (upstream, { log.asked.withLock { $0 } })
  }

  private final class Log: Sendable {
    let asked = Mutex<[String]>([])
  }

  @Test("no client gets the response to another's request while it records")
  func unmatched() async throws {
    let (upstream, asked) = try Self.counting()
    try await offPool { [url = upstream.url] in
      let samples = try SampleContracts(only: ["note": ""])
      let server = try RunningServer(["--record", "--upstream", "api=\(url)"], in: samples.folder)
      _ = server.lines { $0.isEmpty }
      let requests = [
        WireMessage("POST", "/buy", body: "{\"item\":\"A\"}"),
        WireMessage("POST", "/buy", body: "{\"item\":\"B\"}"),
        WireMessage("GET", "/users/1"), WireMessage("GET", "/users/2"),
      ]
      for request in requests + requests {
        let before = asked().count
        let response = try Self.ask([request], of: server.port)[0]
        let body = String(decoding: request.body, as: UTF8.self).replacing("\"", with: "'")
        #expect(
          String(decoding: response.body, as: UTF8.self)
            == "{\"echo\":\"\(request.target) \(body)\"}")
        if asked().count > before { _ = server.lines { $0.hasPrefix("reloaded") } }
      }
      // Each was asked once: the second time the contract responds.
      #expect(asked().count == requests.count, "\(asked())")
      server.interrupt()
      #expect(server.end().code == 0)
    }
  }

  @Test("an existing contract responds to whatever it matches")
  func ownContracts() async throws {
    let (upstream, asked) = try Self.counting()
    try await offPool { [url = upstream.url] in
      let samples = try SampleContracts(only: [
        "Contracts/api/upstream.json": "{ \"summary\": \"Mine\", \"baseURL\": \"\(url)\" }",
        "Contracts/api/users.json": #"""
        { "request": { "method": "GET", "path": "/users/{id}" },
          "cases": { "ok": { "status": 200, "body": { "id": 1 } } } }
        """#,
      ])
      let server = try RunningServer(["--record"], in: samples.folder)
      let response = try Self.ask([WireMessage("GET", "/users/9")], of: server.port)[0]
      #expect(String(decoding: response.body, as: UTF8.self) == "{\"id\":1}")
      #expect(asked() == [])
      server.interrupt()
      #expect(server.end().code == 0)
    }
  }

  @Test("a repeated query parameter is recorded and required with all its values")
  func repeated() async throws {
    let (upstream, asked) = try Self.counting()
    try await offPool { [url = upstream.url] in
      let samples = try SampleContracts(only: ["note": ""])
      let record = try ProcessRun(
        Checkout.tool.path,
        ["record", "--upstream", "api", "\(url)/h?X-A=1&X-A=2", "\(url)/h?X-A=1"],
        directory: samples.folder)
      #expect(record.errors == "")
      #expect(record.code == 0, "\(record.output)")
      let text = try samples.read("Contracts/api/h.json")
      #expect(text.contains(#""query.X-A": { "optional": true, "example": ["1", "2"] }"#))
      #expect(text.contains(#""when": { "request": { "query.X-A": ["1"] } }"#))
      let before = asked().count
      let drift = try ProcessRun(
        Checkout.tool.path, ["drift"], directory: samples.folder)
      #expect(drift.code == 0, "\(drift.output)")
      #expect(
        Set(asked().dropFirst(before)) == ["GET /h?X-A=1&X-A=2 ", "GET /h?X-A=1 "])
    }
  }

  @Test("an upload is recorded, and one with a different response is reported as not recorded")
  func uploads() async throws {
    let api = try StrangeAPI()
    try await offPool { [url = api.url] in
      let samples = try SampleContracts(only: ["note": ""])
      let server = try RunningServer(["--record", "--upstream", "api=\(url)"], in: samples.folder)
      for boundary in ["one", "two"] {
        let upload = WireMessage(
          "POST", "/upload", [["Content-Type", "multipart/form-data; boundary=\(boundary)"]],
          body: "--\(boundary)\r\n\r\n\(boundary)\r\n--\(boundary)--\r\n")
        #expect(try Self.ask([upload], of: server.port)[0].status == 201)
      }
      server.interrupt()
      let end = server.end()
      #expect(end.output.contains("recorded: Contracts/api/post-upload.json\n"))
      #expect(
        end.output.contains(
          "not recorded: POST /upload of api: its parts cannot be read, and"
            + " nothing distinguishes it from a request with a different response\n"))
    }
  }
}
