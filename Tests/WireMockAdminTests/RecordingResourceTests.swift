import Foundation
import Synchronization
import Testing
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyWireMockAdmin

/// Stubs made of what another server responds, which is a real one.
@Suite struct RecordingResourceTests {
  /// An API that counts its requests, and the server that stands in for it.
  private struct Stage {
    let stage: AdminStage
    let live: ScriptedUpstream
    let folder: TemporaryFolder
    private let counter: Counter

    private final class Counter: Sendable {
      let count = Atomic(0)
    }

    var askedCount: Int { counter.count.load(ordering: .relaxed) }

    static func with(_ test: (Stage) async throws -> Void) async throws {
      let counter = Counter()
      let live = try ScriptedUpstream { asked in
        let number = counter.count.wrappingAdd(1, ordering: .relaxed).newValue
        return response(to: asked, number)
      }
      let folder = try TemporaryFolder()
      let options = try WireMockAPI.Options(
        folder: folder.path,
        #"{"id": "00000000-0000-4000-8000-000000000001", "request": {"url": "/own"},"#
          + #" "response": {"body": "own"}}"#)
      try await AdminStage.with(options) { stage in
        try await test(Stage(stage: stage, live: live, folder: folder, counter: counter))
      }
    }

    private static func response(to asked: WireMessage, _ number: Int) -> WireMessage {
      switch asked.path {
      case "/count": WireMessage(status: 200, [["Content-Type", "text/plain"]], body: "\(number)")
      case "/bytes":
        WireMessage(status: 200, [["Content-Type", "image/png"]], bytes: [0, 1, 2, 255])
      case "/login":
        WireMessage(
          status: 201,
          [
            ["Content-Type", "application/json"],
            ["Set-Cookie", "session=c29tZSBzZWNyZXQ; Path=/"],
          ],
          body: #"{"access_token":"8f14e45fceea167a5a36dedd4bea2543","user":7}"#)
      case "/gone": WireMessage(status: 404)
      default:
        WireMessage(
          status: 200, [["Content-Type", "application/json"]],
          body: "{\"echo\":\"\(asked.method) \(asked.target)\"}")
      }
    }

    /// Records what the closure asks.
    ///
    /// - Parameter spec: members beside the target.
    func record(
      _ spec: String = "", _ ask: () async throws -> Void
    ) async throws -> JSONValue {
      try await start(spec)
      try await ask()
      let stopped = try await stage.admin("POST /recordings/stop")
      #expect(stopped.status == 200)
      return stopped.json
    }

    func start(_ spec: String = "") async throws {
      let started = try await stage.admin(
        "POST /recordings/start", #"{"targetBaseUrl": "\#(live.url)"\#(spec)}"#)
      #expect(started.status == 200)
    }

    /// What a stub says without its ids.
    func shown(_ stub: JSONValue) -> String {
      let members = stub.members.filter { !["id", "uuid"].contains($0.key) }
      let text = JSONText.object(members.map { ($0.key, .value($0.value)) })
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }

  @Test("what was recorded is served at once, and written to the folder")
  func record() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      #expect(
        try await stage.admin("GET /recordings/status").json["status"]?.string == "NeverStarted")
      let result = try await recording.record {
        #expect(
          try await stage.admin("GET /recordings/status").json["status"]?.string == "Recording")
        // Stubs that were there are hidden meanwhile.
        #expect(try await stage.get("/own") == #"200 {"echo":"GET /own"}"#)
        #expect(try await stage.get("/a/b?c=1") == #"200 {"echo":"GET /a/b?c=1"}"#)
        _ = try await stage.ask(
          "POST /a", #"{"a":1}"#, headers: ["Content-Type: application/json"])
        #expect(try await stage.get("/gone") == "404")
        #expect(try await stage.admin("GET /requests/unmatched").json["requests"]?.count == 0)
      }
      let json = #""headers":{"Content-Type":"application/json"}"#
      #expect(
        result["mappings"]?.elements.map { recording.shown($0) } == [
          #"{"request":{"url":"/own","method":"GET"},"response":{"status":200,"body":"{\"echo\":\"GET /own\"}",\#(json)},"name":"own","persistent":true}"#,
          #"{"request":{"url":"/a/b?c=1","method":"GET"},"response":{"status":200,"body":"{\"echo\":\"GET /a/b?c=1\"}",\#(json)},"name":"a_b","persistent":true}"#,
          #"{"request":{"url":"/a","method":"POST","bodyPatterns":[{"equalToJson":"{\"a\":1}","ignoreArrayOrder":true,"ignoreExtraElements":true}]},"response":{"status":200,"body":"{\"echo\":\"POST /a\"}",\#(json)},"name":"a","persistent":true}"#,
          #"{"request":{"url":"/gone","method":"GET"},"response":{"status":404},"name":"gone","persistent":true}"#,
        ])
      #expect(result["notes"] == nil)
      #expect(try await stage.admin("GET /recordings/status").json["status"]?.string == "Stopped")
      let askedCount = recording.askedCount
      #expect(try await stage.get("/a/b?c=1") == #"200 {"echo":"GET /a/b?c=1"}"#)
      #expect(try await stage.get("/own") == #"200 {"echo":"GET /own"}"#)
      #expect(recording.askedCount == askedCount)
      let files = try FileManager.default.contentsOfDirectory(
        atPath: "\(recording.folder.path)/mappings")
      #expect(files.count == 4)
      #expect(files.contains { $0.hasPrefix("a-b-") })
    }
  }

  @Test("equal requests become a scenario, or the first alone")
  func repeats() async throws {
    for (spec, served) in [
      ("", ["200 1", "200 2", "200 3", "200 3"]),
      (#", "repeatsAsScenarios": false"#, ["200 1", "200 1", "200 1", "200 1"]),
    ] {
      try await Stage.with { recording in
        _ = try await recording.record(#", "persist": false\#(spec)"#) {
          for _ in 0..<3 { _ = try await recording.stage.get("/count") }
        }
        var found: [String] = []
        for _ in served { found.append(try await recording.stage.get("/count")) }
        #expect(found == served)
        let names = try FileManager.default.subpathsOfDirectory(atPath: recording.folder.path)
        #expect(names == [])
      }
    }
  }

  @Test("filters, ids, captured headers and files for bodies do what they say")
  func specification() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      func ask() async throws {
        for path in ["/a/1", "/a/2", "/b"] {
          _ = try await stage.ask("GET \(path)", headers: ["X-A: a", "X-B: B"])
        }
      }
      let all = #", "persist": false"#
      var result = try await recording.record(
        #"\#(all), "outputFormat": "ids", "filters": {"urlPathPattern": "/a/.*", "method": "GET"}"#,
        ask)
      #expect(result["ids"]?.count == 2)
      #expect(result["mappings"] == nil)
      result = try await recording.record(
        #"\#(all), "captureHeaders": {"x-a": {}, "X-B": {"caseInsensitive": true}, "X-C": {}}"#, ask
      )
      #expect(
        result["mappings"]?[2]?["request"].map { String(decoding: $0.compact, as: UTF8.self) }
          == #"{"url":"/b","method":"GET","headers":{"x-a":{"equalTo":"a"},"X-B":{"equalTo":"B","caseInsensitive":true}}}"#
      )
      #expect(
        try await stage.ask("GET /b", headers: ["X-A: a", "X-B: b"]).status == 200)
      result = try await recording.record(
        #", "extractBodyCriteria": {"textSizeThreshold": "1 kb", "binarySizeThreshold": 3}"#
      ) {
        try await ask()
        _ = try await stage.get("/bytes")
      }
      let name = try #require(result["mappings"]?[3]?["response"]?["bodyFileName"]?.string)
      #expect(name.hasPrefix("bytes-") && name.hasSuffix(".png"))
      #expect(try await stage.ask("GET /bytes").body == [0, 1, 2, 255])
      let file = try Data(
        contentsOf: URL(fileURLWithPath: "\(recording.folder.path)/__files/\(name)"))
      #expect(Array(file) == [0, 1, 2, 255])
    }
  }

  @Test("a snapshot takes what was passed on, or all that the request log has")
  func snapshot() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      #expect(try await stage.get("/own") == "200 own")
      #expect(try await stage.admin("POST /recordings/snapshot").json["mappings"]?.count == 0)
      try await recording.start()
      _ = try await stage.get("/a")
      let snapshot = try await stage.admin("POST /recordings/snapshot", #"{"persist": false}"#)
      #expect(snapshot.json["mappings"]?.elements.map { $0["name"]?.string } == ["a"])
      // It goes on.
      _ = try await stage.get("/b")
      #expect(try await stage.admin("POST /recordings/stop").json["mappings"]?.count == 2)
      let all = try await stage.admin(
        "POST /recordings/snapshot", #"{"persist": false, "filters": {"allowNonProxied": true}}"#)
      #expect(all.json["mappings"]?.elements.map { $0["name"]?.string } == ["own", "a", "b"])
      #expect(all.json["mappings"]?[0]?["response"]?["body"] == nil)
      #expect(all.json["mappings"]?[0]?["response"]?["base64Body"]?.string == "b3du")
      let requests = try await stage.admin("GET /requests").json["requests"]
      let id = try #require(
        requests?.elements.first { $0["request"]?["url"]?.string == "/b" }?["id"])
      let one = try await stage.admin(
        "POST /recordings/snapshot", #"{"filters": {"ids": ["\#(id.string ?? "")"]}}"#)
      #expect(one.json["mappings"]?.elements.map { $0["name"]?.string } == ["b"])
      try await stage.admin("DELETE /requests")
      #expect(try await stage.admin("POST /recordings/snapshot").json["mappings"]?.count == 0)
    }
  }

  @Test("no secret is written")
  func secrets() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      let headers = [
        "Content-Type: application/json", "Authorization: Bearer 0cc175b9c0f1b6a831c399e269772661",
      ]
      let result = try await recording.record(#", "captureHeaders": {"Authorization": {}}"#) {
        let response = try await stage.ask(
          "POST /login?api_key=92eb5ffee6ae2fec3ad71c777531578f&page=1",
          #"{"user":"ada","password":"correct horse"}"#, headers: headers)
        // The client gets what the API sent.
        #expect(response.text.contains("8f14e45fceea167a5a36dedd4bea2543"))
      }
      let stub = try #require(result["mappings"]?[0])
      #expect(
        recording.shown(stub)
          == #"{"request":{"urlPath":"/login","queryParameters":{"api_key":{"matches":".+"},"page":{"equalTo":"1"}},"method":"POST","headers":{"Authorization":{"matches":".+"}},"bodyPatterns":[{"anything":"anything"}]},"response":{"status":201,"body":"{\"access_token\":\"[redacted]\",\"user\":7}","headers":{"Content-Type":"application/json","Set-Cookie":"session=[redacted]; Path=/"}},"name":"login","persistent":true}"#
      )
      #expect(
        result["notes"]?[0]?.string
          == "POST /login?api_key=[redacted]&page=1 had a secret in its body, so its stub takes any body"
      )
      for name in try FileManager.default.subpathsOfDirectory(atPath: recording.folder.path)
      where name.hasSuffix(".json") {
        let text = try recording.folder.read(name)
        for secret in ["8f14e45f", "0cc175b9", "92eb5ffe", "correct horse", "c29tZSBz"] {
          #expect(!text.contains(secret))
        }
      }
      #expect(
        try await stage.ask(
          "POST /login?api_key=other&page=1", "{}", headers: headers
        ).status == 201)
    }
  }

  @Test("each session is recorded alone, below a path of the other server")
  func sessions() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      let started = try await stage.admin(
        "POST /recordings/start",
        #"{"targetBaseUrl": "\#(recording.live.url)/below/", "persist": false}"#, session: "one")
      #expect(started.status == 200)
      #expect(try await stage.get("/a") == "404")
      #expect(try await stage.get("/~one/a") == #"200 {"echo":"GET /below/a"}"#)
      #expect(try await stage.admin("POST /recordings/stop").status == 400)
      let stopped = try await stage.admin("POST /recordings/stop", session: "one")
      #expect(stopped.json["mappings"]?[0]?["request"]?["url"]?.string == "/a")
      #expect(try await stage.get("/~one/a") == #"200 {"echo":"GET /below/a"}"#)
      #expect(try await stage.get("/a") == "404")
      // A reset ends a recording.
      try await recording.start()
      #expect(try await stage.ask("POST /__understudy/reset").status == 204)
      #expect(try await stage.admin("GET /recordings/status").json["status"]?.string == "Stopped")
      #expect(try await stage.get("/a") == "404")
    }
  }

  @Test("a recording of the same once more goes on, one of something else is refused")
  func secondStart() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      try await recording.start()
      try await recording.start()
      let other = try await stage.admin(
        "POST /recordings/start", #"{"targetBaseUrl": "http://127.0.0.1:1"}"#)
      #expect(other.status == 409)
      #expect(
        String(decoding: other.json.compact, as: UTF8.self)
          == #"{"errors":[{"code":30,"title":"Already recording","detail":"another recording is under way; POST /__admin/recordings/stop ends it"}]}"#
      )
    }
  }

  @Test("this server itself is not recorded")
  func loops() async throws {
    try await Stage.with { recording in
      for host in ["127.0.0.1", "localhost", "[::1]"] {
        let url = "http://\(host):\(recording.stage.server.address.port)"
        let refused = try await recording.stage.admin(
          "POST /recordings/start", #"{"targetBaseUrl": "\#(url)/a"}"#)
        #expect(refused.status == 422)
        #expect(
          refused.json["errors"]?[0]?["detail"]?.string
            == "\(url)/a is this server itself; name the API that is to be recorded, not its fake")
      }
    }
  }

  @Test("a page of another site leads no request to the other server")
  func pages() async throws {
    try await Stage.with { recording in
      try await recording.start()
      let refused = try await recording.stage.ask(
        "GET /a", headers: ["Origin: https://elsewhere.example"])
      #expect(refused.status == 403)
      #expect(recording.askedCount == 0)
    }
  }

  @Test("a server that does not respond is no stub")
  func noResponse() async throws {
    try await Stage.with { recording in
      let stage = recording.stage
      let started = try await stage.admin(
        "POST /recordings/start", #"{"targetBaseUrl": "http://127.0.0.1:1"}"#)
      #expect(started.status == 200)
      #expect(try await stage.ask("GET /a").status == 502)
      #expect(try await stage.admin("POST /recordings/stop").json["mappings"]?.count == 0)
    }
  }
}
