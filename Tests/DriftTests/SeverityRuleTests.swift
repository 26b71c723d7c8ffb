import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// The one rule by which a change is error, warning or note, case by case.
@Suite struct SeverityRuleTests {
  enum Change: String, Sendable, CaseIterable {
    case status, header, body, time, addition

    var response: LiveResponse {
      switch self {
      case .status: Self.response(status: 201)
      case .header: Self.response(headers: [:])
      case .body: Self.response(#"{ "id": "1", "note": "y" }"#)
      case .time: Self.response(latency: .seconds(2))
      case .addition: Self.response(#"{ "id": 2, "note": "y", "new": 1 }"#)
      }
    }

    static func response(
      _ body: String = #"{ "id": 2, "note": "y" }"#, status: Int = 200,
      headers: [String: String] = ["X-Kind": "thing"], latency: Duration = .zero
    ) -> LiveResponse {
      LiveResponse(body, status: status, headers: headers, latency: latency)
    }
  }

  enum Reading: String, Sendable, CaseIterable {
    case undeclared, nobody, unknown, unread, survived, broken

    var readers: [ConsumerReads] {
      switch self {
      case .undeclared, .nobody: []
      case .unknown: [ConsumerReads("a", paths: nil, headers: nil, isContent: true)]
      case .unread: [Self.reader(of: "note", headers: HeaderReads(), isContent: true)]
      case .survived: [Self.reader(of: "id", headers: Self.kindRead, isContent: true)]
      // Beside one that is well.
      case .broken:
        Self.unread.readers + [Self.reader(of: "id", headers: Self.kindRead, isContent: false)]
      }
    }

    private struct ID: Decodable { let id: Int }
    private struct Note: Decodable { let note: String }

    /// One that has read one member of the body.
    private static func reader(of key: String, headers: HeaderReads, isContent: Bool)
      -> ConsumerReads
    {
      let paths = ReadPaths()
      let decoder = JSONTreeDecoder(recorder: paths)
      if let body = try? JSONDocument(parsing: #"{ "id": 1, "note": "x" }"#) {
        if key == "id" {
          _ = try? decoder.decode(ID.self, from: body.root)
        } else {
          _ = try? decoder.decode(Note.self, from: body.root)
        }
      }
      return ConsumerReads("a", paths: paths, headers: headers, isContent: isContent)
    }

    private static var kindRead: HeaderReads {
      let reads = HeaderReads()
      var headers: HTTPHeaders = ["X-Kind": "thing"]
      headers.recorder = reads
      _ = headers["x-kind"]
      return reads
    }
  }

  /// In the order of the readings.
  private static let rule: [Change: [Finding.Severity]] = [
    .status: [.error, .warning, .warning, .warning, .warning, .error],
    .header: [.error, .warning, .warning, .note, .warning, .error],
    .body: [.error, .warning, .warning, .note, .warning, .error],
    .time: [.warning, .warning, .warning, .warning, .warning, .warning],
    .addition: [.note, .note, .note, .note, .note, .note],
  ]

  /// With a consumer of another case, but for readings of a contract that has none.
  private static func stage(for reading: Reading = .unknown) throws -> Stage {
    let other = #", "other": { "status": 500, "expect": { "a": { "error": "e" } } }"#
    return try Stage(
      #""status": 200, "headers": { "X-Kind": "thing" }, "body": { "id": 1, "note": "x" }"#,
      others: reading == .undeclared ? "" : other)
  }

  @Test("follows one rule, whatever has changed", arguments: Change.allCases, Reading.allCases)
  func rule(change: Change, reading: Reading) throws {
    let index = try #require(Reading.allCases.firstIndex(of: reading))
    let expected = try #require(Self.rule[change])[index]
    let findings = try Self.stage(for: reading).findings(
      change.response, readers: reading.readers)
    #expect(findings.map(\.severity) == [expected])
  }

  @Test(
    "follows the same rule for what only some responses show",
    arguments: [Change.status, .header, .body, .addition], Reading.allCases)
  func intermittent(change: Change, reading: Reading) throws {
    let index = try #require(Reading.allCases.firstIndex(of: reading))
    let expected = try #require(Self.rule[change])[index]
    let findings = try Self.stage(for: reading).findings(
      change.response, again: Change.response(), readers: reading.readers)
    #expect(findings.map(\.severity) == [expected])
    #expect(findings.map(\.frequency) == [Finding.Frequency(1, of: 2)])
  }

  @Test(
    "a missing header that only serves caches or announces something is no error",
    arguments: [
      ("ETag", Finding.Severity.warning), ("Last-Modified", .warning), ("Cache-Control", .warning),
      ("X-RateLimit-Limit", .warning), ("X-Kind", .error), ("Location", .error),
      ("Content-Type", .error),
    ])
  func dispensable(name: String, severity: Finding.Severity) throws {
    let stage = try Stage(
      #""status": 200, "headers": { "\#(name)": "a" }, "body": { "id": 1 }"#)
    for again in [nil, LiveResponse(#"{ "id": 1 }"#, headers: [name: "a"])] {
      let findings = try stage.findings(LiveResponse(#"{ "id": 1 }"#), again: again)
      #expect(findings.map(\.severity) == [severity])
    }
    let reads = HeaderReads()
    var headers: HTTPHeaders = [name: "a"]
    headers.recorder = reads
    _ = headers[name]
    let reader = ConsumerReads("a", paths: ReadPaths(), headers: reads, isContent: false)
    let broken = try stage.findings(LiveResponse(#"{ "id": 1 }"#), readers: [reader])
    #expect(broken.map(\.severity) == [.error])
  }

  private struct Hint: Decodable { let hint: String }

  @Test("a member that the schema allows to be missing is note, unless that breaks a service")
  func optional() throws {
    let body = #"{ "id": 1, "hint": "h" }"#
    let response = LiveResponse(#"{ "id": 1 }"#)
    for isDeclared in [true, false] {
      let stage = try Stage(
        #""status": 200, "body": \#(body), "schema": { "properties": { "hint": {} } }"#,
        others: isDeclared
          ? #", "other": { "status": 500, "expect": { "a": { "error": "e" } } }"# : "")
      #expect(try stage.findings(response).map(\.severity) == [.note])
      #expect(
        try stage.findings(response, again: LiveResponse(body)).map(\.severity) == [.note],
        "also if only some responses lack it")
      for (isContent, severity) in [(true, Finding.Severity.note), (false, .error)] {
        let reader = try ConsumerReads("a", decoding: Hint.self, of: body, isContent: isContent)
        #expect(try stage.findings(response, readers: [reader]).map(\.severity) == [severity])
      }
    }
    let required = try Stage(
      #""status": 200, "body": \#(body), "schema": { "required": ["hint"], "properties": { "hint": {} } }"#
    )
    #expect(try required.findings(response).map(\.severity) == [.error])
  }

  @Test("a body that a service does not look at is known not to be read")
  func unread() async throws {
    let contract = """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": {
          "gone": { "status": 410, "body": { "why": "sold", "who": "a" }, "live": {},
            "expect": { "jokes.random": { "error": { "unexpectedStatus": 410 } } } } } }
      """
    let live = ContractLibrary(reading: [
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "gone": { "status": 410, "body": { "why": 1 } } } }
      """,
    ])
    let server = try await FakeServer.start(live)
    let stage = LiveStage(
      LiveStage.library(contract: contract), at: server.baseURL(of: "joke"))
    let texts = await stage.checks().map(\.text)
    await server.close()
    #expect(
      texts == [
        """
        pass joke/random#gone after 2
          note schema-type-changed found number, expected string
          note schema-field-removed missing "who", which the example has
        """, "pass joke/random#gone, jokes.random",
      ])
  }

  @Test("a service whose reads are not known is not blamed for what it may not read")
  func unknownAndBroken() throws {
    let readers = [ConsumerReads("a", paths: nil, headers: nil, isContent: false)]
    for (change, severity) in [(Change.body, Finding.Severity.warning), (.status, .error)] {
      let findings = try Self.stage().findings(change.response, readers: readers)
      #expect(findings.map(\.severity) == [severity])
    }
  }

  @Test("advises to update only where that leaves no service broken")
  func fixes() throws {
    let stage = try Self.stage()
    let response = Change.body.response
    #expect(
      try stage.findings(response, readers: Reading.survived.readers).map(\.fix) == [
        "run understudy drift --update to apply it, or accept it with a reason"
      ])
    #expect(
      try stage.findings(response, readers: Reading.broken.readers).map(\.fix) == [
        "make a handle it first, then run understudy drift --update, or accept it with a reason"
      ])
  }
}
