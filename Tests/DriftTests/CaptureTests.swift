import Foundation
import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct CaptureTests {
  @Test("checks kept responses as the run did that got them", arguments: ["ok", "gone", "failing"])
  func replay(caseName: String) async throws {
    let server = try await FakeServer.start(LiveStage.live)
    server.use(caseName, for: "joke/random")
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    let results = await stage.results()
    await server.close()
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path).keep(
      results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let kept = try KeptRun(run, upstreams: stage.plan.upstreams)
    let again = LiveStage(at: nil) {
      $0.responded = kept.caseIDs
      $0.baseURLs = kept.baseURLs
    }
    let replayed = await again.results { liveCase, consumer, round in
      kept.responses(for: liveCase.identity.caseID, consumer, round: round)
    }
    #expect(replayed.flatMap(\.checks) == results.flatMap(\.checks))
    #expect(kept.at.unixSeconds == 1_000_000)
  }

  @Test("keeps the failures of an upstream that was down")
  func unreachable() async throws {
    let (stage, results) = try await ListeningSocket.refusing { url in
      let stage = LiveStage(at: url)
      return (stage, await stage.results())
    }
    let replayed = try await stage.checkedAgain(results)
    #expect(replayed.flatMap(\.checks) == results.flatMap(\.checks))
  }

  /// One whose responses have the secret in them that it was sent.
  private static func secretiveStage(
    at url: String, consumer: ServiceConsumer = LiveStage.consumer
  ) -> LiveStage {
    let library = LiveStage.library(
      upstream: """
        { "summary": "Jokes", "baseURL": "\(url)",
          "secrets": { "X-Key": "Bearer {UNDERSTUDY_JOKE_KEY}" } }
        """)
    return LiveStage(
      library, at: nil, consumer: consumer, environment: ["UNDERSTUDY_JOKE_KEY": "key-12345678"])
  }

  private struct Signed: Decodable {
    let id: Int
    let token: String
  }

  private struct Plain: Decodable { let id: String }

  private static func reader(
    isTold: Bool = true, likes: @escaping @Sendable (JSONTreeDecoder, JSONValue) throws -> Bool
  ) -> ServiceConsumer {
    ServiceConsumer("jokes.random") { call in
      let body = try await LiveStage.ask(
        ClientRequest(url: call.baseURL(of: "joke") + "/random"), call)
      let decoder = JSONTreeDecoder(recorder: isTold ? call.recorder : nil)
      let root = try JSONDocument(parsing: body).root
      guard (try? likes(decoder, root)) == true else {
        throw ConsumerError("connectivity", message: "no joke")
      }
      return Array("{}".utf8)
    }
  }

  /// What comes of a consumer live, and when what was kept of that is checked again.
  private func checkedTwice(
    _ consumer: ServiceConsumer, live: ContractLibrary = LiveStage.live
  ) async throws -> [String] {
    let server = try await FakeServer.start(live)
    let stage = Self.secretiveStage(
      at: try #require(server.baseURL(of: "joke")), consumer: consumer)
    let live = await stage.results()
    await server.close()
    let again = try await stage.checkedAgain(live)
    return [live, again].compactMap { $0.flatMap(\.checks).last?.text }
  }

  @Test("does not blame a consumer for a masked value")
  func masked() async throws {
    let reason = "where the stored response has a masked secret"
    let told = Self.reader { try $0.decode(Signed.self, from: $1).token == "abc" }
    #expect(
      try await checkedTwice(told) == [
        "pass joke/random#ok, jokes.random",
        """
        couldNotCheck joke/random#ok, jokes.random
          cannot be checked again: it reads /token, \(reason)
        """,
      ])
    let untold = Self.reader(isTold: false) { try $0.decode(Signed.self, from: $1).token == "abc" }
    #expect(
      try await checkedTwice(untold).last?.hasSuffix("it reads /token, \(reason)") == true)
  }

  @Test("checks a consumer on all values that are not masked")
  func unmasked() async throws {
    let broken = """
      fail joke/random#ok, jokes.random after 2
        error consumer-broken found the error connectivity (no joke), expected a value
      """
    let text = try await checkedTwice(Self.reader { try $0.decode(Plain.self, from: $1).id != "" })
    #expect(text == [broken, broken])
  }

  @Test("does not blame a consumer for a masked header")
  func maskedHeader() async throws {
    let live = LiveStage.library(
      contract: """
        { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
          "cases": { "ok": { "status": 200, "headers": { "Set-Cookie": "a=1", "X-Csrf-Token": "abc" },
            "body": { "id": 8, "token": 1, "note": "a" } } } }
        """)
    let broken = Self.reader { try $0.decode(Plain.self, from: $1).id != "" }
    #expect(
      try await checkedTwice(broken, live: live) == [
        """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error connectivity (no joke), expected a value
        """,
        """
        couldNotCheck joke/random#ok, jokes.random
          cannot be checked again: it may read the header X-Csrf-Token, where the stored response \
        has a masked secret
        """,
      ])
  }

  @Test("stores no secret")
  func redaction() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let url = try #require(server.baseURL(of: "joke"))
    let stage = Self.secretiveStage(at: url)
    let results = await stage.results()
    await server.close()
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path).keep(
      results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let text = try String(contentsOfFile: "\(run)/joke/random#ok.json", encoding: .utf8)
    #expect(!text.contains("key-12345678"))
    #expect(!text.contains("a=1"))
    #expect(
      text.contains(
        #"{\"id\":8,\"token\":\"[redacted]\",\"note\":\"[redacted]\"}"#))
  }

  @Test("keeps no secret of a response, whatever form it has")
  func everySecret() async throws {
    var live = JSONWriter()
    live.object { live in
      live.member("summary", "A joke")
      live.key("request")
      live.object {
        $0.member("method", "GET")
        $0.member("path", "/random")
      }
      live.key("cases")
      live.object { cases in
        cases.key("ok")
        cases.object { ok in
          ok.member("status", 200)
          ok.key("headers")
          ok.object { headers in
            for (index, (text, _)) in SecretTable.texts.enumerated() {
              headers.member("X-Note-\(index)", text.split(separator: "\n").joined(separator: " "))
            }
          }
          ok.key("body")
          ok.array { body in for (text, _) in SecretTable.texts { body.string(text) } }
        }
      }
    }
    let library = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": String(decoding: live.bytes, as: UTF8.self),
    ])
    let server = try await FakeServer.start(library)
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    let results = await stage.results()
    await server.close()
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path).keep(
      results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let text = try String(contentsOfFile: "\(run)/joke/random#ok.json", encoding: .utf8)
    #expect(text.contains("X-Note-\(SecretTable.texts.count - 1)"))
    for (whole, secret) in SecretTable.texts { #expect(!text.contains(secret), "\(whole)") }
  }

  @Test("reports no secret")
  func redactedChecks() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let url = try #require(server.baseURL(of: "joke"))
    let talkative = ServiceConsumer("jokes.random") { call in
      let body = try await LiveStage.ask(
        ClientRequest(url: call.baseURL(of: "joke") + "/random"), call)
      throw ConsumerError("connectivity", message: String(decoding: body, as: UTF8.self))
    }
    let stage = Self.secretiveStage(at: url, consumer: talkative)
    let text = await stage.checks().last?.text
    await server.close()
    #expect(
      text == """
        fail joke/random#ok, jokes.random after 2
          error consumer-broken found the error connectivity ({"id":8,"token":"[redacted]","note":\
        "[redacted]"}), expected a value
        """)
  }

  @Test("keeps the last thirty runs, and files that are not runs")
  func retention() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    let results = await stage.results()
    await server.close()
    let folder = TestFolder()
    try folder.write([], "\(folder.path)/notes")
    for second in 0..<40 {
      _ = try CaptureFolder(folder.path).keep(
        results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000 + second / 2))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 31)
    #expect(names.first == "19700112T134645Z")
    #expect(names.suffix(3) == ["19700112T134659Z", "19700112T134659Z-02", "notes"])
  }

  @Test("says whose responses exceeded the limit")
  func bound() async throws {
    let server = try await FakeServer.start(LiveStage.live)
    let stage = LiveStage(at: server.baseURL(of: "joke"))
    let results = await stage.results()
    await server.close()
    let folder = TestFolder()
    var leftOut: [String] = []
    _ = try CaptureFolder(folder.path, runBytesMax: 10).keep(
      results, of: stage.plan.upstreams, at: Moment(unixSeconds: 1_000_000),
      leftOut: { leftOut.append($0) })
    #expect(leftOut == ["joke/random#ok"])
  }

  @Test(
    "says what cannot be checked again",
    arguments: [
      (
        "{",
        "FOLDER/a/b#c.json:1:2: found the end of the text, expected a key or \"}\" for the object opened at 1:1"
      ),
      ("{}", "FOLDER/a/b#c.json is not a valid capture of this version"),
      (
        #"{ "schemaVersion": 1, "case": "a/b#c", "at": 1, "exchanges": [7] }"#,
        "FOLDER/a/b#c.json:1:63: found an exchange that cannot be read"
      ),
    ])
  func broken(text: String, message: String) throws {
    let folder = TestFolder()
    try folder.write(Array(text.utf8), "\(folder.path)/a/b#c.json")
    let error = #expect(throws: Failure.self) { try KeptRun(folder.path, upstreams: []) }
    #expect(error?.complaint.replacing(folder.path, with: "FOLDER") == message)
  }

  @Test("reports a folder without responses")
  func empty() throws {
    let folder = TestFolder()
    try folder.write([], "\(folder.path)/a/b#c.txt")
    let error = #expect(throws: Failure.self) { try KeptRun(folder.path, upstreams: []) }
    #expect(error?.message == "no responses in \(folder.path)")
  }
}
