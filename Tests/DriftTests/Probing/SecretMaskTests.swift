import Foundation
import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrift

/// Secrets that live APIs tell back, and where they must not get to.
@Suite struct SecretMaskTests {
  private func hidden(_ text: String, _ secret: String) -> String {
    SecretMask(secrets: [secret]).withoutSent(text)
  }

  @Test(
    "hides a secret however it is spelled",
    arguments: [
      #"s3cr/t"é\x %😀"#, #"s3cr\/t\"é\\x %😀"#, #"s3cr\\\/t\\\"é\\\\x %😀"#,
      #"\u00733cr\u002Ft\u0022\u00e9\u005cx\u0020\u0025\uD83D\uDE00"#,
      #"\\u00733cr\\u002Ft\\u0022\\u00e9\\u005cx\\u0020\\u0025\\uD83D\\uDE00"#,
      "s3cr%2Ft%22%C3%A9%5cx%20%25%F0%9F%98%80", "s3cr/t%22é%5Cx+%25😀",
    ])
  func spellings(text: String) {
    #expect(hidden("a \(text), \(text)", #"s3cr/t"é\x %😀"#) == "a [redacted], [redacted]")
  }

  @Test(
    "leaves other text unchanged",
    arguments: [
      "s3c", "s3cr%", "s3cr%2", #"s3cr\"#, #"s3cr\u00"#, #"s3cr\ud800"#, "S3CR/T", "%", #"\\\"#,
    ])
  func others(text: String) { #expect(hidden(text, "s3cr/t") == text) }

  @Test(
    "masks a seen text anywhere if it is long, otherwise only as a whole value",
    arguments: [
      ("test", "test", "[redacted]"), ("test", "(test), test.", "([redacted]), test."),
      (
        "test", "latest, tests, a-test, /test, test_1, tést",
        "latest, tests, a-test, /test, test_1, tést"
      ),
      ("1234567", "1234567 91234567", "[redacted] 91234567"),
      ("12345678", "12345678 91234567812", "[redacted] 9[redacted]12"), ("abc", "abc", "abc"),
    ])
  func seen(secret: String, text: String, expected: String) {
    #expect(SecretMask(secrets: [], seen: [secret]).withoutSent(text) == expected)
    #expect(SecretMask(secrets: []).adding(seen: [secret]).withoutSent(text) == expected)
  }

  @Test("hides a number that was merely seen only if it is long")
  func seenNumbers() {
    let masked = SecretMask(secrets: ["4711"], seen: ["2024", "12345678"]).masked(
      Array("[4711, 2024, 12345678]".utf8), of: "application/json", number: "0")
    #expect(String(decoding: masked, as: UTF8.self) == "[0, 2024, 0]")
  }

  @Test(
    "leaves JSON what it is",
    arguments: [
      (
        #"{"a": 1234, "b":"1\"1234","1234":[91234.5,12,true]}"#,
        #"{"a": "[redacted]", "b":"1\"[redacted]","[redacted]":[91234.5,12,true]}"#
      ),
      (
        #"{"tokens":812,"csrfToken":"x","next":"/a?key=x&page=2#session=y","secret":[true,null,""]}"#,
        #"{"tokens":812,"csrfToken":"[redacted]","next":"/a?key=[redacted]&page=2#session=[redacted]","secret":[true,null,""]}"#
      ),
      (#"{"a": "\u0031234 \/"  , "b": "\/"}"#, #"{"a": "[redacted] /"  , "b": "\/"}"#),
      (#"{"token": "x", "a": "1234"#, #"{"token": "[redacted]", "a": "[redacted]"#),
    ])
  func json(body: String, expected: String) {
    let masked = SecretMask(secrets: ["1234"]).masked(Array(body.utf8), of: "application/json")
    #expect(String(decoding: masked, as: UTF8.self) == expected)
  }

  private static func upstream(at url: String?) -> String {
    """
    { "summary": "Jokes", "baseURL": "\(url ?? "https://jokes.example")",
      "secrets": { "X-Key": "Bearer {UNDERSTUDY_JOKE_KEY}" } }
    """
  }

  /// The results of a run against a server with this body, and what is kept of them checked again.
  private func results(
    _ body: String, contract: String, again: String? = nil
  ) async throws -> (live: [LiveCaseResult], replayed: [LiveCaseResult]) {
    func endpoint(_ body: String) -> String {
      """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200, "live": {}, \(body) } } }
      """
    }
    let server = try await FakeServer.start(
      LiveStage.library(contract: endpoint("\"body\": \(body)")))
    let url = server.baseURL(of: "joke")
    let environment = ["UNDERSTUDY_JOKE_KEY": "key-12345678"]
    let stage = LiveStage(
      LiveStage.library(upstream: Self.upstream(at: url), contract: endpoint(contract)),
      at: nil, environment: environment)
    let live = await stage.results()
    await server.close()
    let library = LiveStage.library(
      upstream: Self.upstream(at: url), contract: endpoint(again ?? contract))
    let replayed = try await stage.checkedAgain(
      live, by: LiveStage(library, at: nil, environment: environment))
    return (live, replayed)
  }

  private func update(_ results: [LiveCaseResult]) -> ContractUpdate {
    ContractUpdate(
      of: results, except: nil, now: Moment(unixSeconds: 1_000_000))
  }

  @Test("writes no secret into a contract, and says so")
  func update() async throws {
    let (live, replayed) = try await results(
      #"{"id":8,"token":7,"note":"k\u0065y-12345678","new":true}"#,
      contract: #""body": {"id": 7, "note": "a"}"#)
    let written = update(live)
    let root = try JSONDocument(parsing: #require(written.files.first).bytes).root
    let body = try #require(root["cases"]?["ok"]?["body"])
    #expect(
      String(decoding: body.compact, as: UTF8.self)
        == #"{"id":8,"token":0,"note":"a","new":true}"#)
    #expect(written.leftOver.isEmpty)
    #expect(update(replayed).files.map(\.diff) == written.files.map(\.diff))
  }

  @Test("leaves a case with a new member that contains a secret")
  func newSecret() async throws {
    let (live, replayed) = try await results(
      #"{"id":8,"note":"k\u0065y-12345678"}"#, contract: #""body": {"id": 7}"#)
    for update in [update(live), update(replayed)] {
      #expect(update.files.isEmpty)
      #expect(update.leftOver.map(\.reason) == ["it contains a secret"])
    }
  }

  @Test("does not treat a mask as the API's response")
  func masks() async throws {
    let (live, replayed) = try await results(
      #"{"password":5,"token":{"a":1},"kind":"key-12345678"}"#,
      contract: """
        "body": {"password": 4, "token": {"a": 1}, "kind": "a"},
        "schema": { "properties": { "password": { "type": "integer" },
          "token": { "type": "object" }, "kind": { "maxLength": 20 } } }
        """)
    #expect(live.flatMap(\.checks).map(\.text) == ["pass joke/random#ok"])
    #expect(replayed.flatMap(\.checks).map(\.text) == ["pass joke/random#ok"])
  }

  @Test("checks by the first response what was not requested again")
  func oneRound() async throws {
    let (live, replayed) = try await results(
      #"{"id":8}"#, contract: #""body": {"id": 7}"#, again: #""body": {"id": 7, "name": "a"}"#)
    #expect(live.flatMap(\.checks).map(\.text) == ["pass joke/random#ok"])
    #expect(
      replayed.flatMap(\.checks).map(\.text) == [
        """
        fail joke/random#ok after 2
          error schema-field-removed missing "name", which the example has
        """
      ])
  }
}
