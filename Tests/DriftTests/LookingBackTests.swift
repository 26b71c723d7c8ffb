import ContractModel
import Drift
import Findings
import Foundation
import Testing

@Suite struct StalenessTests {
  private static let day = 86_400
  private static let now = 100 * day

  private static let files = [
    "a/upstream.json": #"{ "summary": "A", "baseURL": "https://a.example", "owner": "Team A" }"#,
    "a/one.json": contract(#""ok": { "status": 200, "live": {} }"#),
    "a/two.json": contract(
      #""ok": { "status": 200, "live": {} }, "other": { "status": 404, "live": {} }"#),
    "a/change.json":
      #"{ "request": { "method": "POST", "path": "/x" }, "cases": { "ok": { "status": 200, "live": {} } } }"#,
    "a/silent.json": contract(#""ok": { "status": 200 }"#),
    "gone/upstream.json":
      #"{ "summary": "G", "baseURL": "https://g.example", "retired": "it was shut down" }"#,
    "gone/one.json": contract(#""ok": { "status": 200, "live": {} }"#),
    "ours/upstream.json": #"{ "summary": "O" }"#,
    "ours/one.json": contract(#""ok": { "status": 200, "live": {} }"#),
  ]

  private static func contract(_ cases: String) -> String {
    #"{ "request": { "method": "GET", "path": "/x" }, "cases": { \#(cases) } }"#
  }

  private static func library() throws -> ContractLibrary {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-stale-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in files {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    return try ContractLibrary.load([folder.path])
  }

  private static func record(_ id: String, daysAgo: Int, _ verdict: Verdict = .pass)
    -> HistoryRecord
  {
    let parts = id.split(separator: "#").map(String.init)
    return HistoryRecord(
      at: now - daysAgo * day, Check.Identity(parts[0], parts[1], consumer: nil), verdict,
      because: verdict == .couldNotCheck || verdict == .notExercised ? "no answer" : nil,
      findings: verdict == .fail ? [Finding(.error, .status, "found status 500")] : [])
  }

  private static func messages(_ records: [HistoryRecord]) throws -> [String] {
    History(records).staleness(
      of: try library().liveCases, ageMax: .seconds(7 * day), now: now
    ).map(\.message)
  }

  @Test("only cases with a live side that is not retired are live")
  func live() throws {
    let names = try Self.library().liveCases.map { "\($0.contract.id)#\($0.probe.name)" }
    #expect(names == ["a/one#ok", "a/two#ok", "a/two#other"])
    #expect(try Self.library().owners == ["a": "Team A"])
  }

  @Test("a live contract that was never verified is stale")
  func never() throws {
    #expect(
      try Self.messages([]) == [
        "found a/one last verified: ok never; expected within 7 days",
        "found a/two last verified: ok never, other never; expected within 7 days",
      ])
  }

  @Test("one that was verified within the time is not, whether it passed or failed")
  func fresh() throws {
    let records = [
      Self.record("a/one#ok", daysAgo: 7), Self.record("a/two#ok", daysAgo: 1, .fail),
      Self.record("a/two#other", daysAgo: 0),
    ]
    #expect(try Self.messages(records) == [])
  }

  @Test("neither a night without an answer verifies, nor one on which nothing was asked")
  func unverified() throws {
    let records = [
      Self.record("a/one#ok", daysAgo: 9), Self.record("a/one#ok", daysAgo: 1, .couldNotCheck),
      Self.record("a/two#ok", daysAgo: 2), Self.record("a/two#other", daysAgo: 8),
      Self.record("a/two#other", daysAgo: 1, .notExercised),
    ]
    #expect(
      try Self.messages(records) == [
        "found a/one last verified: ok on 1970-04-02; expected within 7 days",
        "found a/two last verified: other on 1970-04-03; expected within 7 days",
      ])
    let finding = try #require(
      History(records).staleness(
        of: Self.library().liveCases, ageMax: .seconds(7 * Self.day), now: Self.now
      ).first)
    #expect(finding.severity == .error)
    #expect(finding.type == .stale)
    #expect(finding.place?.file.hasSuffix("a/one.json") == true)
    #expect(finding.fix == "run understudy drift a/one")
  }
}

@Suite struct OutageTests {
  private static func nights(_ upstream: String, _ verdicts: [Verdict?]) -> [HistoryRecord] {
    verdicts.enumerated().flatMap { night, verdict -> [HistoryRecord] in
      guard let verdict else { return [] }
      return ["ok", "not-found"].map { name in
        HistoryRecord(
          at: night * 86_400 + 3_600, Check.Identity("\(upstream)/x", name, consumer: nil), verdict,
          because: verdict == .couldNotCheck ? "cannot connect" : nil)
      }
    }
  }

  @Test(
    "so many nights without any answer are an outage, fewer are none",
    arguments: [
      ([.pass, .couldNotCheck, .couldNotCheck, .couldNotCheck], true),
      ([.pass, .couldNotCheck, .couldNotCheck], false), ([.couldNotCheck, .couldNotCheck], false),
      ([.couldNotCheck, .couldNotCheck, .couldNotCheck, .pass], false),
      ([.couldNotCheck, .pass, .couldNotCheck, .couldNotCheck], false),
      // Nights on which it was not asked do not count, and do not interrupt.
      ([.couldNotCheck, nil, .couldNotCheck, .notExercised, .couldNotCheck, nil], true),
      ([], false),
    ] as [([Verdict?], Bool)])
  func nights(verdicts: [Verdict?], isOut: Bool) {
    let history = History(
      Self.nights("joke", verdicts) + Self.nights("dogs", [.pass, .pass, .pass]))
    let findings = history.outages(nightCount: 3, of: ["joke"], owners: ["joke": "Team J"])
    let finding = Finding(
      .error, .outage,
      "found no answer of joke that can be judged on 3 nights in a row",
      fix:
        "ask Team J; if it is gone for good, say so in its upstream.json: \"retired\": \"REASON\"")
    #expect(findings == (isOut ? [finding] : []))
  }

  @Test("several runs on one day are one night")
  func sameDay() {
    let records = (0..<5).map { hour in
      HistoryRecord(
        at: hour * 3_600, Check.Identity("joke/x", "ok", consumer: nil), .couldNotCheck,
        because: "cannot connect")
    }
    #expect(History(records).outages(nightCount: 3, of: ["joke"]).isEmpty)
    #expect(History(records).outages(nightCount: 1, of: ["joke"]).map(\.type) == [.outage])
  }

  @Test("one answer that was judged among many is no outage")
  func partial() {
    let answered = HistoryRecord(
      at: 2 * 86_400, Check.Identity("joke/y", "ok", consumer: nil), .pass)
    let away = Self.nights("joke", [.couldNotCheck, .couldNotCheck, .couldNotCheck])
    #expect(History(away + [answered]).outages(nightCount: 3, of: ["joke"]).isEmpty)
  }
}
