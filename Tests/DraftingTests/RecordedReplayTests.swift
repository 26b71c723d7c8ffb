import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// Which recorded cases stay live: those that a later run of `drift` would ask for by the same
/// request.
@Suite struct RecordedReplayTests {
  private static func exchange(
    _ target: String, _ status: Int, _ headers: [String: String] = [:], body: String = "x"
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return RecordedExchange(
      method: "GET", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
      headers: headers.map { HeaderField(name: $0.key, value: $0.value) },
      responses: [
        LiveResponse(
          status: status, headers: [HeaderField(name: "Content-Type", value: "text/plain")],
          body: Array(body.utf8), latency: .zero)
      ])
  }

  /// Its cases, `+` for those that are live, and what is said of them.
  private static func cases(
    _ exchanges: [RecordedExchange], beside upstream: String
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("api/upstream.json", upstream)
    try folder.write(
      "api/other.json",
      #"{ "request": { "method": "GET", "path": "/o" }, "cases": { "ok": { "status": 200 } } }"#)
    let known = try #require(try RecordingTarget.library(in: folder.path)?.upstreams.first)
    let recording = try Recording(
      of: exchanges,
      for: RecordingTarget(
        folder: folder.path, upstreamName: "api", baseURL: known.baseURL, upstream: known),
      paths: [], mask: .standard, differs: { $0.differs(from: $1, in: $2) })
    try recording.changes.apply(to: FileRoot(folder.path))
    let library = try #require(try RecordingTarget.library(in: folder.path))
    #expect(library.findings.filter { $0.severity == .error } == [])
    let contract = try #require(library.contracts.first { $0.name != "other" })
    let made: Set = ["cut-short", "slow", "reset"]
    return contract.cases.filter { !made.contains($0.name) }.map {
      "\($0.name)\($0.isLive ? "+" : "")"
    } + recording.contracts.flatMap(\.remarks) + recording.unrecorded.map(\.reason)
  }

  private static let secret = ["Authorization": "Bearer abcdef0123456789"]
  private static func upstream(_ members: String = "") -> String {
    #"{ "baseURL": "https://api.example/v1"\#(members.isEmpty ? "" : ", ")\#(members) }"#
  }
  private static let withSecret = upstream(
    #""secrets": { "authorization": "Bearer {UNDERSTUDY_API_TOKEN}" }"#)
  private static let left =
    "not requested by drift, which could not repeat the request: "

  @Test(
    "a refusal is asked for again only by a request with the same secrets",
    arguments: [
      (200, [:], withSecret, ["ok+"]), (200, secret, withSecret, ["ok+"]),
      (404, [:], withSecret, ["not-found+"]), (404, secret, withSecret, ["not-found+"]),
      (401, [:], withSecret, ["unauthorized", left + "unauthorized"]),
      (403, [:], withSecret, ["forbidden", left + "forbidden"]),
      (401, secret, withSecret, ["unauthorized+"]), (403, secret, withSecret, ["forbidden+"]),
      (402, [:], withSecret, ["status-402+"]), (401, [:], upstream(), ["unauthorized+"]),
      (401, secret, upstream(), ["unauthorized", left + "unauthorized"]),
      (200, secret, upstream(), ["ok", left + "ok"]),
      (202, [:], upstream(), ["accepted", left + "accepted"]),
      (201, [:], upstream(), ["created+"]),
    ] as [(Int, [String: String], String, [String])])
  func refusals(
    status: Int, headers: [String: String], upstream: String, expected: [String]
  ) throws {
    #expect(
      try Self.cases([Self.exchange("/a", status, headers)], beside: upstream) == expected)
  }

  @Test(
    "headers are those that the contract asks for, and the upstream's own",
    arguments: [
      (["Accept": "text/plain"], upstream(), ["ok+"]),
      (["Accept": "a/b"], upstream(#""headers": { "Accept": "a/b" }"#), ["ok+"]),
      (["Accept": "a/b"], upstream(#""headers": { "Accept": "c/d" }"#), ["ok+"]),
      (["If-None-Match": "1"], upstream(), ["ok+"]),
      (["User-Agent": "me"], upstream(), ["ok+"]),
    ])
  func headers(headers: [String: String], upstream: String, expected: [String]) throws {
    #expect(try Self.cases([Self.exchange("/a", 200, headers)], beside: upstream) == expected)
  }

  @Test(
    "queries are the same whatever the order of their names, not of their values",
    arguments: [
      ("/a?b=1&a=2", ["ok+"]), ("/a?a=1&a=2", ["ok+"]), ("/a?a", ["ok+"]), ("/a?a=%20", ["ok+"]),
      ("/a?a=1&b=2&a=3", ["ok+"]), ("/a%20b/c", ["ok+"]), ("/a/7?x=1", ["ok+"]),
    ])
  func queries(target: String, expected: [String]) throws {
    #expect(try Self.cases([Self.exchange(target, 200)], beside: Self.upstream()) == expected)
  }

  @Test("a case whose request needs less than the contract's example is not live")
  func missingHeaders() throws {
    let found = try Self.cases(
      [
        Self.exchange("/a?x=1", 200, ["X-Kind": "1"], body: "1"),
        Self.exchange("/a?x=2", 200, body: "2"),
        Self.exchange("/a?x=2", 200, ["X-Kind": "1"], body: "3"),
      ], beside: Self.upstream())
    #expect(found == ["ok+", "ok-2+", "ok-3", Self.left + "ok-3"])
  }
}
