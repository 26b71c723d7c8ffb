import Testing

/// A way in which the live API has changed, and all that is to be found.
struct NamedDrift: Sendable, CustomTestStringConvertible {
  let name: String
  /// The members of the case that the live API serves.
  let served: String
  /// What is to be found in the response: severity, type and path, in any order.
  let found: [String]
  /// Whether the consumer can no longer make a thing of it.
  let breaks: Bool
  /// What is another text in the contract.
  let contract: (String, String)?

  var testDescription: String { name }

  /// A response of which only these texts are others.
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
      serving: #""status": \#(status), "headers": { \#(headers) }, "body": \#(body)\#(more)"#,
      contract: contract, found, breaks: breaks)
  }

  init(
    _ name: String, serving served: String, contract: (String, String)? = nil, _ found: [String],
    breaks: Bool = false
  ) {
    self.name = name
    self.served = served
    self.contract = contract
    self.found = found
    self.breaks = breaks
  }

  static let ofHeads: [NamedDrift] = [
    NamedDrift(
      "gone", serving: #""status": 410, "text": "gone""#, ["error status -"], breaks: true),
    NamedDrift("no longer found", [], status: 404, ["error status -"], breaks: true),
    NamedDrift("created", [], status: 201, ["error status -"], breaks: true),
    NamedDrift(
      "nothing to say", serving: #""status": 204"#,
      [
        "error status -", "note header-removed -", "note header-removed -", "note header-removed -",
      ],
      breaks: true),
    NamedDrift(
      "moved to where nothing is",
      serving: #""status": 301, "headers": { "Location": "/joke/things" }"#,
      ["error status -", "note redirect -"], breaks: true),
    NamedDrift(
      "moved in a circle", serving: #""status": 301, "headers": { "Location": "/joke/thing" }"#,
      ["error status -", "note redirect -"], breaks: true),
    NamedDrift(
      "header gone", [], headers: #""Content-Type": "application/json", "ETag": "\"2\"""#,
      ["note header-removed -"]),
    NamedDrift(
      "two headers gone", [], headers: #""Content-Type": "application/json""#,
      ["note header-removed -", "note header-removed -"]),
    NamedDrift(
      "header changed", [],
      headers: #""Content-Type": "application/json", "X-Kind": "other", "ETag": "\"2\"""#,
      ["note header-changed -"]),
    NamedDrift(
      "another type of content", [],
      headers: #""Content-Type": "text/html", "X-Kind": "thing", "ETag": "\"2\"""#,
      ["note header-changed -"]),
    NamedDrift(
      "sunset announced", [],
      headers: DriftProof.headers + #", "Sunset": "Sat, 1 Jan 2028 00:00:00 GMT""#,
      ["note header-added -"]),
    NamedDrift(
      "deprecated", [], headers: DriftProof.headers + #", "Deprecation": "true""#,
      ["note header-added -"]),
    NamedDrift(
      "slow", [], more: #", "delay": { "fixed": "20ms" }"#, contract: ("60s", "1ms"),
      ["warning performance -"]),
    NamedDrift(
      "page instead of JSON",
      serving: #"""
        "status": 200, "headers": { "Content-Type": "text/html", "X-Kind": "thing", "ETag": "1" },
        "text": "<html>We are moving</html>"
        """#, ["error body-unreadable -", "note header-changed -"], breaks: true),
    NamedDrift(
      "cut JSON",
      serving: #""status": 200, "headers": { \#(DriftProof.headers) }, "text": "{ \"id\": 8,""#,
      ["error body-unreadable -"], breaks: true),
    NamedDrift(
      "no body", serving: #""status": 200, "headers": { \#(DriftProof.headers) }"#,
      ["error body-unreadable -"], breaks: true),
  ]

  static let ofBodies: [NamedDrift] = [
    NamedDrift(
      "too long", [("chair", "a chair that has five legs")],
      ["warning schema-violated /name"]),
    NamedDrift("too heavy, unread", [("2.5", "1000")], ["note schema-violated /weight"]),
    NamedDrift(
      "field added", [(#""id": 8,"#, #""id": 8, "colour": "red","#)],
      ["note schema-field-added /colour"]),
    NamedDrift(
      "field added in an array", [(#""sku": "p2","#, #""sku": "p2", "colour": "red","#)],
      ["note schema-field-added /parts/0/colour"]),
    NamedDrift(
      "field added in a map", [(#""cents": 120,"#, #""cents": 120, "tax": 20,"#)],
      ["note schema-field-added /prices/usd/tax"]),
    NamedDrift(
      "field gone", [(#""name": "chair", "#, "")],
      ["error schema-field-removed /name"], breaks: true),
    NamedDrift(
      "field gone, unread", [(#""note": "y", "#, "")],
      ["note schema-field-removed /note"]),
    NamedDrift(
      "field gone that may be missing, and that the consumer does without",
      [(#""day": "2026-11-02","#, "")],
      ["note schema-field-removed /day"]),
    NamedDrift(
      "field gone in an element", [(#""sku": "p3", "#, "")],
      ["error schema-field-removed /parts/1/sku"], breaks: true),
    NamedDrift(
      "field gone in all elements, unread",
      [(#", "label": "big""#, ""), (#", "label": "flat""#, "")],
      ["note schema-field-removed /parts/0/label"]),
    NamedDrift(
      "field gone in a map", [(#""cents": 120, "#, "")],
      ["error schema-field-removed /prices/usd/cents"], breaks: true),
    NamedDrift(
      "field gone in an object, unread", [(#""city": "Linz", "#, "")],
      ["note schema-field-removed /maker/city"]),
    NamedDrift(
      "number as text", [(#""id": 8"#, #""id": "8""#)],
      ["error schema-type-changed /id"], breaks: true),
    NamedDrift(
      "text as number, unread", [(#""note": "y""#, #""note": 5"#)],
      ["note schema-type-changed /note"]),
    NamedDrift(
      "number as text in an element", [(#""size": 4"#, #""size": "4""#)],
      ["error schema-type-changed /parts/0/size"], breaks: true),
    NamedDrift(
      "map of numbers", [(#"{ "cents": 120, "text": "$1.20" }"#, "120")],
      ["error schema-type-changed /prices/usd"], breaks: true),
    NamedDrift(
      "object as array, unread", [(#"{ "city": "Linz", "sites": ["east"] }"#, #"["Linz"]"#)],
      ["note schema-type-changed /maker"]),
    NamedDrift(
      "whole body in an array",
      serving:
        #""status": 200, "headers": { \#(DriftProof.headers) }, "body": [\#(DriftProof.body)]"#,
      ["error schema-type-changed (all)"], breaks: true),
    NamedDrift(
      "null", [(#""chair""#, "null")],
      ["error schema-nullability-changed /name"], breaks: true),
    NamedDrift(
      "null, unread", [(#""note": "y""#, #""note": null"#)],
      ["note schema-nullability-changed /note"]),
    NamedDrift(
      "null that the consumer bears", [(#""2026-11-02""#, "null")],
      ["warning schema-nullability-changed /day"]),
    NamedDrift(
      "null in an element", [(#""size": 5"#, #""size": null"#)],
      ["error schema-nullability-changed /parts/1/size"], breaks: true),
    NamedDrift(
      "another state", [(#""used""#, #""broken""#)],
      ["warning schema-enum-widened /state"]),
    NamedDrift(
      "another grade that the consumer does not know", [(#""b""#, #""c""#)],
      ["error schema-enum-widened /grade"], breaks: true),
    NamedDrift(
      "another format", [(#""2026-11-02""#, #""2 Nov 2026""#)],
      ["warning schema-format-changed /day"]),
    NamedDrift(
      "another format, unread", [("T11:00:00Z", " 11:00")],
      ["note schema-format-changed /seen"]),
    NamedDrift(
      "since 1970", [("816000000", "1794307200")],
      ["warning schema-magnitude-changed /at"]),
    NamedDrift(
      "since 1970, unread", [("816000001", "1794307201")],
      ["note schema-magnitude-changed /made"]),
    NamedDrift("none left", [(#"["blue", "old"]"#, "[]")], ["warning array-emptied /tags"]),
    NamedDrift("none left, unread", [(#"["east"]"#, "[]")], ["note array-emptied /maker/sites"]),
    NamedDrift("only the consumer minds", [("chair", "")], [], breaks: true),
  ]

  static let ofSeveral: [NamedDrift] = [
    NamedDrift(
      "header, type and fields",
      [(#""id": 8,"#, #""id": "8", "colour": "red","#), (#""note": "y", "#, "")],
      headers: #""Content-Type": "application/json", "X-Kind": "other", "ETag": "\"2\"""#,
      [
        "note header-changed -", "error schema-type-changed /id", "note schema-field-added /colour",
        "note schema-field-removed /note",
      ], breaks: true),
    NamedDrift(
      "status, header and null", [(#""chair""#, "null")],
      headers: DriftProof.headers + #", "Warning": "299 - \"old\"""#, status: 203,
      ["error status -", "note header-added -", "error schema-nullability-changed /name"],
      breaks: true),
    NamedDrift(
      "three in one array",
      [
        (#""size": 4"#, #""size": "4", "colour": "red""#), (#", "label": "big""#, ""),
        (#", "label": "flat""#, ""),
      ],
      [
        "error schema-type-changed /parts/0/size", "note schema-field-added /parts/0/colour",
        "note schema-field-removed /parts/0/label",
      ], breaks: true),
    NamedDrift(
      "much that nobody stumbles over",
      [
        (#""used""#, #""broken""#), ("816000000", "1794307200"), (#"["blue", "old"]"#, "[]"),
        (#""2026-11-02""#, #""2 Nov""#),
      ],
      [
        "warning schema-enum-widened /state", "warning schema-magnitude-changed /at",
        "warning array-emptied /tags", "warning schema-format-changed /day",
      ]),
    NamedDrift(
      "read and unread beside each other",
      [(#""id": 8"#, #""id": null"#), ("816000001", "1794307201"), ("2.5", "1000")],
      [
        "error schema-nullability-changed /id", "note schema-magnitude-changed /made",
        "note schema-violated /weight",
      ], breaks: true),
    NamedDrift(
      "slow and emptied", [(#"["east"]"#, "[]")], more: #", "delay": { "fixed": "20ms" }"#,
      contract: ("60s", "1ms"), ["warning performance -", "note array-emptied /maker/sites"]),
  ]
}
