import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

/// What the seed decides, whatever the order in which requests come.
@Suite struct DrawingTests {
  private static let files = [
    "dice/upstream.json": #"{ "summary": "Dice" }"#,
    "dice/roll.json": #"""
    { "summary": "A roll", "request": { "method": "GET", "path": "/roll" },
      "cases": {
        "ok": { "status": 200, "body": "{random.1-1000000}", "template": ["body"],
                "delay": { "uniform": ["0ms", "9ms"] } },
        "other": { "status": 200, "text": "{random.1-1000000} {counter}", "template": ["body"] } } }
    """#,
  ]

  /// What each session got, and how long it had to wait, for requests of these sessions in turn.
  private static func drawn(
    for sessions: [String], seed: UInt64
  ) async throws -> [String: [String]] {
    var drawn: [String: [String]] = [:]
    try await SmallServer.with(files, { $0.seed = seed }) { server in
      for session in sessions {
        let response = try server.client().exchange("GET /~\(session)/dice/roll")
        drawn[session, default: []].append(String(decoding: response.body, as: UTF8.self))
        _ = try server.client().exchange(
          "GET /~\(session)/dice/roll", ["Prefer: example=other"])
      }
      for entry in await server.journal() {
        drawn[entry.session, default: []].append("\(entry.caseName ?? "") \(entry.delayConfigured)")
      }
    }
    return drawn
  }

  @Test("each session draws the same in whatever order requests come")
  func order() async throws {
    let first = try await Self.drawn(for: ["a", "a", "b", "c", "c"], seed: 7)
    let second = try await Self.drawn(for: ["c", "b", "a", "c", "a"], seed: 7)
    #expect(first == second)
    #expect(Set(first.values.compactMap(\.first)).count == 3)
    #expect(first["a"]?.prefix(2).sorted() != first["c"]?.prefix(2).sorted())
    let third = try await Self.drawn(for: ["a", "a", "b", "c", "c"], seed: 8)
    #expect(third != first)
  }

  @Test("a reset starts over, and each session counts from 1")
  func reset() async throws {
    try await SmallServer.with(Self.files) { server in
      func ask(_ session: String) throws -> String {
        let response = try server.client().exchange(
          "GET /~\(session)/dice/roll", ["Prefer: example=other"])
        return String(decoding: response.body, as: UTF8.self)
      }
      let first = [try ask("a"), try ask("a")]
      #expect(first.map { $0.split(separator: " ").last } == ["1", "2"])
      #expect(try ask("b").hasSuffix(" 1"))
      await server.reset(session: "a")
      #expect([try ask("a"), try ask("a")] == first)
    }
  }
}
