import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct ComparisonTests {
  private static let list = """
    "status": 200,
          "headers": { "Content-Type": "application/json", "X-Kind": "thing", "ETag": "\\"1\\"" },
          "body": [{ "id": 1, "name": "a", "at": 816629112, "note": "x", "tags": ["t"] }],
          "schema": {
            "items": {
              "required": ["id", "name"],
              "properties": {
                "id": { "type": "integer" },
                "name": { "type": "string" },
                "kind": { "enum": ["big", "small"] },
                "day": { "format": "date" },
                "at": { "x-time": { "epoch": 2001, "within": ["-20y", "+1y"] } }
              }
            }
          }
    """
  private static let headers = [
    "content-type": "application/json; charset=utf-8", "X-KIND": "thing", "ETag": "\"2\"",
  ]

  private func lines(
    _ body: String, status: Int = 200, headers: [String: String] = headers,
    latency: Duration = .zero, readers: [ConsumerReads] = []
  ) throws -> [String] {
    let response = LiveResponse(body, status: status, headers: headers, latency: latency)
    return try Stage(Self.list).lines(response, readers: readers)
  }

  @Test(
    "a charset counts where both sides name one",
    arguments: [
      ("application/json; charset=utf-8", "application/json; charset=iso-8859-1", false),
      ("application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\"", true),
      ("application/json; charset=utf-8", "application/json", true),
      ("application/json", "application/json; charset=iso-8859-1", true),
    ])
  func charset(expected: String, found: String, isSame: Bool) throws {
    let stage = try Stage(
      #""status": 200, "headers": { "Content-Type": "\#(expected)" }, "body": { "id": 1 }"#)
    let lines = try stage.lines(LiveResponse(#"{ "id": 1 }"#, headers: ["Content-Type": found]))
    let line =
      "warning header-changed 6:51 - found Content-Type \"\(found)\", expected \"\(expected)\""
    #expect(lines == (isSame ? [] : [line]))
  }

  @Test(
    "each kind of change is reported at the line of the contract that it contradicts",
    arguments: [
      (
        #"[{ "id": 1, "name": "b", "at": 816629112, "note": "y", "tags": [] }, { "id": 2, "name": "c" }]"#,
        [
          "warning array-emptied 8:78 /0/tags found only empty arrays, expected elements as in the example"
        ]
      ),
      (#"[{ "id": 2, "name": "b", "at": 816629112, "note": "y", "tags": ["u"] }]"#, []),
      (
        #"[{ "id": 1, "at": 816629112, "note": "y", "tags": ["u"] }]"#,
        ["error schema-field-removed 11:23 /0/name missing \"name\" in 1 of 1 element"]
      ),
      (
        #"[{ "id": "1", "name": null, "at": 816629112, "note": "y", "tags": ["u"] }]"#,
        [
          "error schema-type-changed 13:29 /0/id found string \"1\", expected integer, in 1 of 1 element",
          "error schema-nullability-changed 14:31 /0/name found null, expected string, in 1 of 1 element",
        ]
      ),
      (
        #"[{ "id": 1, "name": "b", "at": 1794936312, "note": "y", "tags": ["u"], "kind": "huge", "day": 7 }, { "id": 1, "name": "b", "day": "7 May" }]"#,
        [
          "warning schema-magnitude-changed 17:31 /0/at 1794936312 reads as 2057-11-17 since 2001, later than +1y; since 1970 it would be 2026-11-17, in 1 of 1 element",
          "warning schema-enum-widened 15:31 /0/kind found \"huge\", expected one of \"big\", \"small\", in 1 of 1 element",
          "warning schema-format-changed 16:32 /1/day found \"7 May\", expected a date such as 2024-01-31, in 1 of 2 elements",
        ]
      ),
      (
        #"[{ "id": 1, "name": "b", "at": 816629112, "note": null, "tags": "u", "new": true }]"#,
        [
          "note schema-field-added 8:16 /0/new the contract does not know \"new\", in 1 of 1 element",
          "error schema-nullability-changed 8:65 /0/note found null, expected string, in 1 of 1 element",
          "error schema-type-changed 8:78 /0/tags found string, expected array, in 1 of 1 element",
        ]
      ),
      (
        #"[{ "id": 1, "name": "b", "at": 816629112 }]"#,
        [
          "error schema-field-removed 8:65 /0/note missing \"note\", which the example has, in 1 of 1 element",
          "error schema-field-removed 8:78 /0/tags missing \"tags\", which the example has, in 1 of 1 element",
        ]
      ),
      (
        "[]",
        ["warning array-emptied 8:15  found an empty array, expected elements as in the example"]
      ),
      (
        #"[{ "id": 1,"#,
        [
          "error body-unreadable 8:15 - the body is not valid JSON: at 1:12 found the end of the text, expected more of the object opened at 1:2"
        ]
      ),
      ("", ["error body-unreadable 8:15 - no body, expected JSON"]),
    ])
  func changes(body: String, expected: [String]) throws {
    let lines = try lines(body)
    #expect(lines == expected)
  }

  @Test("elements that changed in the same way are one finding")
  func elements() throws {
    let element = #"{ "id": 1, "name": null, "at": 816629112, "note": "x", "tags": ["t"] }"#
    let body = "[\(Array(repeating: element, count: 30).joined(separator: ","))]"
    let found = try lines(body)
    #expect(
      found == [
        "error schema-nullability-changed 14:31 /0/name found null, expected string, in 30 of 30 elements"
      ])
  }

  @Test("a status of another class is reported alone, and one of the same class with the rest")
  func status() throws {
    let missing = try lines("{}", status: 404, headers: [:])
    #expect(missing == ["error status 6:17 - found status 404, expected 200"])
    let created = try lines("{}", status: 201)
    #expect(
      created == [
        "error status 6:17 - found status 201, expected 200",
        "error schema-type-changed 8:15  found object, expected array",
      ])
  }

  @Test("headers are compared by what stays the same of them")
  func headers() throws {
    let body = #"[{ "id": 1, "name": "a", "at": 816629112, "note": "x", "tags": ["t"] }]"#
    let found = try lines(
      body,
      headers: [
        "Content-Type": "text/html", "X-Kind": "other", "Sunset": "Sat, 1 Jan 2028 00:00:00 GMT",
        "Date": "now",
      ])
    #expect(
      found == [
        "warning header-changed 7:36 - found Content-Type \"text/html\", expected \"application/json\"",
        "warning header-changed 7:66 - found X-Kind \"other\", expected \"thing\"",
        "warning header-removed 7:83 - no header ETag, expected \"\\\"1\\\"\"",
        "note header-added 7:18 - Sunset \"Sat, 1 Jan 2028 00:00:00 GMT\" announces a change",
      ])
  }

  @Test("a response that is too slow is reported")
  func latency() throws {
    let body = #"[{ "id": 1, "name": "a", "at": 816629112, "note": "x", "tags": ["t"] }]"#
    let found = try lines(body, latency: .milliseconds(1500))
    #expect(
      found == [
        "warning performance 21:28 - found a response after 1500 ms, expected one within 1000 ms"
      ])
  }

  private struct Named: Decodable {
    let name: String
  }

  @Test("the readers of a change decide its severity", arguments: [true, false])
  func readers(isContent: Bool) throws {
    let body = #"[{ "id": "1", "name": null, "at": 816629112, "note": "x", "tags": ["t"] }]"#
    let reader = try ConsumerReads(
      "things.list", decoding: [Named].self, of: body, isContent: isContent)
    let found = try lines(body, readers: [reader])
    #expect(
      found == [
        "note schema-type-changed 13:29 /0/id found string \"1\", expected integer, in 1 of 1 element",
        "\(isContent ? "warning" : "error") schema-nullability-changed 14:31 /0/name found null, expected string, in 1 of 1 element, read by things.list",
      ])
  }

  @Test("a reader whose reads are unknown may read everything")
  func unknownReader() throws {
    let body = #"[{ "id": "1", "name": "a", "at": 816629112, "note": "x", "tags": ["t"] }]"#
    let reader = ConsumerReads("things.raw", paths: nil, headers: nil, isContent: true)
    let found = try lines(body, readers: [reader])
    #expect(
      found == [
        "warning schema-type-changed 13:29 /0/id found string \"1\", expected integer, in 1 of 1 element"
      ])
  }

  @Test("intermittent changes are reported with their frequency, and changing values are not")
  func again() throws {
    let stage = try Stage(Self.list)
    func response(_ id: String, kind: String?) -> LiveResponse {
      var headers = Self.headers
      headers["X-KIND"] = kind
      return LiveResponse(
        #"[{ "id": \#(id), "name": "a", "at": 816629112, "note": "x", "tags": ["t"] }]"#,
        headers: headers)
    }
    let (odd, even) = (response("true", kind: "odd"), response("false", kind: "even"))
    let good = response("1", kind: "thing")
    let typed =
      "error schema-type-changed 13:29 /0/id found true, expected integer, in 1 of 1 element"
    let one = try stage.findings(odd, again: good)
    #expect(one.map(\.line) == ["\(typed) (intermittent: in 1 of 2 responses)"])
    #expect(one.map(\.frequency) == [Finding.Frequency(1, of: 2)])
    let other = try stage.lines(good, again: odd)
    #expect(other == ["\(typed) (intermittent: in 1 of 2 responses)"])
    let both = try stage.lines(odd, again: even)
    #expect(both == [typed])
    let same = try stage.lines(odd, again: odd)
    #expect(
      same == ["warning header-changed 7:66 - found X-Kind \"odd\", expected \"thing\"", typed])
    let gone = try stage.lines(good, again: response("1", kind: nil))
    #expect(
      gone == [
        "error header-removed 7:66 - no header X-Kind, expected \"thing\" (intermittent: in 1"
          + " of 2 responses)"
      ])
  }

  @Test("the keys of an object that is a map are data")
  func maps() throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "breeds": { "hound": ["afghan"], "pug": [] } },
      "schema": { "properties": { "breeds": { "additionalProperties": { "type": "array" } } } }
      """#)
    #expect(try stage.lines(LiveResponse(#"{ "breeds": { "cat": ["siam"] } }"#)).isEmpty)
    let broken = try stage.lines(LiveResponse(#"{ "breeds": { "cat": 1, "cow": 2 } }"#))
    #expect(
      broken == [
        "error schema-type-changed 7:75 /breeds/cat found number 1, expected array, in 2 of 2 elements"
      ])
  }

  @Test("a schema by reference is followed, and one that refers to itself ends")
  func references() throws {
    let stage = try Stage(
      #"""
      "status": 200, "body": { "next": { "next": null } },
      "schema": {
        "$ref": "#/$defs/node",
        "$defs": { "node": {
          "type": ["object", "null"], "properties": { "next": { "$ref": "#/$defs/node" }, "tag": {} }
        } }
      }
      """#)
    #expect(try stage.lines(LiveResponse(#"{ "next": { "next": { "tag": 1 } } }"#)).isEmpty)
    let broken = try stage.lines(LiveResponse(#"{ "next": { "next": 7 } }"#))
    #expect(
      broken == [
        "error schema-type-changed 10:13 /next/next found number 7, expected object or null"
      ]
    )
  }

  @Test("bytes and pages must be present, plain text must be equal")
  func texts() throws {
    let page = try Stage(
      #""status": 200, "headers": { "Content-Type": "text/html" }, "text": "<p>""#)
    #expect(try page.lines(LiveResponse("<b>", headers: ["Content-Type": "text/html"])).isEmpty)
    let empty = try page.lines(LiveResponse("", headers: ["Content-Type": "image/png"]))
    #expect(
      empty == [
        "warning header-changed 6:51 - found Content-Type \"image/png\", expected \"text/html\"",
        "error body-unreadable 6:74 - no body, expected one like the 3 bytes in the contract",
      ])
    let text = try Stage(
      #""status": 200, "headers": { "Content-Type": "text/plain" }, "text": "pong""#)
    let plain = ["Content-Type": "text/plain"]
    let (ping, other) = (LiveResponse("ping", headers: plain), LiveResponse("peng", headers: plain))
    let changed = try text.lines(ping, again: ping)
    #expect(changed == ["warning schema-violated 6:75 - found a different text than expected"])
    #expect(try text.lines(ping, again: other).isEmpty)
  }

  @Test("a secret is not shown")
  func secrets() throws {
    let stage = try Stage(
      #"""
      "status": 200, "headers": { "X-Kind": "a" }, "body": { "token": "t", "secret": ["s"] },
      "schema": { "properties": { "token": { "maxLength": 3 } } }
      """#)
    let response = LiveResponse(
      #"{ "token": "hush", "secret": [["hush"]] }"#, headers: ["X-Kind": "a"])
    let findings = try stage.findings(response)
    #expect(findings.map(\.type) == [.schemaViolated, .schemaTypeChanged])
    for finding in findings {
      #expect(!"\(finding.message) \(finding.diff)".contains("hush"))
    }
  }

  @Test("a body as deep as JSON may be is compared to its end")
  func depth() throws {
    func nested(_ value: String) -> String {
      String(repeating: "[", count: 500) + value + String(repeating: "]", count: 500)
    }
    let stage = try Stage("\"status\": 200, \"body\": \(nested("1"))")
    let findings = try stage.findings(LiveResponse(nested("\"a\"")))
    #expect(findings.map(\.type) == [.schemaTypeChanged])
    #expect(findings.first?.path?.tokens.count == 500)
  }

  @Test("reports all members added to an object together, and can apply them")
  func additions() throws {
    let stage = try Stage(#""status": 200, "body": { "a": 1 }"#)
    let names = (0..<10).map { "n\($0)" }
    let members = names.map { #""\#($0)": 1"# }.joined(separator: ", ")
    let response = LiveResponse("{ \"a\": 2, \(members) }")
    let findings = try stage.findings(response)
    #expect(
      findings.map(\.message) == [
        "10 members are not in the contract: n0, n1, n2, n3, n4, n5, n6, n7, …"
      ])
    #expect(findings.first?.path == [])
    let (patched, reasons) = try stage.updated(["ok": response])
    #expect(reasons == [])
    #expect(patched.member("body") == "{\"a\":2,\(members.replacing(" ", with: ""))}")
  }

  @Test("however much an upstream sends, its report is short")
  func length() throws {
    let stage = try Stage(#""status": 200, "headers": { "X-Kind": "a" }, "body": { "a": "b" }"#)
    let long = String(repeating: "x\u{301}", count: 100_000)
    let names = (0..<1000).map { #""\#(long.prefix($0 == 0 ? 100_000 : 1))\#($0)": "\#($0)""# }
    let findings = try stage.findings(
      LiveResponse("{ \(names.joined(separator: ", ")) }", headers: ["X-Kind": long]))
    #expect(findings.count == 3)
    #expect(findings.allSatisfy { $0.message.utf8.count < 2000 })
    #expect(
      findings.dropLast().last?.message.hasPrefix(
        "1000 members are not in the contract: ") == true)
  }

  @Test("no bytes crash it, and none count as the body", arguments: 0..<20)
  func noise(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let stage = try Stage(Self.list)
    var bytes = Array(
      #"[{ "id": 1, "name": "b", "at": 816629112, "note": "y", "tags": ["u"] }]"#.utf8)
    for _ in 0...dice.pick([0, 1, 5]) {
      bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
    }
    let response = LiveResponse(
      status: 200, headers: [HeaderField(name: "Content-Type", value: "application/json")],
      body: bytes, latency: .zero)
    let types = try stage.findings(response, again: response).map(\.type)
    let isJSON = (try? JSONDocument(parsing: bytes)) != nil
    #expect(types.contains(.bodyUnreadable) == !isJSON)
  }

  @Test(
    "a response of the same shape is not a difference, in any order of its members",
    arguments: 0..<40)
  func sameShape(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (example, shuffled) = Self.json(depth: 4, &dice)
    let stage = try Stage("\"status\": 200, \"body\": { \"value\": \(example) }")
    let found = try stage.lines(LiveResponse("{ \"value\": \(shuffled) }"))
    #expect(found.isEmpty, "\(example)\n\(shuffled)")
  }

  /// A value, and one of the same shape.
  private static func json(depth: Int, _ dice: inout Dice) -> (String, String) {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &dice) {
    case 0: return ("null", "null")
    case 1: return ("true", "false")
    case 2: return ("1", "-2.5e3")
    case 3: return ("\"a\"", "\"\\u00e9 b\"")
    case 4:
      let elements = (0..<dice.pick([0, 1, 3])).map { _ in json(depth: depth - 1, &dice) }
      return (
        "[\(elements.map(\.0).joined(separator: ","))]",
        "[\(elements.map(\.1).shuffled(using: &dice).joined(separator: ","))]"
      )
    default:
      let names = ["a", "b/c", "d~", "é", "", "*"].shuffled(using: &dice).prefix(
        dice.pick([0, 2, 5]))
      let members = names.map { name in
        let value = json(depth: depth - 1, &dice)
        return ("\"\(name)\": \(value.0)", "\"\(name)\": \(value.1)")
      }
      return (
        "{ \(members.map(\.0).joined(separator: ", ")) }",
        "{ \(members.map(\.1).shuffled(using: &dice).joined(separator: ", ")) }"
      )
    }
  }
}
