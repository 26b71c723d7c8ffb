import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting
@testable import UnderstudyDrift

@Suite struct ContractPatchTests {
  static let thing = """
    "status": 200,
          "headers": { "Content-Type": "application/json", "X-Kind": "thing" },
          "body": [
            { "id": 1, "name": "a", "at": 816629112, "note": "x" },
            { "id": 2, "name": "b", "at": 816629112, "note": "y" }
          ],
          "schema": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["id", "name"],
              "properties": {
                "id": { "type": "integer" },
                "name": { "type": "string", "pattern": "^[a-z]$" },
                "kind": { "enum": ["big", "small"] },
                "day": { "format": "date" },
                "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } }
              }
            }
          }
    """
  static let headers = ["Content-Type": "application/json", "X-Kind": "thing"]

  private func patch(
    _ stage: Stage, to answer: LiveAnswer
  ) throws -> (patch: ContractPatch, diff: String, rest: [Finding]) {
    let findings = try stage.findings(answer)
    let patch = try ContractPatch(
      of: stage.contract, case: "ok",
      to: SecretMask(secrets: []).masked(answer), findings: findings, now: Stage.now)
    let patched = try Stage(text: String(decoding: patch.bytes, as: UTF8.self))
    let diff = TextDiff.patch(of: stage.contract.file, stage.text, patched.text)
    return (patch, diff, try patched.findings(answer).filter { $0.severity < .info })
  }

  /// As many members as are gone from the answer, of which a damaged case names one.
  private static func wide(_ count: Int) throws -> Stage {
    let members = (0..<count).map { ", \"f\($0)\": \($0)" }.joined()
    return try Stage(
      #""status": 200, "body": { "id": 1\#(members) }"#,
      others: #"""
        , "broken": {
          "like": "ok", "schema": { "required": ["id"] }, "malform": { "remove": ["/id", "/f7"] }
        }
        """#)
  }

  @Test("one member that cannot be removed does not multiply the work for all others")
  func work() throws {
    for count in [16, 64, 256] {
      let stage = try Self.wide(count)
      let answer = LiveAnswer(#"{ "id": 1 }"#, headers: ["Content-Type": "application/json"])
      var editCount = 0
      let patch = try ContractPatch(
        of: stage.contract, case: "ok", to: answer, findings: stage.findings(answer),
        now: Stage.now
      ) {
        editCount += 1
        return false
      }
      #expect(
        patch.leftOver.map(\.reason) == [
          "it would break the file: found \"/f7\", which cannot be edited: there is no such value"
            + " (api/thing.json:8:18)"
        ])
      let patched = try Stage(text: String(decoding: patch.bytes, as: UTF8.self))
      #expect(try patched.findings(answer).map { $0.path?.description } == ["/f7"])
      // Whatever is tried again is half of what was tried before.
      #expect(editCount < 6 * count)
    }
  }

  @Test("edits that there is no time for are left over", arguments: [0, 5, 40])
  func late(editCountMax: Int) throws {
    let stage = try Self.wide(16)
    let answer = LiveAnswer(#"{ "id": 1 }"#, headers: ["Content-Type": "application/json"])
    var editCount = 0
    let patch = try ContractPatch(
      of: stage.contract, case: "ok", to: answer, findings: stage.findings(answer), now: Stage.now
    ) {
      editCount += 1
      return editCount > editCountMax
    }
    let late = patch.leftOver.filter { $0.reason == "the deadline left no time for it" }
    let patched = try Stage(text: String(decoding: patch.bytes, as: UTF8.self))
    let open = Set(try patched.findings(answer).map { $0.path?.description })
    #expect(Set(patch.leftOver.map { $0.finding.path?.description }) == open)
    #expect(!late.isEmpty)
    if editCountMax == 0 { #expect(patch.isEmpty && late.count == 16) }
  }

  private static func element(_ members: String) -> String {
    #"[{ \#(members) }, { "id": 2, "name": "b", "at": 816629112, "note": "y" }]"#
  }

  @Test(
    "each kind of change becomes the smallest edit",
    arguments: [
      (
        element(#""id": "1", "name": "a", "at": 816629112, "note": "x""#),
        [
          #"-            "id": { "type": "integer" },"#,
          #"+            "id": { "type": ["integer", "string"] },"#,
        ]
      ),
      (
        #"[{ "id": "1", "name": "a", "at": 816629112, "note": "x" }, { "id": "2", "name": "b", "at": 816629112, "note": "x" }]"#,
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"-        { "id": 2, "name": "b", "at": 816629112, "note": "y" }"#,
          #"+        { "id": "1", "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": "2", "name": "b", "at": 816629112, "note": "y" }"#,
          #"-            "id": { "type": "integer" },"#,
          #"+            "id": { "type": "string" },"#,
        ]
      ),
      (
        element(#""id": 1, "name": null, "at": 816629112, "note": "x""#),
        [
          #"-            "name": { "type": "string", "pattern": "^[a-z]$" },"#,
          #"+            "name": { "type": ["string", "null"], "pattern": "^[a-z]$" },"#,
        ]
      ),
      (
        element(#""id": 1, "at": 816629112, "note": "x""#),
        [
          #"-          "required": ["id", "name"],"#,
          #"+          "required": ["id"],"#,
        ]
      ),
      (
        #"[{ "id": 1, "at": 816629112, "note": "x" }, { "id": 2, "at": 816629112, "note": "x" }]"#,
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"-        { "id": 2, "name": "b", "at": 816629112, "note": "y" }"#,
          #"+        { "id": 1, "at": 816629112, "note": "x" },"#,
          #"+        { "id": 2, "at": 816629112, "note": "y" }"#,
          #"-          "required": ["id", "name"],"#,
          #"+          "required": ["id"],"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": "x", "kind": "huge""#),
        [
          #"-            "kind": { "enum": ["big", "small"] },"#,
          #"+            "kind": { "enum": ["big", "small", "huge"] },"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": "x", "day": "7 May""#),
        [
          #"-            "day": { "format": "date" },"#,
          #"+            "day": {},"#,
        ]
      ),
      (
        element(#""id": 1, "name": "A", "at": 816629112, "note": "x""#),
        [
          #"-            "name": { "type": "string", "pattern": "^[a-z]$" },"#,
          #"+            "name": { "type": "string" },"#,
        ]
      ),
      (
        #"[{ "id": 1, "name": "a", "at": 1794936312, "note": "x" }, { "id": 2, "name": "b", "at": 1794936313, "note": "x" }]"#,
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"-        { "id": 2, "name": "b", "at": 816629112, "note": "y" }"#,
          #"+        { "id": 1, "name": "a", "at": 1794936312, "note": "x" },"#,
          #"+        { "id": 2, "name": "b", "at": 1794936313, "note": "y" }"#,
          #"-            "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } }"#,
          #"+            "at": { "x-time": { "epoch": 1970, "within": ["-20y", "+1y"] } }"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": null"#),
        [
          #"-        { "id": 2, "name": "b", "at": 816629112, "note": "y" }"#,
          #"+        { "id": 2, "name": "b", "at": 816629112, "note": null }"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": "x", "token": "hush""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": "a", "at": 816629112, "note": "x", "token": "[redacted]" },"#,
          #"-            "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } }"#,
          #"+            "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } },"#,
          #"+            "token": { "type": "string" }"#,
        ]
      ),
    ])
  func edits(body: String, expected: [String]) throws {
    let (patch, diff, rest) = try patch(
      Stage(Self.thing), to: LiveAnswer(body, headers: Self.headers))
    let changed = diff.split(separator: "\n").dropFirst(3).filter {
      !$0.hasPrefix(" ") && !$0.hasPrefix("@@")
    }
    #expect(changed.map(String.init) == expected)
    #expect(rest.isEmpty)
    #expect(patch.leftOver.isEmpty)
  }

  @Test("status and headers are edited where they are written")
  func head() throws {
    let body = #"[{ "id": 1, "name": "a", "at": 816629112, "note": "x" }]"#
    let answer = LiveAnswer(
      body, status: 202, headers: ["Content-Type": "application/vnd.a+json", "Deprecation": "@1"])
    let (_, diff, rest) = try patch(Stage(Self.thing), to: answer)
    #expect(
      diff == """
        --- a/api/thing.json
        +++ b/api/thing.json
        @@ -3,8 +3,8 @@
           "request": { "method": "GET", "path": "/thing" },
           "cases": {
             "ok": {
        -      "status": 200,
        -      "headers": { "Content-Type": "application/json", "X-Kind": "thing" },
        +      "status": 202,
        +      "headers": { "Content-Type": "application/vnd.a+json", "Deprecation": "@1" },
               "body": [
                 { "id": 1, "name": "a", "at": 816629112, "note": "x" },
                 { "id": 2, "name": "b", "at": 816629112, "note": "y" }

        """)
    #expect(rest.isEmpty)
  }

  @Test("a finding that cannot be applied is left over with the reason")
  func leftOver() throws {
    let slow = LiveAnswer("{}", status: 404, latency: .seconds(2))
    let (slowPatch, _, _) = try patch(Stage(Self.thing), to: slow)
    let reasons = slowPatch.leftOver.map { "\($0.finding.type.rawValue): \($0.reason)" }
    #expect(
      reasons == [
        "STATUS: an answer with status 404 is another case: add it, or request this one",
        "PERFORMANCE: its owner must decide how slow it may be",
      ])
    #expect(slowPatch.isEmpty)
    let (emptyPatch, _, _) = try patch(
      Stage(Self.thing), to: LiveAnswer("[]", headers: Self.headers))
    #expect(
      emptyPatch.leftOver.map(\.reason) == [
        "an empty array does not show its elements: request one that has some"
      ])
  }

  @Test("a member taken from another case is edited there")
  func lent() throws {
    let text = """
      {
        "summary": "A thing",
        "request": { "method": "GET", "path": "/thing" },
        "default": "ok",
        "cases": {
          "base": {
            "status": 200,
            "body": { "id": 1 },
            "schema": { "$ref": "#/$defs/thing", "$defs": { "thing": { "properties": { "id": { "type": "integer" } } } } }
          },
          "ok": { "like": "base", "live": {} },
          "other": { "like": "base", "body": { "id": 2 } }
        }
      }

      """
    let (_, diff, rest) = try patch(Stage(text: text), to: LiveAnswer(#"{ "id": "x" }"#))
    #expect(
      diff == """
        --- a/api/thing.json
        +++ b/api/thing.json
        @@ -6,7 +6,7 @@
             "base": {
               "status": 200,
               "body": { "id": 1 },
        -      "schema": { "$ref": "#/$defs/thing", "$defs": { "thing": { "properties": { "id": { "type": "integer" } } } } }
        +      "schema": { "$ref": "#/$defs/thing", "$defs": { "thing": { "properties": { "id": { "type": ["integer", "string"] } } } } }
             },
             "ok": { "like": "base", "live": {} },
             "other": { "like": "base", "body": { "id": 2 } }

        """)
    #expect(rest.isEmpty)
  }

  @Test("an edit that would break another case is left over")
  func dependents() throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "id": 1, "name": "a" },
      "schema": { "required": ["id", "name"], "properties": { "id": { "type": "integer" } } }
      """#,
      others: #", "cut": { "like": "ok", "malform": { "remove": ["/name"] } }"#)
    let (patch, _, rest) = try patch(stage, to: LiveAnswer(#"{ "id": "1" }"#))
    #expect(
      patch.leftOver.map(\.reason) == [
        "it would break the file: found \"/name\", which cannot be edited: there is no such value"
          + " (api/thing.json:9:15)"
      ])
    #expect(rest.map(\.type) == [.schemaFieldRemoved])
  }

  @Test("an edit that would break the file by itself is left over once")
  func dependent() throws {
    let stage = try Stage(
      #""status": 200, "body": { "id": 1, "name": "a" }, "schema": { "required": ["name"] }"#,
      others: #", "cut": { "like": "ok", "malform": { "remove": ["/name"] } }"#)
    let (patch, _, _) = try patch(stage, to: LiveAnswer(#"{ "id": 1 }"#))
    #expect(patch.leftOver.map(\.finding.type) == [.schemaFieldRemoved])
    #expect(patch.isEmpty)
  }

  @Test("a header that may contain a secret is left out")
  func secretHeader() throws {
    let stage = try Stage(#""status": 200, "headers": { "X-Kind": "a" }, "body": {}"#)
    let token = "gh" + "p_" + String(repeating: "a1", count: 18)
    let (patch, _, _) = try patch(
      stage, to: LiveAnswer("{}", status: 201, headers: ["X-Kind": token]))
    #expect(patch.leftOver.map(\.finding.type) == [.headerChanged])
    #expect(patch.leftOver.map(\.reason) == ["it contains a secret"])
  }

  @Test("if only some dates are of another epoch they are left over, and nothing is edited")
  func mixedEpochs() throws {
    let body = Self.element(#""id": 1, "name": "a", "at": 1794936312, "note": "x""#)
    let (patch, _, _) = try patch(Stage(Self.thing), to: LiveAnswer(body, headers: Self.headers))
    #expect(
      patch.leftOver.map(\.reason) == [
        "only some of these dates match the contract"
      ])
    #expect(patch.isEmpty)
  }

  @Test(
    "whatever changes, the patched contract is in order and the answer fits it", arguments: 0..<60)
  func property(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let values = [
      "1", "1.5", "null", "true", "\"z\"", "\"2026-01-01\"", "[1]", "{\"a\":null}", "1794936312",
    ]
    let names = ["id", "name", "at", "note", "kind", "day", "extra", "more"]
    var elements: [String] = []
    for id in 1...dice.pick([1, 2, 5]) {
      var members = ["id": "\(id)", "name": "\"a\"", "at": "816629112", "note": "\"x\""]
      for _ in 0..<dice.pick([0, 1, 2, 4]) {
        let name = dice.pick(names)
        members[name] = dice.pick([nil, dice.pick(values), dice.pick(values)])
      }
      let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
      elements.append("{ \(text.joined(separator: ", ")) }")
    }
    let body = "[\(elements.joined(separator: ", "))]"
    let answer = LiveAnswer(body, headers: Self.headers)
    let (patch, diff, rest) = try patch(Stage(Self.thing), to: answer)
    let left = Set(patch.leftOver.map(\.finding.path))
    let unexplained = rest.filter { !left.contains($0.path) }
    #expect(
      unexplained.isEmpty,
      "\(body)\n\(unexplained.map(\.line))\n\(diff)\n\(patch.leftOver.map(\.reason))")
    if try Stage(Self.thing).findings(answer).isEmpty { #expect(patch.isEmpty) }
  }

  @Test("applies what it can where other changes cannot be applied")
  func stuck() throws {
    let stage = try Stage(
      """
      "status": 200,
            "body": { "token": "a", "password": "b" },
            "schema": { "properties": { "token": { "enum": ["a"] } } }
      """)
    let answer = LiveAnswer(
      #"{ "token": "c", "password": null, "rank": 7 }"#,
      headers: ["Content-Type": "application/json"])
    let (patch, _, rest) = try patch(stage, to: answer)
    #expect(
      patch.leftOver.map { "\($0.finding.type.rawValue): \($0.reason)" }
        == ["SCHEMA_ENUM_WIDENED: it contains a secret"])
    #expect(rest.map(\.type.rawValue) == ["SCHEMA_ENUM_WIDENED"])
    let text = String(decoding: patch.bytes, as: UTF8.self)
    #expect(text.contains(#""body": { "token": "a", "password": null, "rank": 7 }"#))
  }
}
