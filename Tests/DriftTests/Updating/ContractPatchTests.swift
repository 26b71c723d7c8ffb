import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

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
    _ stage: Stage, to response: LiveResponse
  ) throws -> (reasons: [String], diff: String, rest: [Finding]) {
    let (patched, reasons) = try stage.updated(["ok": response])
    let diff = TextDiff.patch(of: stage.contract.file, stage.text, patched.text)
    return (reasons, diff, try patched.findings(response).filter { $0.severity < .note })
  }

  @Test("a case that there is no time for is left over as a whole", arguments: [0, 1, 2])
  func late(editCountMax: Int) throws {
    let stage = try Stage(Self.thing)
    var editCount = 0
    let (patched, reasons) = try stage.updated(["ok": LiveResponse("[]", headers: Self.headers)]) {
      editCount += 1
      return editCount > editCountMax
    }
    #expect(reasons.count == 1)
    #expect(patched.text == stage.text)
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
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": "1", "name": "a", "at": 816629112, "note": "x" },"#,
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
          #"+        { "id": "2", "name": "b", "at": 816629112, "note": "x" }"#,
          #"-            "id": { "type": "integer" },"#,
          #"+            "id": { "type": "string" },"#,
        ]
      ),
      (
        element(#""id": 1, "name": null, "at": 816629112, "note": "x""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": null, "at": 816629112, "note": "x" },"#,
          #"-            "name": { "type": "string", "pattern": "^[a-z]$" },"#,
          #"+            "name": { "type": ["string", "null"], "pattern": "^[a-z]$" },"#,
        ]
      ),
      (
        element(#""id": 1, "at": 816629112, "note": "x""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "at": 816629112, "note": "x" },"#,
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
          #"+        { "id": 2, "at": 816629112, "note": "x" }"#,
          #"-          "required": ["id", "name"],"#,
          #"+          "required": ["id"],"#,
          #"-            "name": { "type": "string", "pattern": "^[a-z]$" },"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": "x", "kind": "huge""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": "a", "at": 816629112, "note": "x", "kind": "huge" },"#,
          #"-            "kind": { "enum": ["big", "small"] },"#,
          #"+            "kind": { "enum": ["big", "small", "huge"] },"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": "x", "day": "7 May""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": "a", "at": 816629112, "note": "x", "day": "7 May" },"#,
          #"-            "day": { "format": "date" },"#,
          #"+            "day": {},"#,
        ]
      ),
      (
        element(#""id": 1, "name": "A", "at": 816629112, "note": "x""#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": "A", "at": 816629112, "note": "x" },"#,
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
          #"+        { "id": 2, "name": "b", "at": 1794936313, "note": "x" }"#,
          #"-            "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } }"#,
          #"+            "at": { "x-time": { "epoch": 1970, "within": ["-20y", "+1y"] } }"#,
        ]
      ),
      (
        element(#""id": 1, "name": "a", "at": 816629112, "note": null"#),
        [
          #"-        { "id": 1, "name": "a", "at": 816629112, "note": "x" },"#,
          #"+        { "id": 1, "name": "a", "at": 816629112, "note": null },"#,
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
    let (reasons, diff, rest) = try patch(
      Stage(Self.thing), to: LiveResponse(body, headers: Self.headers))
    let changed = diff.split(separator: "\n").dropFirst(3).filter {
      !$0.hasPrefix(" ") && !$0.hasPrefix("@@")
    }
    #expect(changed.map(String.init) == expected)
    #expect(rest.isEmpty)
    #expect(reasons.isEmpty)
  }

  @Test("status and headers are edited where they are written")
  func head() throws {
    let body = Self.element(#""id": 1, "name": "a", "at": 816629112, "note": "x""#)
    let response = LiveResponse(
      body, status: 202, headers: ["Content-Type": "application/vnd.a+json", "Deprecation": "@1"])
    let (_, diff, rest) = try patch(Stage(Self.thing), to: response)
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

  @Test("a case that cannot be applied as a whole is left over, with the reason")
  func leftOver() throws {
    let stage = try Stage(Self.thing)
    let slow = LiveResponse("{}", status: 404, latency: .seconds(2))
    #expect(
      try patch(stage, to: slow).reasons == [
        "its owner must decide how slow it may be",
        "a response with status 404 is another case: add it, or request this one",
      ])
    #expect(
      try patch(stage, to: LiveResponse("[]", headers: ["X-Kind": "other"])).reasons == [
        "an empty array does not show its elements: request one that has some"
      ])
    for response in [slow, LiveResponse("[]", headers: ["X-Kind": "other"])] {
      #expect(try patch(stage, to: response).diff == "")
    }
  }

  @Test("how slow a response was does not keep its body out")
  func slow() throws {
    let stage = try Stage(#""status": 200, "body": { "a": 1 }"#)
    let (patched, reasons) = try stage.updated([
      "ok": LiveResponse(#"{ "b": 1 }"#, latency: .seconds(2))
    ])
    #expect(reasons == ["its owner must decide how slow it may be"])
    #expect(patched.member("body") == #"{"b":1}"#)
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
    let (_, diff, rest) = try patch(Stage(text: text), to: LiveResponse(#"{ "id": "x" }"#))
    #expect(
      diff == """
        --- a/api/thing.json
        +++ b/api/thing.json
        @@ -5,10 +5,10 @@
           "cases": {
             "base": {
               "status": 200,
        -      "body": { "id": 1 },
        -      "schema": { "$ref": "#/$defs/thing", "$defs": { "thing": { "properties": { "id": { "type": "integer" } } } } }
        +      "body": { "id": "x" },
        +      "schema": { "$ref": "#/$defs/thing", "$defs": { "thing": { "properties": { "id": { "type": ["integer", "string"] } } } } }
             },
             "ok": { "like": "base", "live": {} },
        -    "other": { "like": "base", "body": { "id": 2 } }
        +    "other": { "like": "base", "body": { "id": "x" } }
           }
         }

        """)
    #expect(rest.isEmpty)
  }

  @Test("a header that may contain a secret is left out")
  func secretHeader() throws {
    let stage = try Stage(#""status": 200, "headers": { "X-Kind": "a" }, "body": {}"#)
    let token = "gh" + "p_" + String(repeating: "a1", count: 18)
    let (reasons, diff, _) = try patch(
      stage, to: LiveResponse("{}", status: 201, headers: ["X-Kind": token]))
    #expect(reasons == ["it contains a secret"])
    #expect(diff == "")
  }

  @Test("if only some dates are of another epoch they are left over, and nothing is edited")
  func mixedEpochs() throws {
    let body = Self.element(#""id": 1, "name": "a", "at": 1794936312, "note": "x""#)
    let (reasons, diff, _) = try patch(
      Stage(Self.thing), to: LiveResponse(body, headers: Self.headers))
    #expect(reasons == ["only some of these dates match the contract"])
    #expect(diff == "")
  }

  @Test(
    "whatever changes, the patched contract is in order and the response fits it", arguments: 0..<60
  )
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
    let response = LiveResponse(body, headers: Self.headers)
    let stage = try Stage(Self.thing)
    let (patched, reasons) = try stage.updated(["ok": response])
    if try !stage.findings(response).isEmpty, reasons.isEmpty {
      let example = try #require(patched.contract.case(named: "ok")?.source["body"])
      #expect(try example.isEqual(to: JSONDocument(parsing: body).root))
      #expect(try patched.findings(response).isEmpty, "\(body)\n\(patched.text)")
    } else {
      #expect(patched.text == stage.text)
      let dates = [
        "only some of these dates match the contract", "no other epoch fits these dates",
      ]
      #expect(reasons.allSatisfy(dates.contains), "\(reasons)\n\(body)")
    }
  }
}
