import Testing

/// A way in which the live API has changed, and all that is to be found.
struct NamedDrift: Sendable, CustomTestStringConvertible {
  let name: String
  /// The members of the case that the live API plays.
  let played: String
  /// What is to be found in the answer: severity, type and path, in any order.
  let found: [String]
  /// Whether the consumer can no longer make a thing of it.
  let breaks: Bool
  /// What is another text in the contract.
  let contract: (String, String)?

  var testDescription: String { name }

  /// An answer of which only these texts are others.
  init(
    _ name: String, _ edits: [(String, String)], headers: String = DriftProof.headers,
    status: Int = 200, more: String = "", contract: (String, String)? = nil, _ found: [String],
    breaks: Bool = false
  ) {
    var body = DriftProof.body
    for (old, new) in edits {
      precondition(body.contains(old), "\(name): no \(old) in the body")
      body = body.replacing(old, with: new)
    }
    self.init(
      name,
      playing: #""status": \#(status), "headers": { \#(headers) }, "body": \#(body)\#(more)"#,
      contract: contract, found, breaks: breaks)
  }

  init(
    _ name: String, playing played: String, contract: (String, String)? = nil, _ found: [String],
    breaks: Bool = false
  ) {
    self.name = name
    self.played = played
    self.contract = contract
    self.found = found
    self.breaks = breaks
  }

  static let ofHeads: [NamedDrift] = [
    NamedDrift("gone", playing: #""status": 410, "text": "gone""#, ["ERR STATUS -"], breaks: true),
    NamedDrift("no longer found", [], status: 404, ["ERR STATUS -"], breaks: true),
    NamedDrift("created", [], status: 201, ["ERR STATUS -"], breaks: true),
    NamedDrift(
      "nothing to say", playing: #""status": 204"#,
      ["ERR STATUS -", "INFO HEADER_REMOVED -", "INFO HEADER_REMOVED -", "INFO HEADER_REMOVED -"],
      breaks: true),
    NamedDrift(
      "moved to where nothing is",
      playing: #""status": 301, "headers": { "Location": "/joke/things" }"#,
      ["ERR STATUS -", "INFO REDIRECT -"], breaks: true),
    NamedDrift(
      "moved in a circle", playing: #""status": 301, "headers": { "Location": "/joke/thing" }"#,
      ["ERR STATUS -", "INFO REDIRECT -"], breaks: true),
    NamedDrift(
      "header gone", [], headers: #""Content-Type": "application/json", "ETag": "\"2\"""#,
      ["INFO HEADER_REMOVED -"]),
    NamedDrift(
      "two headers gone", [], headers: #""Content-Type": "application/json""#,
      ["INFO HEADER_REMOVED -", "INFO HEADER_REMOVED -"]),
    NamedDrift(
      "header changed", [],
      headers: #""Content-Type": "application/json", "X-Kind": "other", "ETag": "\"2\"""#,
      ["INFO HEADER_CHANGED -"]),
    NamedDrift(
      "another type of content", [],
      headers: #""Content-Type": "text/html", "X-Kind": "thing", "ETag": "\"2\"""#,
      ["INFO HEADER_CHANGED -"]),
    NamedDrift(
      "sunset announced", [],
      headers: DriftProof.headers + #", "Sunset": "Sat, 1 Jan 2028 00:00:00 GMT""#,
      ["INFO HEADER_ADDED -"]),
    NamedDrift(
      "deprecated", [], headers: DriftProof.headers + #", "Deprecation": "true""#,
      ["INFO HEADER_ADDED -"]),
    NamedDrift(
      "slow", [], more: #", "delay": { "fixed": "20ms" }"#, contract: ("60s", "1ms"),
      ["WARN PERFORMANCE -"]),
    NamedDrift(
      "page instead of JSON",
      playing: #"""
        "status": 200, "headers": { "Content-Type": "text/html", "X-Kind": "thing", "ETag": "1" },
        "text": "<html>We are moving</html>"
        """#, ["ERR BODY_UNREADABLE -", "INFO HEADER_CHANGED -"], breaks: true),
    NamedDrift(
      "cut JSON",
      playing: #""status": 200, "headers": { \#(DriftProof.headers) }, "text": "{ \"id\": 8,""#,
      ["ERR BODY_UNREADABLE -"], breaks: true),
    NamedDrift(
      "no body", playing: #""status": 200, "headers": { \#(DriftProof.headers) }"#,
      ["ERR BODY_UNREADABLE -"], breaks: true),
  ]

  static let ofBodies: [NamedDrift] = [
    NamedDrift(
      "too long", [("chair", "a chair that has five legs")],
      ["WARN SCHEMA_VIOLATED /name"]),
    NamedDrift("too heavy, unread", [("2.5", "1000")], ["INFO SCHEMA_VIOLATED /weight"]),
    NamedDrift(
      "field added", [(#""id": 8,"#, #""id": 8, "colour": "red","#)],
      ["INFO SCHEMA_FIELD_ADDED /colour"]),
    NamedDrift(
      "field added in an array", [(#""sku": "p2","#, #""sku": "p2", "colour": "red","#)],
      ["INFO SCHEMA_FIELD_ADDED /parts/0/colour"]),
    NamedDrift(
      "field added in a map", [(#""cents": 120,"#, #""cents": 120, "tax": 20,"#)],
      ["INFO SCHEMA_FIELD_ADDED /prices/usd/tax"]),
    NamedDrift(
      "field gone", [(#""name": "chair", "#, "")],
      ["ERR SCHEMA_FIELD_REMOVED /name"], breaks: true),
    NamedDrift(
      "field gone, unread", [(#""note": "y", "#, "")],
      ["INFO SCHEMA_FIELD_REMOVED /note"]),
    NamedDrift(
      "field gone that may be missing, and that the consumer does without",
      [(#""day": "2026-11-02","#, "")],
      ["INFO SCHEMA_FIELD_REMOVED /day"]),
    NamedDrift(
      "field gone in an element", [(#""sku": "p3", "#, "")],
      ["ERR SCHEMA_FIELD_REMOVED /parts/1/sku"], breaks: true),
    NamedDrift(
      "field gone in all elements, unread",
      [(#", "label": "big""#, ""), (#", "label": "flat""#, "")],
      ["INFO SCHEMA_FIELD_REMOVED /parts/0/label"]),
    NamedDrift(
      "field gone in a map", [(#""cents": 120, "#, "")],
      ["ERR SCHEMA_FIELD_REMOVED /prices/usd/cents"], breaks: true),
    NamedDrift(
      "field gone in an object, unread", [(#""city": "Linz", "#, "")],
      ["INFO SCHEMA_FIELD_REMOVED /maker/city"]),
    NamedDrift(
      "number as text", [(#""id": 8"#, #""id": "8""#)],
      ["ERR SCHEMA_TYPE_CHANGED /id"], breaks: true),
    NamedDrift(
      "text as number, unread", [(#""note": "y""#, #""note": 5"#)],
      ["INFO SCHEMA_TYPE_CHANGED /note"]),
    NamedDrift(
      "number as text in an element", [(#""size": 4"#, #""size": "4""#)],
      ["ERR SCHEMA_TYPE_CHANGED /parts/0/size"], breaks: true),
    NamedDrift(
      "map of numbers", [(#"{ "cents": 120, "text": "$1.20" }"#, "120")],
      ["ERR SCHEMA_TYPE_CHANGED /prices/usd"], breaks: true),
    NamedDrift(
      "object as array, unread", [(#"{ "city": "Linz", "sites": ["east"] }"#, #"["Linz"]"#)],
      ["INFO SCHEMA_TYPE_CHANGED /maker"]),
    NamedDrift(
      "whole body in an array",
      playing:
        #""status": 200, "headers": { \#(DriftProof.headers) }, "body": [\#(DriftProof.body)]"#,
      ["ERR SCHEMA_TYPE_CHANGED (all)"], breaks: true),
    NamedDrift(
      "null", [(#""chair""#, "null")],
      ["ERR SCHEMA_NULLABILITY_CHANGED /name"], breaks: true),
    NamedDrift(
      "null, unread", [(#""note": "y""#, #""note": null"#)],
      ["INFO SCHEMA_NULLABILITY_CHANGED /note"]),
    NamedDrift(
      "null that the consumer bears", [(#""2026-11-02""#, "null")],
      ["WARN SCHEMA_NULLABILITY_CHANGED /day"]),
    NamedDrift(
      "null in an element", [(#""size": 5"#, #""size": null"#)],
      ["ERR SCHEMA_NULLABILITY_CHANGED /parts/1/size"], breaks: true),
    NamedDrift(
      "another state", [(#""used""#, #""broken""#)],
      ["WARN SCHEMA_ENUM_WIDENED /state"]),
    NamedDrift(
      "another grade that the consumer does not know", [(#""b""#, #""c""#)],
      ["ERR SCHEMA_ENUM_WIDENED /grade"], breaks: true),
    NamedDrift(
      "another format", [(#""2026-11-02""#, #""2 Nov 2026""#)],
      ["WARN SCHEMA_FORMAT_CHANGED /day"]),
    NamedDrift(
      "another format, unread", [("T11:00:00Z", " 11:00")],
      ["INFO SCHEMA_FORMAT_CHANGED /seen"]),
    NamedDrift(
      "since 1970", [("816000000", "1794307200")],
      ["WARN SCHEMA_MAGNITUDE_CHANGED /at"]),
    NamedDrift(
      "since 1970, unread", [("816000001", "1794307201")],
      ["INFO SCHEMA_MAGNITUDE_CHANGED /made"]),
    NamedDrift("none left", [(#"["blue", "old"]"#, "[]")], ["WARN ARRAY_EMPTIED /tags"]),
    NamedDrift("none left, unread", [(#"["east"]"#, "[]")], ["INFO ARRAY_EMPTIED /maker/sites"]),
    NamedDrift("only the consumer minds", [("chair", "")], [], breaks: true),
  ]

  static let ofSeveral: [NamedDrift] = [
    NamedDrift(
      "header, type and fields",
      [(#""id": 8,"#, #""id": "8", "colour": "red","#), (#""note": "y", "#, "")],
      headers: #""Content-Type": "application/json", "X-Kind": "other", "ETag": "\"2\"""#,
      [
        "INFO HEADER_CHANGED -", "ERR SCHEMA_TYPE_CHANGED /id", "INFO SCHEMA_FIELD_ADDED /colour",
        "INFO SCHEMA_FIELD_REMOVED /note",
      ], breaks: true),
    NamedDrift(
      "status, header and null", [(#""chair""#, "null")],
      headers: DriftProof.headers + #", "Warning": "299 - \"old\"""#, status: 203,
      ["ERR STATUS -", "INFO HEADER_ADDED -", "ERR SCHEMA_NULLABILITY_CHANGED /name"],
      breaks: true),
    NamedDrift(
      "three in one array",
      [
        (#""size": 4"#, #""size": "4", "colour": "red""#), (#", "label": "big""#, ""),
        (#", "label": "flat""#, ""),
      ],
      [
        "ERR SCHEMA_TYPE_CHANGED /parts/0/size", "INFO SCHEMA_FIELD_ADDED /parts/0/colour",
        "INFO SCHEMA_FIELD_REMOVED /parts/0/label",
      ], breaks: true),
    NamedDrift(
      "much that nobody stumbles over",
      [
        (#""used""#, #""broken""#), ("816000000", "1794307200"), (#"["blue", "old"]"#, "[]"),
        (#""2026-11-02""#, #""2 Nov""#),
      ],
      [
        "WARN SCHEMA_ENUM_WIDENED /state", "WARN SCHEMA_MAGNITUDE_CHANGED /at",
        "WARN ARRAY_EMPTIED /tags", "WARN SCHEMA_FORMAT_CHANGED /day",
      ]),
    NamedDrift(
      "read and unread beside each other",
      [(#""id": 8"#, #""id": null"#), ("816000001", "1794307201"), ("2.5", "1000")],
      [
        "ERR SCHEMA_NULLABILITY_CHANGED /id", "INFO SCHEMA_MAGNITUDE_CHANGED /made",
        "INFO SCHEMA_VIOLATED /weight",
      ], breaks: true),
    NamedDrift(
      "slow and emptied", [(#"["east"]"#, "[]")], more: #", "delay": { "fixed": "20ms" }"#,
      contract: ("60s", "1ms"), ["WARN PERFORMANCE -", "INFO ARRAY_EMPTIED /maker/sites"]),
  ]
}
