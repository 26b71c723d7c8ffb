import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyRecording

/// Recordings that clients of the admin API start and stop, of a real server.
@Suite struct KeptRecorderTests {
  /// A server that may record, and the API that it stands in for.
  private struct Stage {
    let live: LiveAPI
    let folder: TemporaryFolder
    let server: FakeServer
    let client: RecordedClient

    static func with(
      records: Bool = true, _ configure: (inout ServerConfiguration) -> Void = { _ in },
      _ test: (Stage) async throws -> Void
    ) async throws {
      let live = try LiveAPI()
      let folder = try TemporaryFolder()
      try folder.write(
        "api/upstream.json", #"{ "summary": "An API", "baseURL": "\#(live.url)" }"#)
      try folder.write("dark/upstream.json", #"{ "summary": "One without a live API" }"#)
      for name in ["api", "dark"] {
        try folder.write(
          "\(name)/own.json",
          #"""
          { "request": { "method": "GET", "path": "/own" },
            "cases": { "ok": { "status": 200, "text": "own" } } }
          """#)
      }
      var configuration = ServerConfiguration()
      if records {
        configuration.recording = KeptRecorder(
          into: folder.path, differs: { $0.differs(from: $1, in: $2) })
      }
      configuration.live = LiveForwarder().ask
      configure(&configuration)
      let library = try ContractLibrary.load([folder.path])
      let server = try await FakeServer.start(library, configuration: configuration)
      let stage = Stage(
        live: live, folder: folder, server: server,
        client: RecordedClient(url: "http://\(server.address)"))
      do {
        try await test(stage)
      } catch {
        await server.close()
        throw error
      }
      await server.close()
      await stage.client.transport.close()
    }

    /// The status of an operation, and its JSON.
    @discardableResult
    func admin(
      _ method: String, _ path: String, _ body: String = "", session: String = ""
    ) async throws -> String {
      let response = try await client.ask(
        method, "\(session)/__understudy/recording\(path)", body: body)
      let text = String(decoding: response.body, as: UTF8.self)
      return "\(response.status) \(text)".replacing(live.url, with: "LIVE")
        .replacing(folder.path, with: "FOLDER")
        .replacing(":\(server.address.port)", with: ":PORT")
        .trimmingCharacters(in: .newlines)
    }

    func get(_ path: String) async throws -> String {
      let response = try await client.ask("GET", path)
      return response.status == 404 ? "404" : String(decoding: response.body, as: UTF8.self)
    }

    /// The ids of the contracts in the folder.
    func contracts() throws -> [String] {
      try ContractLibrary.load([folder.path]).contracts.map(\.id).sorted()
    }
  }

  @Test("unmatched requests are forwarded until the recording stops, and become contracts")
  func record() async throws {
    try await Stage.with { stage in
      #expect(
        try await stage.admin("GET", "") == #"200 {"status":"neverStarted","mayStart":true}"#)
      #expect(try await stage.get("/api/users") == "404")
      #expect(
        try await stage.admin("POST", "/start")
          == #"200 {"status":"recording","upstreams":{"api":"LIVE"}}"#)
      #expect(try await stage.admin("GET", "") == #"200 {"status":"recording","mayStart":true}"#)
      #expect(try await stage.get("/api/users") == #"{"echo":"GET /users "}"#)
      #expect(try await stage.client.ask("POST", "/api/users", body: "a").status == 201)
      #expect(try await stage.get("/api/own") == "own")
      #expect(try await stage.get("/dark/users") == "404")
      // Other sessions are not recorded.
      #expect(try await stage.get("/~other/api/users") == "404")
      #expect(try await stage.client.ask("OPTIONS", "/api/users").status == 200)
      #expect(
        try await stage.admin("POST", "/stop")
          == #"200 {"requests":3,"files":["FOLDER/api/users.json","FOLDER/api/post-users.json"],"unrecorded":[{"message":"OPTIONS /users of api: the method is only forwarded","fix":null}]}"#
      )
      let contracts = try stage.contracts()
      #expect(contracts == ["api/own", "api/post-users", "api/users", "dark/own"])
      #expect(try await stage.admin("GET", "") == #"200 {"status":"stopped","mayStart":true}"#)
      #expect(try await stage.get("/api/users") == "404")
    }
  }

  @Test("a new upstream is recorded, and requests that a contract matches, if that is wanted")
  func new() async throws {
    try await Stage.with { stage in
      let body = #"{"upstreams": {"new": "\#(stage.live.url)/v1", "api": null}, "all": true}"#
      #expect(
        try await stage.admin("POST", "/start", body, session: "/~one")
          == #"200 {"status":"recording","upstreams":{"api":"LIVE","new":"LIVE/v1"}}"#)
      #expect(try await stage.get("/~one/new/v1/things") == #"{"echo":"GET /v1/things "}"#)
      #expect(try await stage.get("/~one/api/own") == #"{"echo":"GET /own "}"#)
      #expect(
        try await stage.admin("POST", "/stop", session: "/~one").hasPrefix(#"200 {"requests":2,"#))
      let base = try JSONDocument(parsing: Array(stage.folder.read("new/upstream.json").utf8)).root
      #expect(base["baseURL"]?.string == "\(stage.live.url)/v1")
      let contracts = try stage.contracts()
      #expect(contracts.contains("new/things"))
    }
  }

  @Test("a snapshot writes what the mode live has passed on, and a recording goes on")
  func snapshot() async throws {
    try await Stage.with { stage in
      #expect(
        try await stage.admin("POST", "/snapshot")
          == #"200 {"requests":0,"files":[],"unrecorded":[]}"#)
      stage.server.set(.live, for: .upstream("api"))
      _ = try await stage.get("/api/before")
      stage.server.set(nil, for: .upstream("api"))
      try await stage.admin("POST", "/start")
      _ = try await stage.get("/api/during")
      #expect(
        try await stage.admin("POST", "/snapshot")
          == #"200 {"requests":2,"files":["FOLDER/api/before.json","FOLDER/api/during.json"],"unrecorded":[]}"#
      )
      _ = try await stage.get("/api/after")
      #expect(
        try await stage.admin("POST", "/stop")
          == #"200 {"requests":2,"files":["FOLDER/api/after.json"],"unrecorded":[]}"#)
    }
  }

  @Test("a reset ends a recording, and what was kept is gone")
  func reset() async throws {
    try await Stage.with { stage in
      try await stage.admin("POST", "/start")
      _ = try await stage.get("/api/users")
      #expect(try await stage.client.ask("POST", "/__understudy/reset").status == 204)
      #expect(try await stage.admin("GET", "") == #"200 {"status":"stopped","mayStart":true}"#)
      #expect(
        try await stage.admin("POST", "/snapshot")
          == #"200 {"requests":0,"files":[],"unrecorded":[]}"#)
    }
  }

  @Test("a client is told what is wrong with what it asks for, and what to do")
  func refusals() async throws {
    try await Stage.with { stage in
      for (path, body, status, words) in [
        (
          "/stop", "", 409,
          "there is no recording to stop; POST /__understudy/recording/start begins one"
        ),
        ("/start", "{", 400, "the body is not valid JSON: "),
        ("/start", "[]", 400, "found array with 0 elements, expected an object"),
        (
          "/start", #"{"upstream": {}}"#, 400,
          #"unknown key "upstream"; did you mean "upstreams"?"#
        ),
        ("/start", #"{"all": 1}"#, 400, "found number 1, expected true or false"),
        (
          "/start", #"{"upstreams": {}}"#, 400,
          #", expected an upstream, or no "upstreams" for all"#
        ),
        (
          "/start", #"{"upstreams": {"../x": null}}"#, 400,
          #"found upstream "../x", expected lower-case letters, digits and -"#
        ),
        (
          "/start", #"{"upstreams": {"x": "ftp://a"}}"#, 400,
          #"found string "ftp://a", expected the http or https URL of a live API without a query, or null for the one of upstream.json"#
        ),
        (
          "/start", #"{"upstreams": {"ap": null}}"#, 422,
          #"unknown upstream "ap" in "upstreams"; did you mean "api"? If it is new, give its URL: "upstreams": {"ap": "https://…"}"#
        ),
        (
          "/start", #"{"upstreams": {"dark": null}}"#, 422,
          #"upstream "dark" has no base URL; give its URL: "upstreams": {"dark": "https://…"}"#
        ),
        (
          "/start", #"{"upstreams": {"api": "http://127.0.0.1:1"}}"#, 422,
          "api already exists with the base URL LIVE, not http://127.0.0.1:1; choose another name"
        ),
        (
          "/start", #"{"upstreams": {"x": "http://169.254.169.254/latest"}}"#, 422,
          "nobody is led to a link-local or unspecified address: 169.254.169.254; name the host of the API that is to be recorded"
        ),
        (
          "/start", #"{"upstreams": {"x": "http://localhost:PORT/a"}}"#, 422,
          "http://localhost:PORT/a is this server itself; name the API that is to be recorded, not its fake"
        ),
      ] {
        let body = body.replacing("PORT", with: "\(stage.server.address.port)")
        let found = try await stage.admin("POST", path, body)
        let problem = try JSONDocument(parsing: Array(found.dropFirst(4).utf8)).root
        #expect(found.hasPrefix("\(status) "))
        let said = [problem["detail"]?.string, problem["fix"]?.string].compactMap(\.self)
        #expect(said.joined(separator: "; ").contains(words))
      }
      try await stage.admin("POST", "/start")
      #expect(
        try await stage.admin("POST", "/start")
          == #"409 {"title":"The session is recording already","status":409,"detail":"another recording is under way","fix":"POST /__understudy/recording/stop ends it"}"#
      )
    }
  }

  @Test("a server that may not write, or that records anyway, says so")
  func notAllowed() async throws {
    for path in ["/start", "/stop", "/snapshot"] {
      try await Stage.with(records: false) { (stage) async throws in
        #expect(
          try await stage.admin("GET", "") == #"200 {"status":"neverStarted","mayStart":false}"#)
        #expect(
          try await stage.admin("POST", path)
            == #"403 {"title":"The server may not write files","status":403,"detail":"only a server that was started with --allow-save records for its clients","fix":"understudy serve --allow-save"}"#
        )
      }
      try await Stage.with {
        $0.relay = Relay(baseURLs: [:], takesAll: false, ask: { _, _ in nil })
      } _: { (stage) async throws in
        #expect(
          try await stage.admin("GET", "") == #"200 {"status":"recording","mayStart":false}"#)
        #expect(
          try await stage.admin("POST", path)
            == #"409 {"title":"The server records all the time","status":409,"detail":"it was started to record, and writes contracts as requests arrive","fix":"start it with --allow-save in place of --record"}"#
        )
      }
    }
  }
}
