import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFakeServer

@testable import UnderstudyTool

/// The built server records a fake that stands for a live API.
@Suite struct ServeRecordTests {
  private static let live = [
    "api/upstream.json": #"{ "summary": "Live", "baseURL": "http://live/v1" }"#,
    "api/users.json": #"""
    { "request": { "method": "GET", "path": "/users/{id}" },
      "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json", "Set-Cookie": "a=b" },
                         "body": { "id": "{path.id as json}", "seen": "{header.X-Seen}" }, "template": ["body"] } } }
    """#,
    "api/add.json": #"""
    { "request": { "method": "POST", "path": "/users", "body": { "equals": { "name": "Ann" } } },
      "cases": { "ok": { "status": 201, "body": { "id": 3 } } } }
    """#,
    "api/upload.json": #"""
    { "request": { "method": "POST", "path": "/files" },
      "cases": { "ok": { "status": 201, "headers": { "Content-Type": "application/json" }, "body": [1] },
                 "other": { "status": 409, "when": { "request": { "body": { "multipart": { "to": "b" } } } } } } }
    """#,
    "api/graphql.json": #"""
    { "request": { "method": "POST", "path": "/graphql" },
      "cases": { "ok": { "status": 200, "template": ["body"], "headers": { "Content-Type": "application/json" },
                         "body": { "data": ["{body./operationName}", "{body./variables/id as json}"] } } } }
    """#,
  ]

  /// A live API and an understudy that records it as `api`, in a folder with these files.
  private func record(
    _ words: [String], serving others: [String: String] = [:],
    files: [String: String] = ["note": ""],
    _ test: @escaping @Sendable (RunningServer, SampleContracts) throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.namesCases = false
    let live = try await FakeServer.start(
      ContractLibrary(reading: Self.live.merging(others) { $1 }), configuration: configuration)
    let base = try #require(live.baseURL(of: "api"))
    try await offPool {
      let samples = try SampleContracts(
        only: files.mapValues { $0.replacing("BASE", with: base) })
      let server = try RunningServer(
        words.map { $0.replacing("BASE", with: base) }, in: samples.folder)
      _ = server.lines { $0.isEmpty }
      try test(server, samples)
      server.interrupt()
      #expect(server.end().code == 0)
    }
    await live.close()
  }

  private static let path = "/api/api/v1/users"

  @Test(
    "a request without a contract goes to the live API, and then a contract responds to it")
  func unmatched() async throws {
    try await record(["--record", "--upstream", "api=BASE"]) { server, samples in
      let first = try server.send("GET \(Self.path)/7", "X-Seen: yes", "Prefer: code=500")
      #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(first.contains("\r\nSet-Cookie: a=b\r\n"))
      #expect(!first.contains("Understudy-Contract"))
      #expect(first.hasSuffix(#"{"id":7,"seen":"yes"}"#))
      let lines = server.lines { $0.hasPrefix("reloaded") }
      #expect(lines.contains("recorded: Contracts/api/upstream.json"))
      #expect(lines.contains("recorded: Contracts/api/users-id.json"))
      #expect(lines.last == "reloaded: added api, api/users-id")
      #expect(server.line()?.contains("/api/api/v1  records http://127.0.0.1:") ?? false)
      #expect(lines.contains { $0.hasSuffix("the live API of api responded") })
      let second = try server.send("GET \(Self.path)/7", "X-Seen: yes")
      #expect(second.contains("\r\nUnderstudy-Contract: api/users-id\r\n"))
      #expect(second.hasSuffix(#"{"id":7,"seen":"yes"}"#))
      let lint = samples.run(["lint"])
      #expect(lint.output == "2 files, 1 upstream, 1 contract, 4 cases: no problems\n")
    }
  }

  @Test("a client starts and stops a recording, and its contracts are served")
  func byClients() async throws {
    let files = [
      "Contracts/api/upstream.json": #"{ "summary": "Live", "baseURL": "BASE" }"#,
      "Contracts/api/own.json": #"""
      { "request": { "method": "GET", "path": "/own" }, "cases": { "ok": { "status": 204 } } }
      """#,
    ]
    try await record(["--allow-save"], files: files) { server, samples in
      let host = "localhost:\(server.port)"
      let started = try server.send("POST /__understudy/recording/start", host: host)
      #expect(started.contains(#""status":"recording""#))
      let response = try server.send("GET \(Self.path)/7")
      #expect(response.hasSuffix(#"{"id":7,"seen":""}"#))
      let stopped = try server.send("POST /__understudy/recording/stop", host: host)
      #expect(
        stopped.contains(
          #"{"requests":1,"files":["Contracts/api/users-id.json"],"unrecorded":[]}"#))
      _ = server.lines { $0 == "reloaded: added api/users-id" }
      let second = try server.send("GET \(Self.path)/7")
      #expect(second.contains("\r\nUnderstudy-Contract: api/users-id\r\n"))
    }
  }

  @Test("with all requests recorded, contracts learn from each")
  func all() async throws {
    try await record(["--record-all", "--upstream", "api=BASE"]) { server, samples in
      for id in [1, 2] {
        #expect(try server.send("GET \(Self.path)/\(id)").hasSuffix(#"{"id":\#(id),"seen":""}"#))
        _ = server.lines { $0.hasPrefix("reloaded") }
      }
      let text = try samples.read("Contracts/api/users-id.json")
      #expect(text.contains(#""when": { "request": { "path.id": "2" } }"#))
      let lint = samples.run(["lint"])
      #expect(lint.output == "2 files, 1 upstream, 1 contract, 5 cases: no problems\n")
    }
  }

  @Test("operations of GraphQL get contracts of their own, which learn from further variables")
  func operations() async throws {
    try await record(["--record", "--upstream", "api=BASE"]) { server, samples in
      func ask(_ operation: String, _ id: Int) throws -> String {
        let body = #"{"operationName":"\#(operation)","variables":{"id":\#(id)},"query":"{a}"}"#
        return try server.send(
          "POST /api/api/v1/graphql", "Content-Type: application/json", body: body)
      }
      for (operation, id) in [("Hero", 1), ("Villain", 1), ("Hero", 2)] {
        #expect(!(try ask(operation, id).contains("Understudy-Contract")))
        _ = server.lines { $0.hasPrefix("reloaded") }
      }
      for (operation, id) in [("Hero", 1), ("Hero", 2), ("Villain", 1)] {
        let response = try ask(operation, id)
        #expect(response.contains("\r\nUnderstudy-Contract: api/\(operation.lowercased())\r\n"))
        #expect(response.hasSuffix(#"{"data":["\#(operation)",\#(id)]}"#))
      }
    }
  }

  @Test("a form in several parts is known again, whatever its boundary")
  func parts() async throws {
    try await record(["--record", "--upstream", "api=BASE"]) { server, samples in
      func upload(to place: String, _ boundary: String) throws -> String {
        let body =
          "--\(boundary)\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\n\(place)\r\n"
          + "--\(boundary)--\r\n"
        return try server.send(
          "POST /api/api/v1/files", "Content-Type: multipart/form-data; boundary=\(boundary)",
          body: body)
      }
      for place in ["a", "b"] {
        #expect(!(try upload(to: place, "first").contains("Understudy-Contract")))
        _ = server.lines { $0.hasPrefix("reloaded") }
      }
      for (place, status) in [("a", "201 Created"), ("b", "409 Conflict")] {
        let response = try upload(to: place, "second")
        #expect(response.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(response.contains("\r\nUnderstudy-Contract: api/post-files\r\n"))
      }
      let text = try samples.read("Contracts/api/post-files.json")
      #expect(text.contains(#""body": { "multipart": { "to": "b" } }"#))
    }
  }

  @Test("a contract that someone has changed meanwhile is not rewritten")
  func changed() async throws {
    try await record(["--record-all", "--upstream", "api=BASE"]) { server, samples in
      let path = "Contracts/api/users-id.json"
      _ = try server.send("GET \(Self.path)/1")
      _ = server.lines { $0.hasPrefix("reloaded") }
      let mine = try samples.read(path).replacing("Recorded from GET /users/1", with: "Mine")
      try samples.write(path, mine)
      _ = server.lines { $0.hasPrefix("reloaded") }
      _ = try server.send("GET \(Self.path)/2")
      // What comes later is recorded later.
      _ = try server.send("GET /api/api/v1/nothing")
      _ = server.lines { $0.hasPrefix("reloaded") }
      #expect(try samples.read(path) == mine)
    }
  }

  @Test("the client learns that a live API is down, and nothing is recorded")
  func unreachable() async throws {
    let arguments = ["--record", "--upstream", "api=http://127.0.0.1:1/v1"]
    try await record(arguments) { server, samples in
      let response = try server.send("GET /api/v1/users/7?token=hidden")
      #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
      #expect(response.contains("\r\nContent-Type: application/problem+json\r\n"))
      #expect(
        response.contains(
          #"{"title":"The live API did not respond","status":502,"#
            + #""detail":"no response from http://127.0.0.1:1/v1: cannot connect"#))
      #expect(!response.contains("hidden"))
      let said = server.lines { $0.contains("GET") }.last
      #expect(said?.contains("no response from http://127.0.0.1:1/v1: cannot connect") == true)
      #expect(said?.contains("responded by") == false)
      let folder = samples.folder.appendingPathComponent("Contracts").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("nothing outside the base URL is requested")
  func climbing() async throws {
    try await record(["--record", "--upstream", "api=BASE"]) { server, _ in
      for path in ["..", "%2e%2E/x", "a/../../x", "..%2fx"] {
        let response = try server.send("GET /api/api/v1/\(path)")
        #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(path)")
        #expect(
          response.hasSuffix(
            #"{"title":"The request was not forwarded","status":400,"#
              + #""detail":"the path has a . or .. segment, which is not forwarded"}"# + "\n"),
          "\(path)")
      }
    }
  }

  @Test("a request that is not recorded is reported once, and does not stop the rest")
  func unrecorded() async throws {
    try await record(["--record-all", "--upstream", "api=BASE"]) { server, samples in
      _ = try server.send("GET \(Self.path)/7")
      _ = server.lines { $0.hasPrefix("reloaded") }
      let file = "Contracts/api/users-id.json"
      let half = String(try samples.read(file).dropLast(9))
      try samples.write(file, half)
      _ = server.lines { $0.hasPrefix("not reloaded") }
      _ = try server.send("GET \(Self.path)/8")
      _ = server.lines { $0.hasPrefix("not recorded: Contracts/api has errors") }
      #expect(try samples.read(file) == half)
      for _ in 1...2 { _ = try server.send("DELETE /api/api/v1//x") }
      let lines = server.lines { $0.hasPrefix("not recorded: DELETE") }
      #expect(
        lines.last == "not recorded: DELETE //x of api: the path has an empty segment")
    }
  }

  @Test("two signals end it while it infers a contract from a large body")
  func hurried() async throws {
    // It takes much longer to infer a contract from it than to send signals.
    let items = repeatElement(#"{"a":1,"b":"x","c":[true]}"#, count: 150_000)
    let large = """
      { "request": { "method": "GET", "path": "/large" },
        "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json" },
          "body": [\(items.joined(separator: ","))] } } }
      """
    try await record(
      ["--record", "--upstream", "api=BASE"], serving: ["api/large.json": large]
    ) { server, samples in
      let response = try server.send("GET /api/api/v1/large")
      #expect(response.utf8.count > 4_000_000)
      // Both are there before it goes on: the first interrupts it, the second leaves no grace.
      for number in [SIGSTOP, SIGTERM, SIGINT, SIGCONT] { kill(server.id, number) }
      let (output, _, code) = server.end()
      #expect(output.contains("not recorded: 1 endpoint, since the server is stopping\n"))
      #expect(code == 0)
      #expect(throws: (any Error).self) { try samples.read("Contracts/api/large.json") }
    }
  }

  @Test("it says first what it records")
  func opening() async throws {
    let samples = try SampleContracts()
    let server = try RunningServer(
      ["--record", "--upstream", "new=https://example.com/v1"], in: samples.folder)
    #expect(
      server.lines { $0.hasPrefix("try") } == [
        "  dog-ceo  http://127.0.0.1:PORT/dog-ceo/api",
        "  new      http://127.0.0.1:PORT/new/v1       records https://example.com/v1", "try",
      ])
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test(
    "a mistake on the command line is an error with its fix",
    arguments: [
      (
        "serve --upstream x=http://a",
        "--upstream x=http://a needs --record or --record-all\n  fix: add one of them"
      ),
      (
        "serve --record a b",
        "a selection cannot be used with --record, which records into a whole folder\n  fix: name the folder: --contracts FOLDER, and the upstreams to record: --upstream NAME"
      ),
      (
        "serve --record --upstream x --contracts nowhere",
        "unknown upstream \"x\" in --upstream\n  fix: give its URL: --upstream x=https://…"
      ),
      (
        "serve --record --upstream jok Contracts",
        "unknown upstream \"jok\" in --upstream\n  fix: did you mean \"joke\"? If it is new, give its URL: --upstream jok=https://…"
      ),
      (
        "serve --record --upstream restaurants Contracts",
        "upstream \"restaurants\" has no base URL\n  fix: give its URL: --upstream restaurants=https://…"
      ),
      (
        "serve --record --upstream x=http://a --upstream x=http://b -C nowhere",
        "--upstream x is given twice, as \"x=http://a\" and \"x=http://b\"\n  fix: keep one of them"
      ),
      (
        "serve --record -C nowhere",
        "no upstream with a live API in nowhere, so nothing can be recorded\n  fix: name one with --upstream NAME=URL"
      ),
      (
        "serve --record --upstream x=ftp://a",
        "found \"x=ftp://a\" for --upstream, expected a name of lower-case letters, digits and dashes, or NAME=URL\n  fix: begin it with https:// or http://"
      ),
      (
        "serve --record --upstream x=https://user:secret@a",
        "found \"x=https://[redacted]@a\" for --upstream, expected a name of lower-case letters, digits and dashes, or NAME=URL\n  fix: leave out user, query and fragment"
      ),
    ])
  func mistake(line: String, message: String) {
    let run = CommandLineRun(line)
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.code == .couldNotRun)
  }
}
