import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// What an update leaves alone.
@Suite struct SharedSchemaPatchTests {
  private func patch(
    _ stage: Stage, _ body: String
  ) throws -> (reasons: [String], stage: Stage, rest: [Finding]) {
    let response = LiveResponse(body)
    let (patched, reasons) = try stage.updated(["ok": response])
    return (reasons, patched, try patched.findings(response))
  }

  @Test("no live value under a name that marks a secret is written")
  func secrets() throws {
    let stage = try Stage(
      #""status": 200, "body": { "token": { "kind": "a" }, "password": ["x"] }"#)
    let (reasons, patched, rest) = try patch(
      stage,
      #"{ "token": { "kind": "LEAKED1", "value": "LEAKED2" }, "password": ["LEAKED3"], "more": { "secrets": ["LEAKED4", 7] } }"#
    )
    #expect(!patched.text.contains("LEAKED"))
    #expect(reasons == [])
    #expect(
      patched.member("body")
        == #"{"token":{"kind":"[redacted]","value":"[redacted]"},"password":["[redacted]"],"more":{"secrets":["[redacted]",7]}}"#
    )
    #expect(rest.isEmpty)
  }

  @Test("a case whose change is hidden by a mask is left as it is")
  func hidden() throws {
    let stage = try Stage(
      #""status": 200, "body": { "token": "a" }, "schema": { "properties": { "token": { "enum": ["a"] } } }"#
    )
    let (reasons, patched, _) = try patch(stage, #"{ "token": "LEAKED", "rank": 7 }"#)
    #expect(reasons == ["it contains a secret"])
    #expect(patched.text == stage.text)
  }

  @Test("characters that are not seen are escaped")
  func unseen() throws {
    let stage = try Stage(#""status": 200, "body": { "a": 1 }"#)
    let (_, patched, rest) = try patch(
      stage, "{ \"a\": \"x\u{202E}y\", \"b\": { \"\u{E0001}\": 1 } }")
    #expect(patched.member("body") == #"{"a":"x\u202ey","b":{"\udb40\udc01":1}}"#)
    #expect(rest.isEmpty)
  }

  @Test("examples of cases that are like the changed one change alike")
  func cases() throws {
    let stage = try Stage(
      #""status": 200, "body": { "id": 1, "joke": "a" }, "schema": { "required": ["joke"], "properties": { "id": { "type": "integer" }, "joke": {} } }"#,
      others: #"""
        ,
            "p2": { "like": "ok", "body": { "id": 2, "joke": "b", "own": true } },
            "p3": { "like": "p2", "delay": { "fixed": "1s" } },
            "no": { "like": "ok", "status": 404, "body": { "id": 3, "joke": "c" } },
            "else": { "status": 200, "body": { "id": 4, "joke": "d" } }
        """#)
    let (reasons, patched, rest) = try patch(stage, #"{ "id": "s1", "text": "a" }"#)
    #expect(reasons == [])
    #expect(
      patched.member("schema")
        == #"{"properties":{"id":{"type":["integer","string"]},"text":{"type":"string"}}}"#)
    #expect(patched.member("body") == #"{"id":"s1","text":"a"}"#)
    #expect(patched.member("body", of: "p2") == #"{"id":"s1","own":true,"text":"a"}"#)
    #expect(patched.member("body", of: "p3") == nil)
    #expect(patched.member("body", of: "no") == #"{"id":3,"joke":"c"}"#)
    #expect(patched.member("body", of: "else") == #"{"id":4,"joke":"d"}"#)
    #expect(rest.isEmpty)
  }

  @Test("a schema that two paths share only widens")
  func paths() throws {
    let stage = try Stage(
      ##""status": 200, "body": { "a": 1, "b": 1 }, "schema": { "properties": { "a": { "$ref": "#/$defs/N" }, "b": { "$ref": "#/$defs/N" } }, "$defs": { "N": { "type": "integer" } } }"##
    )
    let (_, patched, rest) = try patch(stage, #"{ "a": "x", "b": 2 }"#)
    #expect(
      patched.contract.case(named: "ok")?.source["schema"]?["$defs"].map {
        String(decoding: $0.compact, as: UTF8.self)
      }
        == #"{"N":{"type":["integer","string"]}}"#)
    #expect(patched.member("body") == #"{"a":"x","b":2}"#)
    #expect(rest.isEmpty)
  }

  @Test("a type that no alternative has becomes one more")
  func alternative() throws {
    let stage = try Stage(
      #""status": 200, "body": { "a": "x" }, "schema": { "properties": { "a": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } }"#
    )
    let (_, patched, rest) = try patch(stage, #"{ "a": 3 }"#)
    #expect(
      patched.member("schema")
        == #"{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"},{"type":"integer"}]}}}"#
    )
    #expect(rest.isEmpty)
  }

  private static let kinds =
    #""status": 200, "body": { "kind": "b", "y": 1 }, "schema": { "oneOf": [{ "required": ["kind", "x"], "properties": { "kind": { "const": "a" }, "x": {} } }, { "required": ["kind", "y"], "properties": { "kind": { "const": "b" }, "y": {} } }] }"#

  @Test("a field is added to the alternative that the value matches")
  func fitting() throws {
    let (_, patched, rest) = try patch(Stage(Self.kinds), #"{ "kind": "b", "y": 1, "z": "n" }"#)
    #expect(
      patched.member("schema")
        == #"{"oneOf":[{"required":["kind","x"],"properties":{"kind":{"const":"a"},"x":{}}},{"required":["kind","y"],"properties":{"kind":{"const":"b"},"y":{},"z":{"type":"string"}}}]}"#
    )
    #expect(rest.isEmpty)
  }

  @Test("a new kind of value is left over, and nothing changes")
  func newKind() throws {
    let stage = try Stage(Self.kinds)
    let (reasons, patched, _) = try patch(stage, #"{ "kind": "c", "w": 1 }"#)
    #expect(reasons == ["it is a new kind: add an alternative"])
    #expect(patched.text == stage.text)
  }

  @Test("all added fields are applied, however many")
  func many() throws {
    let members = (0..<30).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
    let (reasons, patched, rest) = try patch(Stage(#""status": 200, "body": {}"#), "{ \(members) }")
    #expect(patched.contract.case(named: "ok")?.source["body"]?.count == 30)
    #expect(reasons == [])
    #expect(rest.isEmpty)
  }

  @Test("templates stay, and text that would be taken for one is not written into them")
  func templates() throws {
    let stage = try Stage(
      #""status": 200, "template": ["body"], "body": { "a": 1, "at": "{now}" }"#)
    let (reasons, patched, _) = try patch(
      stage, #"{ "a": 2, "at": "2026-11-24T00:00:00Z", "c": "{/other}" }"#)
    #expect(reasons == [])
    #expect(patched.member("body") == #"{"a":2,"at":"{now}","c":"{/other}"}"#)
    let (left, unchanged, _) = try patch(stage, #"{ "a": 1, "at": "", "b": "x{uuid}" }"#)
    #expect(left == ["its text would be taken for a template"])
    #expect(unchanged.text == stage.text)
  }
}
