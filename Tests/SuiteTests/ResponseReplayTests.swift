import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@testable import UnderstudySuite

/// Commands get a live response from a fake, and the responses of the contracts beside it.
@Suite struct ResponseReplayTests {
  private static let body = #"{"live":true,"brace":"{x}"}"#

  /// What a script of the shell makes of a response with these headers.
  private static func outcome(
    of script: String, _ headers: [(String, String)] = [], status: Int = 203,
    within limit: Duration = .seconds(300)
  ) async throws -> (words: String, output: String, sent: Request?) {
    let cases = """
      "ok": { "status": 200, "body": { "a": 1 },
        "headers": { "ETag": "own", "X-Own": "own", "Content-Type": "application/json" },
        "expect": { "cli": { "exitCode": 0 } } },
      "other": { "status": 404, "when": { "request": { "query.page": "2" } } }
      """
    return try await SmallCommand.with(script, method: "POST", cases: cases) { library in
      let contract = try #require(library.contracts.first)
      let served = try #require(contract.defaultCase)
      let replay = try await ResponseReplay.start(
        library.upstreams, serving: status,
        headers.map { HeaderField(name: $0.0, value: $0.1) }, Array(body.utf8), for: served,
        of: contract)
      let (outcome, sent, _) = await replay.outcome(
        of: try #require(library.consumers.first.flatMap(CommandConsumer.init)),
        expecting: try #require(served.expectations.first), within: limit)
      await replay.close()
      guard case .ended(let ending) = outcome else {
        return (outcome.map { "\($0)" } ?? "no outcome", "", sent)
      }
      return (ending.words, String(decoding: ending.stdout.bytes, as: UTF8.self), sent)
    }
  }

  private static let curl = #"curl -sS -X POST -d a=1 -H 'X-Mine: 1'"#

  @Test("a command gets the live response and nothing of the case's, and what it sent is known")
  func whole() async throws {
    let found = try await Self.outcome(
      of: "\(Self.curl) -D - \"$UNDERSTUDY_URL_API/thing?q=1\"",
      [
        ("Content-Type", "application/hal+json"), ("X-Live", "1"), ("X-Live", "2"),
        ("Date", "never"), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"),
        ("Connection", "close"), ("Content-Length", "7"), ("ETag", "live"),
        ("Link", "<https://api.example/v1/thing?page=3>; rel=\"next\""),
      ])
    #expect(found.words == "exited with 0")
    let lines = found.output.split(separator: "\r\n").map(String.init)
    #expect(lines.first?.hasPrefix("HTTP/1.1 203 ") == true)
    #expect(lines.last == Self.body)
    let fields = lines.dropFirst().dropLast().map { $0.lowercased() }
    for line in [
      "content-type: application/hal+json", "x-live: 1", "x-live: 2", "etag: live",
      "content-length: \(Self.body.utf8.count)", "link: </api/v1/thing?page=3>; rel=\"next\"",
    ] { #expect(fields.contains(line), "\(line)\n\(found.output)") }
    for start in ["x-own:", "content-encoding:", "transfer-encoding:", "date: never"] {
      #expect(!fields.contains { $0.hasPrefix(start) }, "\(start)\n\(found.output)")
    }
    #expect(found.sent?.method == "POST" && found.sent?.query == "q=1")
    #expect(found.sent?.body == Array("a=1".utf8))
    #expect(found.sent?.headerValue("x-mine") == "1")
  }

  @Test("requests of other cases get their own responses, and are not the one that was sent")
  func others() async throws {
    let found = try await Self.outcome(
      of: "\(Self.curl) -w '%{http_code}' \"$UNDERSTUDY_URL_API/thing?page=2\"; exit 3")
    #expect(found.words == "exited with 3" && found.output == "404" && found.sent == nil)
    let none = try await Self.outcome(of: "exit 4")
    #expect(none.words == "exited with 4" && none.sent == nil)
  }

  @Test("a command that goes on for too long has no outcome")
  func late() async throws {
    let found = try await Self.outcome(of: "exec sleep 1000", within: .zero)
    #expect(found.words == "no outcome")
  }
}
