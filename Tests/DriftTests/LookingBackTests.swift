import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

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

  private static func record(_ id: String, daysAgo: Int, _ result: CheckResult = .pass)
    -> HistoryRecord
  {
    let parts = id.split(separator: "#").map(String.init)
    return HistoryRecord(
      at: Moment(unixSeconds: now - daysAgo * day),
      Check.Identity(parts[0], parts[1], consumer: nil), result,
      because: result == .couldNotCheck || result == .notExercised ? "no response" : nil,
      findings: result == .fail ? [Finding(.error, .status, "found status 500")] : [])
  }

  private static func messages(_ records: [HistoryRecord]) throws -> [String] {
    History(records).staleness(
      of: try library().liveCases, ageMax: .seconds(7 * day), now: Moment(unixSeconds: now)
    ).map(\.message)
  }

  @Test("only cases with live whose upstream is not retired are live")
  func live() throws {
    let names = try Self.library().liveCases.map { "\($0.contract.id)#\($0.liveCase.name)" }
    #expect(names == ["a/one#ok", "a/two#ok", "a/two#other"])
    #expect(try Self.library().owners == ["a": "Team A"])
  }

  @Test("a live contract that was never verified is stale")
  func never() throws {
    #expect(
      try Self.messages([]) == [
        "found a/one last checked: ok never; expected within 7 days",
        "found a/two last checked: ok never, other never; expected within 7 days",
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

  @Test("a run without responses or requests does not verify")
  func unverified() throws {
    let records = [
      Self.record("a/one#ok", daysAgo: 9), Self.record("a/one#ok", daysAgo: 1, .couldNotCheck),
      Self.record("a/two#ok", daysAgo: 2), Self.record("a/two#other", daysAgo: 8),
      Self.record("a/two#other", daysAgo: 1, .notExercised),
    ]
    #expect(
      try Self.messages(records) == [
        "found a/one last checked: ok on 1970-04-02; expected within 7 days",
        "found a/two last checked: other on 1970-04-03; expected within 7 days",
      ])
    let finding = try #require(
      History(records).staleness(
        of: Self.library().liveCases, ageMax: .seconds(7 * Self.day),
        now: Moment(unixSeconds: Self.now)
      ).first)
    #expect(finding.severity == .error)
    #expect(finding.type == .stale)
    #expect(finding.place?.file.hasSuffix("a/one.json") == true)
    #expect(finding.fix == "run understudy drift a/one")
  }
}

@Suite struct OutageTests {
  private static func runs(_ upstream: String, _ results: [CheckResult?]) -> [HistoryRecord] {
    results.enumerated().flatMap { run, result -> [HistoryRecord] in
      guard let result else { return [] }
      return ["ok", "not-found"].map { name in
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400 + 3_600),
          Check.Identity("\(upstream)/x", name, consumer: nil), result,
          because: result == .couldNotCheck ? "cannot connect" : nil)
      }
    }
  }

  private static func upstreams(_ joke: String = #""owner": "Team J""#) -> [Upstream] {
    ContractLibrary(reading: [
      "joke/upstream.json": """
      {
        "summary": "Jokes",
        "baseURL": "https://jokes.example", \(joke)
      }
      """,
      "dogs/upstream.json": #"{ "summary": "Dogs", "baseURL": "https://dogs.example" }"#,
    ]).upstreams
  }

  private static func messages(_ records: [HistoryRecord], runCount: Int = 3) -> [String] {
    History(records).outages(runCount: runCount, of: upstreams()).map {
      "\($0.type.rawValue) \($0.message)"
    }
  }

  private static let outage =
    "outage no response from joke could be checked on 3 runs in a row; owner: Team J"

  @Test(
    "that many runs without any response are an outage, fewer are not",
    arguments: [
      ([.pass, .couldNotCheck, .couldNotCheck, .couldNotCheck], true),
      ([.pass, .couldNotCheck, .couldNotCheck], false), ([.couldNotCheck, .couldNotCheck], false),
      ([.couldNotCheck, .couldNotCheck, .couldNotCheck, .pass], false),
      ([.couldNotCheck, .pass, .couldNotCheck, .couldNotCheck], false),
      // Runs on which it was not asked do not count, and do not interrupt.
      ([.couldNotCheck, nil, .couldNotCheck, .notExercised, .couldNotCheck, nil], true),
      ([], false),
    ] as [([CheckResult?], Bool)])
  func runs(results: [CheckResult?], isOut: Bool) {
    let records = Self.runs("joke", results) + Self.runs("dogs", [.pass, .pass, .pass])
    #expect(Self.messages(records) == (isOut ? [Self.outage] : []))
  }

  @Test("an upstream that refuses access or limits requests is not an outage")
  func causes() {
    let cases: [([Check.Cause?], String)] = [
      ([.away, .away, .away], Self.outage), ([nil, .away, nil], Self.outage),
      (
        [.refused, .refused, .refused],
        "access-refused access to joke is refused on 3 runs in a row; owner: Team J"
      ),
      (
        [.limited, .limited, .limited],
        "unchecked no case of joke could be checked on 3 runs in a row; owner: Team J"
      ),
      (
        [.away, .unconfirmed, .refused],
        "unchecked no case of joke could be checked on 3 runs in a row; owner: Team J"
      ),
    ]
    for (causes, message) in cases {
      let records = causes.enumerated().map { run, cause in
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400), Check.Identity("joke/x", "ok", consumer: nil),
          .couldNotCheck,
          because: "why", cause)
      }
      #expect(Self.messages(records) == [message])
      #expect(Self.messages(records + Self.runs("joke", [nil, nil, .pass])) == [])
    }
  }

  @Test("refused access for some cases is not an outage of the others")
  func partlyRefused() {
    let records = (0..<3).flatMap { run in
      [("ok", Check.Cause.refused), ("not-found", .away)].map { name, cause in
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400), Check.Identity("joke/x", name, consumer: nil),
          .couldNotCheck,
          because: "why", cause)
      }
    }
    #expect(
      Self.messages(records) == [
        "access-refused access to joke is refused on 3 runs in a row; owner: Team J"
      ])
  }

  @Test("an outage is reported with its place, its readers, and what to do")
  func words() throws {
    func finding(_ cause: Check.Cause, _ upstream: String) throws -> Finding {
      let records = ["jokes.random", "jokes.list", nil].map { consumer in
        HistoryRecord(
          at: Moment(unixSeconds: 0), Check.Identity("joke/x", "ok", consumer: consumer),
          .couldNotCheck,
          because: "why", cause)
      }
      return try #require(
        History(records).outages(runCount: 1, of: Self.upstreams(upstream)).first)
    }
    let away = try finding(.away, #""owner": "Team J""#)
    #expect(
      away.message == "no response from joke could be checked on 1 run in a row, read by"
        + " jokes.list, jokes.random; owner: Team J")
    #expect(away.severity == .error)
    #expect(away.place?.description == "joke/upstream.json:3:14")
    #expect(
      away.fix == "ask Team J; if it is gone for good, say so in its upstream.json: "
        + #""retired": "REASON""#)
    let secret = #""secrets": { "X-Key": "{UNDERSTUDY_JOKE_KEY}" }"#
    #expect(
      try finding(.refused, secret).fix
        == "check whether UNDERSTUDY_JOKE_KEY is set and still valid")
    #expect(
      try finding(.refused, #""rate": { "concurrency": 1 }"#).fix
        == "name the secret it needs in its upstream.json")
    #expect(
      try finding(.limited, secret).fix
        == "run understudy drift joke to see why, and set \"rate\" in its upstream.json to what it"
        + " allows")
  }

  @Test("several runs on one day are one run")
  func sameDay() {
    let records = (0..<5).map { hour in
      HistoryRecord(
        at: Moment(unixSeconds: hour * 3_600), Check.Identity("joke/x", "ok", consumer: nil),
        .couldNotCheck,
        because: "cannot connect")
    }
    #expect(Self.messages(records).isEmpty)
    #expect(Self.messages(records, runCount: 1).count == 1)
  }

  @Test("with one checked response among many there is no outage")
  func partial() {
    let responded = HistoryRecord(
      at: Moment(unixSeconds: 2 * 86_400), Check.Identity("joke/y", "ok", consumer: nil), .pass)
    let away = Self.runs("joke", [.couldNotCheck, .couldNotCheck, .couldNotCheck])
    #expect(Self.messages(away + [responded]).isEmpty)
  }

  private static let endpoints = ContractLibrary(reading: [
    "joke/upstream.json": """
    { "summary": "Jokes", "baseURL": "https://jokes.example", "owner": "Team J",
      "secrets": { "X-Key": "{UNDERSTUDY_JOKE_KEY}" } }
    """,
    "joke/x.json": """
    { "request": { "method": "GET", "path": "/x" },
      "cases": {
        "ok": { "status": 200, "live": {} },
        "other": { "status": 404, "live": {} } } }
    """,
  ])

  /// One case that is never checked, on so many runs, beside one that is well.
  private static func besideOthers(
    _ cause: Check.Cause?, runCount: Int
  ) -> [HistoryRecord] {
    (0..<runCount).flatMap { run in
      [
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400), Check.Identity("joke/x", "other", consumer: nil),
          .couldNotCheck,
          because: "found status 500", cause),
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400),
          Check.Identity("joke/x", "other", consumer: "jokes.other"),
          .couldNotCheck, because: "found status 500", cause),
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400), Check.Identity("joke/x", "ok", consumer: nil),
          .pass),
      ]
    }
  }

  @Test(
    "a case that is never checked is found though its siblings are well, with the number of runs",
    arguments: [
      (
        Check.Cause.away, "outage no response from joke/x#other could be checked",
        #"ask Team J; if it is gone for good, remove "live" from the case"#
      ),
      (
        .refused, "access-refused access to joke/x#other is refused",
        "check whether UNDERSTUDY_JOKE_KEY is set and still valid for this request"
      ),
      (
        .limited, "unchecked no case of joke/x#other could be checked",
        "run understudy drift joke/x#other to see why"
      ),
    ])
  func ofCase(cause: Check.Cause, words: String, fix: String) throws {
    func findings(_ runCount: Int, _ caseIDs: Set<String>? = nil) -> [Finding] {
      History(Self.besideOthers(cause, runCount: runCount))
        .outages(runCount: 3, of: Self.endpoints.upstreams, caseIDs)
    }
    #expect(findings(2).isEmpty)
    let finding = try #require(findings(5).first)
    #expect(findings(5).count == 1)
    #expect(
      "\(finding.type.rawValue) \(finding.message)"
        == "\(words) on 5 runs in a row, read by jokes.other; owner: Team J")
    #expect(finding.place?.description == "joke/x.json:4:14")
    #expect(finding.fix == fix)
    #expect(findings(5, ["joke/x#ok"]).isEmpty)
  }

  private typealias Reading = (consumer: String?, result: CheckResult)

  @Test("a service that is never checked is found, though the response it reads is well")
  func ofService() {
    let records = (0..<3).flatMap { run in
      ([(nil, .pass), ("jokes.random", .couldNotCheck), ("jokes.other", .pass)] as [Reading]).map {
        consumer, result in
        HistoryRecord(
          at: Moment(unixSeconds: run * 86_400),
          Check.Identity("joke/x", "ok", consumer: consumer), result,
          because: result == .pass ? nil : "redirected")
      }
    }
    func messages(_ records: [HistoryRecord]) -> [String] {
      History(records).outages(runCount: 3, of: Self.endpoints.upstreams).map(\.message)
    }
    #expect(
      messages(records) == [
        "no response from joke/x#ok could be checked on 3 runs in a row, read by jokes.random;"
          + " owner: Team J"
      ])
    let later = HistoryRecord(
      at: Moment(unixSeconds: 2 * 86_400 + 1),
      Check.Identity("joke/x", "ok", consumer: "jokes.random"), .pass)
    #expect(messages(records + [later]).isEmpty)
  }

  @Test("counts all runs in a row, and reports no case if the whole upstream is down")
  func realNumber() {
    let results: [CheckResult] =
      [.couldNotCheck, .pass] + Array(repeating: .couldNotCheck, count: 7)
    #expect(
      Self.messages(Self.runs("joke", results)) == [
        Self.outage.replacing("3 runs", with: "7 runs")
      ])
  }

  @Test("an intermittent break is reported until three runs are clean", arguments: 0...3)
  func openBreaks(cleanCount: Int) throws {
    let identity = Check.Identity("joke/x", "ok", consumer: nil)
    let broken = HistoryRecord(
      at: Moment(unixSeconds: 0), identity, .fail,
      findings: [
        Finding(.error, .status, "found status 500", frequency: Finding.Frequency(1, of: 2))
      ])
    let clean = (0..<cleanCount).map {
      HistoryRecord(at: Moment(unixSeconds: ($0 + 1) * 86_400), identity, .pass)
    }
    let findings = History([broken] + clean).openBreaks(
      of: Self.endpoints.liveCases, ["joke/x#ok"])
    // On the run itself the break speaks for itself.
    guard (1...2).contains(cleanCount) else {
      #expect(findings.isEmpty)
      return
    }
    let finding = try #require(findings.first)
    #expect(
      finding.line == """
        error intermittent 3:11 - joke/x#ok was broken in 1 of 2 responses on 1970-01-01 (status) and \
        not since; this closes after 3 clean runs
        """)
    #expect(
      finding.fix
        == "compare more responses to see it again: understudy drift joke/x#ok --samples 10")
    #expect(History([broken] + clean).openBreaks(of: Self.endpoints.liveCases, []).isEmpty)
  }
}
