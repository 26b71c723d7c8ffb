import Foundation
import Testing
import UnderstudyDrafting

@testable import UnderstudyDrift

/// An API that puts its old response into something else keeps all that the contract says of it.
@Suite struct WrappedBodyTests {
  private static let schema =
    #"{ "type": "object", "required": ["id", "name"], "properties": { "id": { "type": "integer", "minimum": 1 }, "name": { "type": "string" } } }"#
  private static let packed = schema.filter { $0 != " " }

  private func stage() throws -> Stage {
    try Stage(
      #""status": 200, "body": { "id": 1, "name": "a" }, "schema": \#(Self.schema)"#,
      others: #"""
        , "other": { "like": "ok", "body": { "id": 7, "name": "other" } },
            "text-id": { "like": "ok", "malform": { "set": { "/id": "1", "/name": null } } },
            "no-name": { "like": "other", "malform": { "remove": ["/name"] } },
            "cut": { "like": "ok", "malform": { "truncateAt": 9 } },
            "more": { "like": "ok", "malform": { "insert": { "at": 6, "text": "," } } },
            "stuck": { "like": "ok", "stall": { "atByte": 5 } }
        """#)
  }

  @Test(
    "bodies, schema and the places that other cases name move to where the response has them",
    arguments: [
      (
        #"{"data":{"id":2,"name":"b"}}"#, #"{"data":{"id":7,"name":"other"}}"#, "/data",
        #"{"type":"object","required":["data"],"properties":{"data":\#(packed)}}"#
      ),
      (
        #"[{"id":2,"name":"b"}]"#, #"[{"id":7,"name":"other"}]"#, "/0",
        #"{"type":"array","items":\#(packed)}"#
      ),
      (
        #"{"status":"ok","data":{"a/b":[{"id":2,"name":"b"}]}}"#,
        #"{"status":"ok","data":{"a/b":[{"id":7,"name":"other"}]}}"#, "/data/a~1b/0",
        #"{"type":"object","required":["data"],"properties":{"data":{"type":"object","required":["a/b"],"properties":{"a/b":{"type":"array","items":\#(packed)}}}}}"#
      ),
    ])
  func moved(response: String, other: String, place: String, schema: String) throws {
    let shift = try #require(response.range(of: #"{"id""#)).lowerBound.utf16Offset(in: response)
    let live = LiveResponse(response)
    let (patched, reasons) = try stage().updated(["ok": live])
    #expect(reasons == [])
    #expect(patched.member("body") == response)
    #expect(patched.member("body", of: "other") == other)
    #expect(patched.member("schema") == schema)
    #expect(
      patched.member("malform", of: "text-id")
        == #"{"set":{"\#(place)/id":"1","\#(place)/name":null}}"#)
    #expect(patched.member("malform", of: "no-name") == #"{"remove":["\#(place)/name"]}"#)
    #expect(patched.member("malform", of: "cut") == #"{"truncateAt":\#(9 + shift)}"#)
    #expect(patched.member("malform", of: "more") == #"{"insert":{"at":\#(6 + shift),"text":","}}"#)
    #expect(patched.member("stall", of: "stuck") == #"{"atByte":\#(5 + shift)}"#)
    #expect(try patched.findings(live).isEmpty)
  }

  @Test("without a schema the cases that are like it move")
  func schemaless() throws {
    let stage = try Stage(
      #""status": 200, "body": { "id": 1, "name": "a" }"#,
      others: #"""
        , "other": { "like": "ok", "body": { "id": 7, "name": "other" } },
            "own": { "status": 200, "body": { "id": 8, "name": "own" } }
        """#)
    let live = LiveResponse(#"{"data":{"id":2,"name":"b"},"page":1}"#)
    let (patched, reasons) = try stage.updated(["ok": live])
    #expect(reasons == [])
    #expect(patched.member("body") == #"{"data":{"id":2,"name":"b"},"page":1}"#)
    #expect(patched.member("body", of: "other") == #"{"data":{"id":7,"name":"other"},"page":1}"#)
    #expect(patched.member("body", of: "own") == #"{"id":8,"name":"own"}"#)
    #expect(try patched.findings(live).isEmpty)
  }

  @Test("definitions stay where references find them")
  func definitions() throws {
    let stage = try Stage(
      ##"""
      "status": 200, "body": { "id": 1 },
      "schema": { "properties": { "id": { "$ref": "#/$defs/id" } }, "$defs": { "id": { "type": "integer" } } }
      """##)
    let live = LiveResponse(#"{"data":{"id":2}}"#)
    let (patched, reasons) = try stage.updated(["ok": live])
    #expect(reasons == [])
    #expect(
      patched.member("schema")
        == ##"{"properties":{"data":{"properties":{"id":{"$ref":"#/$defs/id"}}}},"$defs":{"id":{"type":"integer"}},"type":"object","required":["data"]}"##
    )
    #expect(try patched.findings(live).isEmpty)
  }

  @Test(
    "what is not the old response inside another value is left by hand where a malformed case needs it",
    arguments: [
      #"{"old":{"id":2,"name":"b"},"new":{"id":3,"name":"c"}}"#,
      #"{"data":{"id":"2","name":"b"}}"#,
      #"{"data":{"id":2}}"#,
      #"{"data":[]}"#,
    ])
  func others(response: String) throws {
    let stage = try stage()
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(response)])
    let reason = try #require(reasons.first)
    #expect(reasons.count == 1)
    #expect(
      reason.hasPrefix(
        "malformed case `text-id` changes /id, which the response no longer has; malformed case"
          + " `no-name` changes /name, which the response no longer has"))
    #expect(patched.text == stage.text)
  }
}
