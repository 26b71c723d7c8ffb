import Testing
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

@testable import UnderstudyDrafting
@testable import UnderstudyDrift

/// What an update leaves alone.
@Suite struct SharedSchemaPatchTests {
  private func patch(
    _ stage: Stage, _ body: String
  ) throws -> (patch: ContractPatch, probe: JSONValue, rest: [Finding]) {
    let answer = LiveAnswer(body)
    let patch = try ContractPatch(
      of: stage.contract, case: "ok",
      to: SecretMask(secrets: []).masked(answer), findings: try stage.findings(answer),
      now: Stage.now)
    let patched = try Stage(text: String(decoding: patch.bytes, as: UTF8.self))
    let root = try JSONDocument(parsing: patch.bytes).root
    return (patch, try #require(root["cases"]?["ok"]), try patched.findings(answer))
  }

  private func text(_ value: JSONValue?) -> String? {
    value.map { String(decoding: $0.compact, as: UTF8.self) }
  }

  @Test("no live value under a name that marks a secret is written")
  func secrets() throws {
    let stage = try Stage(
      #""status": 200, "body": { "token": { "kind": "enumA" }, "password": ["x"] }, "schema": { "properties": { "token": { "properties": { "kind": { "enum": ["enumA"] } } } } }"#
    )
    let (patch, probe, _) = try patch(
      stage,
      #"{ "token": { "kind": "LEAKED1", "value": "LEAKED2" }, "password": ["LEAKED3"], "more": { "secrets": ["LEAKED4", 7] } }"#
    )
    #expect(!String(decoding: patch.bytes, as: UTF8.self).contains("LEAKED"))
    #expect(patch.leftOver.map(\.reason) == ["it contains a secret"])
    #expect(
      text(probe["body"])
        == #"{"token":{"kind":"enumA","value":"[redacted]"},"password":["x"],"more":{"secrets":["[redacted]",7]}}"#
    )
  }

  @Test("characters that are not seen are escaped")
  func unseen() throws {
    let stage = try Stage(#""status": 200, "body": { "a": 1 }"#)
    let (_, probe, rest) = try patch(
      stage, "{ \"a\": \"x\u{202E}y\", \"b\": { \"\u{E0001}\": 1 } }")
    #expect(text(probe["body"]) == #"{"a":"x\u202ey","b":{"\udb40\udc01":1}}"#)
    #expect(rest.isEmpty)
  }

  @Test("a schema that other cases share only widens, and their examples stay")
  func cases() throws {
    let stage = try Stage(
      #""status": 200, "body": { "id": 1 }, "schema": { "properties": { "id": { "type": "integer" } } }"#,
      others:
        #", "p2": { "like": "ok", "body": { "id": 2 } }, "p3": { "like": "ok", "body": { "id": 3 } }"#
    )
    let (patch, probe, rest) = try patch(stage, #"{ "id": "s1" }"#)
    #expect(text(probe["schema"]) == #"{"properties":{"id":{"type":["integer","string"]}}}"#)
    let root = try JSONDocument(parsing: patch.bytes).root["cases"]
    #expect(text(root?["p2"]?["body"]) == #"{"id":2}"#)
    #expect(text(root?["p3"]?["body"]) == #"{"id":3}"#)
    #expect(rest.isEmpty)
  }

  @Test("a schema that two paths share only widens")
  func paths() throws {
    let stage = try Stage(
      ##""status": 200, "body": { "a": 1, "b": 1 }, "schema": { "properties": { "a": { "$ref": "#/$defs/N" }, "b": { "$ref": "#/$defs/N" } }, "$defs": { "N": { "type": "integer" } } }"##
    )
    let (_, probe, rest) = try patch(stage, #"{ "a": "x", "b": 2 }"#)
    #expect(text(probe["schema"]?["$defs"]) == #"{"N":{"type":["integer","string"]}}"#)
    #expect(text(probe["body"]) == #"{"a":1,"b":1}"#)
    #expect(rest.isEmpty)
  }

  @Test("a finding that is left leaves no trace")
  func transaction() throws {
    let stage = try Stage(#""status": 200, "body": [{ "id": 1 }]"#)
    let (patch, _, _) = try patch(stage, #"[{ "id": 1, "n": 1 }, { "id": 2, "n": "x" }]"#)
    #expect(
      patch.leftOver.map(\.reason) == [
        "the example has too few values to show all kinds, and there is no schema"
      ])
    #expect(patch.isEmpty)
  }

  @Test("a type that no alternative has becomes one more")
  func alternative() throws {
    let stage = try Stage(
      #""status": 200, "body": { "a": "x" }, "schema": { "properties": { "a": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } }"#
    )
    let (_, probe, rest) = try patch(stage, #"{ "a": 3 }"#)
    #expect(
      text(probe["schema"]?["properties"]?["a"])
        == #"{"anyOf":[{"type":"string"},{"type":"null"},{"type":"integer"}]}"#)
    #expect(rest.isEmpty)
  }

  private static let kinds =
    #""status": 200, "body": { "kind": "b", "y": 1 }, "schema": { "oneOf": [{ "required": ["kind", "x"], "properties": { "kind": { "const": "a" }, "x": {} } }, { "required": ["kind", "y"], "properties": { "kind": { "const": "b" }, "y": {} } }] }"#

  @Test("a field is added to the alternative that the value matches")
  func fitting() throws {
    let (_, probe, rest) = try patch(Stage(Self.kinds), #"{ "kind": "b", "y": 1, "z": "n" }"#)
    #expect(
      text(probe["schema"]?["oneOf"]?[1]?["properties"])
        == #"{"kind":{"const":"b"},"y":{},"z":{"type":"string"}}"#)
    #expect(probe["schema"]?["oneOf"]?[0]?["properties"]?.count == 2)
    #expect(rest.isEmpty)
  }

  @Test("a new kind of value is left over, and the known kinds stay")
  func newKind() throws {
    let (patch, _, _) = try patch(Stage(Self.kinds), #"{ "kind": "c", "w": 1 }"#)
    #expect(patch.leftOver.contains { $0.reason == "it is a new kind: add an alternative" })
    let old = try #require(Stage(Self.kinds).contract.case(named: "ok")?.source["schema"])
    let root = try JSONDocument(parsing: patch.bytes).root
    #expect(text(root["cases"]?["ok"]?["schema"]) == text(old))
  }

  @Test("all added fields are applied, however many")
  func many() throws {
    let members = (0..<30).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
    let (patch, probe, rest) = try patch(Stage(#""status": 200, "body": {}"#), "{ \(members) }")
    #expect(probe["body"]?.count == 30)
    #expect(patch.leftOver.isEmpty)
    #expect(rest.isEmpty)
  }

  @Test("text that a template would replace is not written into one")
  func templates() throws {
    let stage = try Stage(#""status": 200, "template": ["body"], "body": { "a": 1 }"#)
    let (patch, _, _) = try patch(stage, #"{ "a": 1, "b": "x{uuid}", "c": "{/other}" }"#)
    #expect(patch.leftOver.map(\.reason) == ["b: its text would be taken for a template"])
    #expect(!String(decoding: patch.bytes, as: UTF8.self).contains("uuid"))
    #expect(String(decoding: patch.bytes, as: UTF8.self).contains("{/other}"))
  }
}
