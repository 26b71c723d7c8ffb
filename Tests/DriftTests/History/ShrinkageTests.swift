import Testing
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

/// Responds to that have less than they had: entries, pages, elements.
@Suite struct ShrinkageTests {
  private static func found(_ stage: Stage, _ response: LiveResponse) throws -> [String] {
    try stage.findings(response).map { "\($0.kindAndPath) \($0.message)" }
  }

  @Test("an object whose keys are data, and that has none left, is a change")
  func map() throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "breeds": { "hound": ["afghan"] } },
      "schema": { "properties": { "breeds": { "additionalProperties": { "type": "array" } } } }
      """#)
    #expect(
      try Self.found(stage, LiveResponse(#"{ "breeds": {} }"#)) == [
        "warning array-emptied /breeds found an empty object, expected entries as in the example"
      ])
    let empty = try Stage(
      #"""
      "status": 200, "body": { "breeds": {} },
      "schema": { "properties": { "breeds": { "additionalProperties": { "type": "array" } } } }
      """#)
    #expect(try empty.lines(LiveResponse(#"{ "breeds": {} }"#)).isEmpty)
  }

  @Test(
    "a first page that is suddenly the last is a change",
    arguments: [
      (#"<https://a.example/2>; rel="next""#, #"<https://b.example/3>; rel=next"#, true),
      (#"<https://a.example/2>; rel="next""#, #"<https://a.example/1>; rel="prev""#, false),
      (
        #"<https://a.example/2>; rel="next", <https://a.example/9>; rel="last""#,
        #"<https://a.example/9>; rel="last""#, false
      ),
      (#"<https://a.example/1>; rel="prev""#, #"<https://a.example/1>; rel="first""#, true),
      (#"<a>; rel="next""#, #"<a>; title="x, y; rel=last"; REL = "prev NEXT""#, true),
      (#"<a>; rel="prev next""#, #"<a>; rel="nextish", <b>; title="; rel=next""#, false),
      (#"<a>; rel=next; rel=last"#, #"<a>; rel=last; rel=next"#, false),
      (#"<a?x=1;rel=next>; rel="prev""#, #"<a>; rel="first""#, true),
      (#"<a>; title="\\"; rel=x"; rel="next""#, #"<a>; crossorigin; rel=next"#, true),
      (#"<a>; rel="next""#, #"<a>; rel"#, false),
    ])
  func lastPage(expected: String, found: String, isSame: Bool) throws {
    let stage = try Stage(
      #""status": 200, "headers": { "Link": \#(expected.quoted) }, "body": [{ "id": 1 }]"#)
    #expect(
      try Self.found(stage, LiveResponse(#"[{ "id": 1 }]"#, headers: ["Link": found]))
        == (isSame
          ? []
          : [
            "warning header-changed - found Link without rel=\"next\", expected one: the first page"
              + " has become the last"
          ]))
  }

  private static let place = Place("a.json")

  /// What comes of a size after those of other runs, the latest last.
  private static func findings(of size: Int, after sizes: [Int], consumer: String?) -> [String] {
    let identity = Check.Identity("a/b", "ok", consumer: consumer)
    let history = History(
      sizes.enumerated().map { day, size in
        HistoryRecord(at: Moment(unixSeconds: day), identity, .pass, size: size)
      })
    return history.withShrinkage(
      [.checked(identity, at: place)], [identity: size], failsOn: .error
    ).flatMap(\.findings).map { "\($0.severity.rawValue) \($0.type.rawValue) \($0.message)" }
  }

  @Test(
    "a list with half of what the smallest of the last runs had is a warning",
    arguments: [
      (
        15, [30, 32, 30],
        ["warning size-changed only 15 elements, after 30 to 32 in each of the last 3 runs"]
      ),
      (
        0, [30, 30, 30],
        ["warning size-changed only 0 elements, after 30 in each of the last 3 runs"]
      ),
      (16, [30, 32, 30], []), (1, [30, 32], []), (1, [3, 3, 3], []), (40, [30, 30, 30], []),
      (1, [30, 30, 30, 30, 30, 2, 30, 30, 30, 30], []),
      (
        1, [2, 30, 30, 30, 30, 30],
        ["warning size-changed only 1 element, after 30 in each of the last 5 runs"]
      ),
    ])
  func elements(size: Int, earlier: [Int], findings: [String]) {
    #expect(Self.findings(of: size, after: earlier, consumer: nil) == findings)
  }

  @Test(
    "a service that suddenly finds one page is a warning",
    arguments: [
      (1, [3, 3, 3], ["warning size-changed only 1 page, after 3 in each of the last 3 runs"]),
      (1, [2, 2, 2], ["warning size-changed only 1 page, after 2 in each of the last 3 runs"]),
      (2, [3, 3, 3], []), (1, [1, 1, 1], []),
    ])
  func pages(size: Int, earlier: [Int], findings: [String]) {
    #expect(Self.findings(of: size, after: earlier, consumer: "repos.list") == findings)
  }

  @Test("runs remember how many elements a response had, and warn when most are gone")
  func runs() async throws {
    let stage = try await ScheduleStage(
      1, limits: #""summary": "Lists""#, body: #"[{ "id": 7 }]"#,
      live: #"[{ "id": 1 }, { "id": 2 }, { "id": 3 }, { "id": 4 }]"#,
      others: #""short": { "like": "ok", "body": [{ "id": 1 }] }"#)
    for _ in 0..<3 {
      #expect(try await stage.run().report.checks.flatMap(\.findings) == [])
      try await stage.wait(.seconds(86_400))
    }
    stage.server.use("short", for: "joke/c01")
    let check = try #require(try await stage.run().report.checks.first)
    #expect(
      check.text == """
        pass joke/c01#ok
          warning size-changed only 1 element, after 4 in each of the last 3 runs
        """)
    await stage.server.close()
  }
}
