import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

/// An update of a case is whole or not there, and other cases follow it.
@Suite struct WholePatchTests {
  @Test(
    "a case is left over, in words, if a mutated one needs what is gone",
    arguments: [
      (
        #"{ "remove": ["/name"] }"#, #"{ "id": "1" }"#,
        "malformed case `cut` changes /name, which the response no longer has"
      ),
      (#"{ "remove": ["/name"] }"#, #"{ "id": 1, "name": null }"#, nil),
      (
        #"{ "set": { "/name": 5 } }"#, #"{ "id": 1, "name": 5 }"#,
        "malformed case `cut` would no longer be malformed"
      ),
      (#"{ "truncateAt": 16 }"#, #"{ "id": "1" }"#, nil),
    ] as [(String, String, String?)])
  func dependents(malform: String, body: String, reason: String?) throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "id": 1, "name": "a" },
      "schema": { "required": ["id", "name"], "properties": { "id": { "type": "integer" }, "name": { "type": "string" } } }
      """#,
      others: #", "cut": { "like": "ok", "malform": \#(malform) }"#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(body)])
    #expect(reasons == [reason].compactMap(\.self))
    #expect((patched.text == stage.text) == (reason != nil))
  }

  @Test(
    "a contract with more pages does not become its last one",
    arguments: [["Link": #"<https://a.example/1>; rel="prev""#], [:]])
  func lastPage(headers: [String: String]) throws {
    let stage = try Stage(
      #"""
      "status": 200, "headers": { "Link": "<https://a.example/2>; rel=\"next\"" }, "body": [{ "id": 1 }]
      """#)
    let response = LiveResponse(#"[{ "id": "1" }]"#, headers: headers)
    #expect(try stage.findings(response).compactMap(\.header) == ["Link"])
    let (patched, reasons) = try stage.updated(["ok": response])
    #expect(
      reasons == [
        "without rel=\"next\" the other pages would never be requested: request a resource that has"
          + " more pages"
      ])
    #expect(patched.text == stage.text)
  }

  @Test("a case with a body does not become one with a status that has none")
  func noContent() throws {
    let stage = try Stage(#""status": 200, "body": { "id": 1 }"#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse("", status: 204)])
    #expect(reasons == ["a response with status 204 has no body: write that case by hand"])
    #expect(patched.text == stage.text)
    let empty = try Stage(#""status": 200"#).updated(["ok": LiveResponse("", status: 204)])
    #expect(empty.reasons == [])
    #expect(empty.stage.member("status") == "204")
  }

  @Test("all that blocks a case is named")
  func blockers() throws {
    let stage = try Stage(
      #""status": 200, "body": { "id": 1, "name": "a" }, "schema": { "required": ["id", "name"] }"#,
      others: #"""
        , "no-name": { "like": "ok", "malform": { "remove": ["/name"] } },
            "no-id": { "like": "ok", "malform": { "remove": ["/id"] } }
        """#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(#"{ "joke": "b" }"#)])
    #expect(
      reasons == [
        "malformed case `no-name` changes /name, which the response no longer has; malformed case"
          + " `no-id` changes /id, which the response no longer has"
      ])
    #expect(patched.text == stage.text)
  }

  @Test("a mutated case is derived anew where its body becomes shorter")
  func derived() throws {
    let stage = try Stage(
      #""status": 200, "body": { "type": "general", "setup": "Why?" }"#,
      others: #"""
        , "cut": { "like": "ok", "malform": { "truncateAt": 32 } },
            "bad": { "like": "ok", "malform": { "invalidUTF8At": 33 } },
            "more": { "like": "ok", "malform": { "insert": { "at": 17, "text": "\"" } } },
            "stuck": { "like": "ok", "stall": { "atByte": 30 } },
            "early": { "like": "ok", "malform": { "truncateAt": 5 } }
        """#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(#"{"joke":"A"}"#)])
    #expect(reasons == [])
    #expect(patched.member("malform", of: "cut") == #"{"truncateAt":11}"#)
    #expect(patched.member("malform", of: "bad") == #"{"invalidUTF8At":11}"#)
    #expect(patched.member("malform", of: "more") == #"{"insert":{"at":6,"text":"\""}}"#)
    #expect(patched.member("stall", of: "stuck") == #"{"atByte":10}"#)
    #expect(patched.member("malform", of: "early") == #"{"truncateAt":5}"#)
  }

  @Test("dates at four places that one schema describes move together")
  func epochs() throws {
    let names = ["created", "updated", "pushed", "closed"]
    func body(_ date: Int) -> String {
      "{ \(names.map { "\"\($0)\": \(date)" }.joined(separator: ", ")) }"
    }
    let places = names.map { "\"\($0)\": { \"$ref\": \"#/$defs/date\" }" }
    let stage = try Stage(
      """
      "status": 200, "body": \(body(816_629_112)),
      "schema": { "properties": { \(places.joined(separator: ", ")) },
        "$defs": { "date": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } } } }
      """, others: #", "other": { "like": "ok", "body": \#(body(816_629_113)) }"#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(body(1_794_936_312))])
    #expect(reasons == [])
    #expect(patched.text.contains(#""epoch": 1970"#))
    let new = body(1_794_936_312).replacing(" ", with: "")
    #expect(patched.member("body") == new)
    #expect(patched.member("body", of: "other") == new)
  }

  @Test(
    "what a schema says of a kind of value goes with the last of it",
    arguments: [
      (#"[{ "id": 1 }]"#, #"{"type":"array"}"#),
      (
        #"{ "joke": { "id": 1, "name": "a" } }"#,
        #"{"type":"object","required":["joke"],"properties":{"joke":{"type":"object","required":["id","name"],"properties":{"id":{"type":"integer","minimum":1},"name":{"type":"string","minLength":1}}}}}"#
      ),
      (
        #"{ "id": [1] , "name": "a" }"#,
        #"{"type":"object","required":["id","name"],"properties":{"id":{"type":"array"},"name":{"type":"string","minLength":1}}}"#
      ),
      (
        #"{ "id": 1 }"#,
        #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer","minimum":1}}}"#
      ),
    ])
  func kinds(body: String, schema: String) throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "id": 1, "name": "a" },
      "schema": { "type": "object", "required": ["id", "name"], "properties": { "id": { "type": "integer", "minimum": 1 }, "name": { "type": "string", "minLength": 1 } } }
      """#)
    let (patched, reasons) = try stage.updated(["ok": LiveResponse(body)])
    #expect(reasons == [])
    #expect(patched.member("schema") == schema)
    #expect(patched.member("body") == body.replacing(" ", with: ""))
    #expect(try patched.findings(LiveResponse(body)).isEmpty)
  }

  @Test("a long response is cut to the elements that show all of it")
  func long() throws {
    let elements = (0..<400).map { place in
      let more = place == 300 ? #", "rank": null"# : place == 350 ? #", "rank": 7"# : ""
      return #"{ "id": \#(place)\#(more) }"#
    }
    let stage = try Stage(#""status": 200, "body": [{ "id": 1 }, { "id": 2 }]"#)
    let response = LiveResponse("[\(elements.joined(separator: ", "))]")
    let (patched, reasons) = try stage.updated(["ok": response])
    #expect(reasons == [])
    #expect(
      patched.member("body")
        == #"[{"id":0},{"id":1},{"id":300,"rank":null},{"id":350,"rank":7}]"#)
    #expect(try patched.findings(response).isEmpty)
  }

  @Test("a new body has the layout of the file")
  func layout() throws {
    let stage = try Stage(
      text: """
        {
            "summary": "A thing",
            "request": { "method": "GET", "path": "/thing" },
            "cases": {
                "ok": {
                    "status": 200,
                    "body": {
                        "id": 1,
                        "name": "a"
                    },
                    "live": {}
                }
            }
        }

        """)
    let text = String(repeating: "x", count: 40)
    let (patched, reasons) = try stage.updated([
      "ok": LiveResponse(
        #"{"id":1,"tags":["a","b"],"owner":{"name":"\#(text)","address":"\#(text)"}}"#)
    ])
    #expect(reasons == [])
    #expect(
      TextDiff.unified(stage.text, patched.text).split(separator: "\n").filter {
        !$0.hasPrefix(" ")
      }
      .dropFirst(3).joined(separator: "\n") == """
        -                "name": "a"
        +                "tags": ["a", "b"],
        +                "owner": {
        +                    "name": "\(text)",
        +                    "address": "\(text)"
        +                }
        """)
  }

  @Test("cases with responses of their own are compared and written together, and do not alternate")
  func together() throws {
    let stage = try Stage(
      text: """
        {
          "summary": "A thing",
          "request": {
            "method": "GET", "path": "/thing/{page}", "parameters": { "path.page": { "example": "1" } }
          },
          "cases": {
            "ok": {
              "status": 200,
              "body": { "id": 1, "name": "a" },
              "schema": { "required": ["name"], "properties": { "id": {}, "name": {} } },
              "live": {}
            },
            "two": { "like": "ok", "live": { "parameters": { "path.page": "2" } } },
            "three": {
              "like": "ok", "body": { "id": 3, "name": "c" },
              "live": { "parameters": { "path.page": "3" } }
            }
          }
        }

        """)
    let responses = [
      "ok": LiveResponse(#"{"id":1,"title":"a"}"#), "two": LiveResponse(#"{"id":2,"name":"b"}"#),
      "three": LiveResponse(#"{"id":3,"title":"c"}"#),
    ]
    let (patched, reasons) = try stage.updated(responses)
    #expect(reasons == [])
    #expect(patched.member("body") == #"{"id":1,"title":"a"}"#)
    #expect(patched.member("body", of: "two") == #"{"id":2,"name":"b"}"#)
    #expect(patched.member("body", of: "three") == #"{"id":3,"title":"c"}"#)
    let (again, left) = try patched.updated(responses)
    #expect(left == [])
    #expect(again.text == patched.text)
  }
}
