import Foundation
import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

/// Runs on which a live API is asked, each with what was kept on those before.
private struct Runs {
  static let ok =
    #""status": 200, "headers": { "ETag": "\"1\"", "X-Kind": "a" }, "body": { "id": 8 }"#
  static let same = #""status": 304, "headers": { "ETag": "\"1\"", "X-Kind": "b" }"#

  let folder = TestFolder()
  let server: FakeServer
  var consumer = LiveStage.consumer
  var environment: [String: String] = [:]
  var upstream: String?

  /// A server that responds with the first case, and to a tag with the second.
  init(_ ok: String = Self.ok, to tag: String = #"\"1\""#, _ same: String = Self.same) async throws
  {
    server = try await FakeServer.start(Self.live(ok, to: tag, same))
  }

  static func live(
    _ ok: String = Self.ok, to tag: String = #"\"1\""#, _ same: String = Self.same
  ) throws -> ContractLibrary {
    let library = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { \(ok) },
          "same": { \(same), "when": { "request": { "header.If-None-Match": "\(tag)" } } } } }
      """,
    ])
    let errors = library.findings.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))")
    return library
  }

  func run(_ number: Int, at url: String? = nil) async throws -> [LiveCaseResult] {
    let now = Moment(unixSeconds: 1_900_000_000 + number * 86_400)
    let library = upstream.map { LiveStage.library(upstream: $0) } ?? LiveStage.library()
    var stage = LiveStage(
      library, at: upstream == nil ? url ?? server.baseURL(of: "joke") : nil, consumer: consumer,
      environment: environment)
    let captures = CaptureFolder(folder.path)
    stage.earlier = EarlierResponses(in: captures, to: stage.plan, now: now)
    let results = await stage.results()
    _ = try captures.keep(results, of: stage.plan.upstreams, at: now)
    return results
  }

  /// Of each request, what it said of a tag, and the status of its response: `"1" 304`
  func journal() async -> [String] {
    await server.journal().map { entry in
      let tag = entry.request.headerValue("if-none-match")
      return "\(tag.map { "\($0) " } ?? "")\(entry.status ?? 0)"
    }
  }
}

@Suite struct EarlierResponsesTests {
  private static let passes = ["pass joke/random#ok", "pass joke/random#ok, jokes.random"]

  @Test("a response that is still valid is not sent again, run after run")
  func held() async throws {
    let runs = try await Runs()
    for number in 0..<4 {
      let results = try await runs.run(number)
      #expect(results.flatMap(\.checks).map(\.text) == Self.passes)
      let response = try #require(results.first?.response)
      #expect(response.status == 200)
      #expect(String(decoding: response.body, as: UTF8.self) == #"{"id":8}"#)
      #expect(
        response.headers.filter { $0.name == "X-Kind" }.map(\.value) == [number == 0 ? "a" : "b"])
      #expect(
        results.first?.exchanges.map(\.exchange.response?.wholeAt)
          == [number == 0 ? nil : Moment(unixSeconds: 1_900_000_000)])
    }
    #expect(await runs.journal() == ["200", #""1" 304"#, #""1" 304"#, #""1" 304"#])
    await runs.server.close()
  }

  @Test("everything is requested in full once a week, since a response may change without its tag")
  func week() async throws {
    let runs = try await Runs()
    for number in 0..<9 { _ = try await runs.run(number) }
    #expect(
      await runs.journal() == ["200"] + Array(repeating: #""1" 304"#, count: 6)
        + ["200", #""1" 304"#])
    await runs.server.close()
  }

  @Test(
    "a 304 confirms the response whose tag it names, weak or strong, or none",
    arguments: [
      (#"W/\"1\""#, #"W/\"1\""#, #"W/"1" 304"#), (#"W/\"1\""#, #"\"1\""#, #"W/"1" 304"#),
      (#"\"1\""#, #"W/\"1\""#, #""1" 304"#), (#"\"1\""#, nil, #""1" 304"#),
      // About another: what was kept is not that, and the response is asked for.
      (#"\"1\""#, #"\"2\""#, #""1" 304, 200"#),
      // No tags at all.
      ("1", "1", "200"), (#"\"a b\""#, nil, "200"), (#"w/\"1\""#, nil, "200"),
    ] as [(String, String?, String)])
  func tags(kept: String, confirmed: String?, asked: String) async throws {
    let headers = confirmed.map { #", "headers": { "ETag": "\#($0)" }"# } ?? ""
    let runs = try await Runs(
      Runs.ok.replacing(#"\"1\""#, with: kept), to: kept, #""status": 304\#(headers)"#)
    _ = try await runs.run(0)
    #expect(try await runs.run(1).flatMap(\.checks).map(\.text) == Self.passes)
    #expect(await runs.journal().dropFirst().joined(separator: ", ") == asked)
    await runs.server.close()
  }

  @Test("a drift behind another tag is found")
  func changed() async throws {
    let runs = try await Runs()
    _ = try await runs.run(0)
    runs.server.replaceContracts(
      with: try Runs.live(
        #""status": 200, "headers": { "ETag": "\"2\"" }, "body": { "id": "8" }"#,
        to: #"\"2\""#))
    let checks = try await runs.run(1).flatMap(\.checks)
    #expect(checks.first?.findings.map(\.kindAndPath) == ["warning schema-type-changed /id"])
    #expect(await runs.journal() == ["200", #""1" 200"#, "200"])
    await runs.server.close()
  }

  @Test("a drift behind the same tag stays one, and the second response is sent")
  func drifting() async throws {
    let runs = try await Runs(Runs.ok.replacing("8", with: "null"))
    let first = try await runs.run(0).flatMap(\.checks)
    #expect(first.first?.findings.map(\.kindAndPath) == ["warning schema-nullability-changed /id"])
    #expect(try await runs.run(1).flatMap(\.checks).map(\.text) == first.map(\.text))
    #expect(await runs.journal() == ["200", "200", #""1" 304"#, "200"])
    await runs.server.close()
  }

  @Test("a run without a response costs no other its tag")
  func outage() async throws {
    let runs = try await Runs()
    _ = try await runs.run(0)
    _ = try await ListeningSocket.refusing { try await runs.run(1, at: $0) }
    runs.server.replaceContracts(
      with: try Runs.live(#""status": 401"#, to: #"\"1\""#, #""status": 401"#))
    _ = try await runs.run(2)
    runs.server.replaceContracts(with: try Runs.live())
    _ = try await runs.run(3)
    #expect(await runs.journal() == ["200", #""1" 401"#, #""1" 304"#])
    await runs.server.close()
  }

  @Test("a service with its own conditions gets the response to them")
  func ownCondition() async throws {
    var runs = try await Runs()
    _ = try await runs.run(0)
    runs.consumer = ServiceConsumer("jokes.random") { call in
      let response = try await call.transport.send(
        ClientRequest(
          url: call.baseURL(of: "joke") + "/random", headers: ["If-None-Match": "\"1\""]))
      return Array("\(response.status)".utf8)
    }
    let results = try await runs.run(1)
    #expect(results.flatMap(\.checks).map(\.text) == Self.passes)
    #expect(results.first?.exchanges.map(\.exchange.response?.status) == [304, 200])
    #expect(
      results.first?.exchanges.map(\.exchange.response?.wholeAt) == [
        nil, Moment(unixSeconds: 1_900_000_000),
      ])
    await runs.server.close()
  }

  @Test("a 304 to an unconditional request is drift")
  func notRun() async throws {
    let runs = try await Runs(Runs.same)
    let checks = try await runs.run(0).flatMap(\.checks)
    #expect(
      checks.map(\.text) == [
        "fail joke/random#ok after 2\n  error status found status 304, expected 200",
        """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error unexpectedStatus 304, expected a value
        """,
      ])
    await runs.server.close()
  }

  @Test(
    "a response is revalidated only by a request that selects it",
    arguments: [
      // By what its upstream says of that, on the first and on the second run.
      (nil, ["Accept": "a"], ["Accept": "a"], true),
      (nil, ["Accept": "a"], ["Accept": "b"], false),
      (nil, ["Accept": "a"], [:], false),
      (nil, ["X-Kind": "a"], ["X-Kind": "b"], true),
      ("accept, x-kind", ["X-Kind": "a"], ["X-Kind": "a"], true),
      ("accept, x-kind", ["X-Kind": "a"], ["X-Kind": "b"], false),
      ("*", [:], [:], false),
      // The upstream is shown the new one, and says whether its response is another.
      ("Authorization", ["Authorization": "a"], ["Authorization": "b"], true),
      ("Authorization", ["Authorization": "a"], [:], false),
    ] as [(String?, [String: String], [String: String], Bool)])
  func selectors(
    vary: String?, first: [String: String], second: [String: String], isAskedByTag: Bool
  ) async throws {
    let headers = vary.map { #""Vary": "\#($0)", "# } ?? ""
    var runs = try await Runs(
      Runs.ok.replacing(#""ETag""#, with: #"\#(headers)"ETag""#))
    for (number, fields) in [first, second].enumerated() {
      runs.consumer = ServiceConsumer("jokes.random") { call in
        var request = ClientRequest(url: try call.baseURL(of: "joke") + "/random")
        for (name, value) in fields { request.headers[name] = value }
        return try await LiveStage.ask(request, call)
      }
      #expect(try await runs.run(number).flatMap(\.checks).map(\.text) == Self.passes)
    }
    #expect(await runs.journal() == ["200", isAskedByTag ? #""1" 304"# : "200"])
    await runs.server.close()
  }

  @Test("what a service sent of these is not kept")
  func selectorsKept() async throws {
    var runs = try await Runs(
      Runs.ok.replacing(#""ETag""#, with: #""Vary": "X-App-Id", "ETag""#))
    runs.consumer = ServiceConsumer("jokes.random") { call in
      var request = ClientRequest(url: try call.baseURL(of: "joke") + "/random")
      request.headers["X-App-Id"] = "app-1"
      return try await LiveStage.ask(request, call)
    }
    _ = try await runs.run(0)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.folder.path).first)
    let text = try String(
      contentsOfFile: "\(runs.folder.path)/\(name)/joke/random#ok.json", encoding: .utf8)
    #expect(text.contains("\"selectors\""))
    #expect(!text.contains("app-1"))
    await runs.server.close()
  }

  @Test("a secret of the upstream is one of these, and is not kept")
  func secret() async throws {
    var runs = try await Runs(
      Runs.ok.replacing(#""ETag""#, with: #""Vary": "X-Key", "ETag""#))
    runs.upstream = """
      { "summary": "Jokes", "baseURL": "\(try #require(runs.server.baseURL(of: "joke")))",
        "secrets": { "X-Key": { "value": "{UNDERSTUDY_JOKE_KEY}", "optional": true } } }
      """
    for (number, key) in ["key-12345678", "key-87654321", nil].enumerated() {
      runs.environment = key.map { ["UNDERSTUDY_JOKE_KEY": $0] } ?? [:]
      _ = try await runs.run(number)
    }
    #expect(await runs.journal() == ["200", #""1" 304"#, "200"])
    let names = try FileManager.default.subpathsOfDirectory(atPath: runs.folder.path)
    for name in names where name.hasSuffix(".json") {
      let text = try String(contentsOfFile: "\(runs.folder.path)/\(name)", encoding: .utf8)
      #expect(!text.contains("key-"))
    }
    await runs.server.close()
  }

  @Test("a 304 has no latency")
  func latency() async throws {
    let runs = try await Runs()
    #expect(try await runs.run(0).flatMap(\.checks).allSatisfy { $0.duration > .zero })
    #expect(try await runs.run(1).flatMap(\.checks).map(\.duration) == [.zero, .zero])
    await runs.server.close()
  }

  @Test("no address gets the tag of another")
  func origin() async throws {
    let runs = try await Runs()
    _ = try await runs.run(0)
    let other = try await FakeServer.start(try Runs.live())
    _ = try await runs.run(1, at: other.baseURL(of: "joke"))
    #expect(await other.journal().map(\.status) == [200])
    await other.close()
    await runs.server.close()
  }

  @Test(
    "a response that is not stored whole is requested in full",
    arguments: [
      (
        #""status": 200, "headers": { "ETag": "\"1\"" }, "body": { "id": 8, "token": "abc" }"#,
        ["200", "200"]
      ),
      (
        #""status": 200, "headers": { "ETag": "\"1\"", "X-Api-Key": "invented" }, "body": { "id": 8 }"#,
        ["200", "200"]
      ),
      (
        #""status": 200, "headers": { "ETag": "\"1\"" }, "text": "\#(String(repeating: "a", count: 1 << 20 + 1))""#,
        ["200", "200", "200", "200"]
      ),
      (
        #""status": 410, "headers": { "ETag": "\"1\"" }"#,
        ["410", "410", "410", "410"]
      ),
      (
        #""status": 200, "body": { "id": 8 }"#,
        ["200", "200"]
      ),
    ])
  func notWhole(ok: String, statuses: [String]) async throws {
    let runs = try await Runs(ok)
    _ = try await runs.run(0)
    _ = try await runs.run(1)
    #expect(await runs.journal() == statuses)
    await runs.server.close()
  }

  @Test("a stored cookie does not count as set again")
  func cookie() async throws {
    let runs = try await Runs(
      Runs.ok.replacing(#""ETag""#, with: #""Set-Cookie": "a=1", "ETag""#))
    _ = try await runs.run(0)
    let response = try #require(try await runs.run(1).first?.exchanges.first?.exchange.response)
    #expect(response.wholeAt?.unixSeconds == 1_900_000_000)
    #expect(!response.headers.contains { $0.name.lowercased() == "set-cookie" })
    await runs.server.close()
  }

  @Test("a mutated file costs one response, not the run")
  func mutated() async throws {
    let runs = try await Runs()
    _ = try await runs.run(0)
    let names = try FileManager.default.contentsOfDirectory(atPath: runs.folder.path)
    try runs.folder.write(
      Array("{".utf8), "\(runs.folder.path)/\(names[0])/joke/random#ok.json")
    #expect(try await runs.run(1).flatMap(\.checks).map(\.text) == Self.passes)
    #expect(await runs.journal() == ["200", "200"])
    await runs.server.close()
  }
}
