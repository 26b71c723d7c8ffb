import Testing
import UnderstudyJSON
import UnderstudySchema

/// What the official suite holds in full, in a few examples of each kind that need no files.
@Suite struct ValidityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let valid: [String]
    let invalid: [String]

    var testDescription: String { schema }
  }

  @Test(
    "distinguishes valid from invalid",
    arguments: [
      Case(
        schema: #"{"type": "integer"}"#, valid: ["1", "1.0", "1e2", "-0", "123456789012345678901"],
        invalid: ["1.5", "1e-1", #""1""#]),
      Case(
        schema: #"{"enum": [[], {"a": 1, "b": [2]}, "\u00e9"]}"#,
        valid: ["[]", #"{"b": [2.0], "a": 10e-1}"#, #""é""#], invalid: ["[[]]", #"{"a": 1}"#]),
      Case(
        schema: #"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, "x", {"a": null, "b": 1}]}"#,
        valid: ["9.0", "10e-1", #""x""#, #"{"b": 1, "a": null}"#], invalid: ["10", #""y""#, "{}"]),
      Case(
        schema: #"{"minimum": 18446744073709551616, "maximum": 1e400}"#,
        valid: ["18446744073709551616", "1e400"], invalid: ["18446744073709551615", "1.1e400"]),
      Case(
        schema: #"{"minLength": 2, "maxLength": 3}"#,
        valid: [#""ab""#, #""\u00e9\ud83d\udc4d""#, #""👍👍👍""#, "1"],
        invalid: [#""a""#, #""abcd""#, #""\ud83d\udc4d""#]),
      Case(
        schema: #"{"uniqueItems": true}"#,
        valid: [
          #"[1, "1", true, [1], {"a": 1}]"#, #"[1, 2, 3, 4, 5, 6, 7, 8, 9, "9", [9], [[9]]]"#,
        ],
        invalid: ["[1, 1.0]", #"[1, 2, 3, 4, 5, 6, 7, 8, {"a": 9, "b": 9}, {"b": 9, "a": 9}]"#]),
      Case(
        schema: #"{"required": ["a", "b"], "additionalProperties": {"type": "null"}}"#,
        valid: [#"{"b": null, "a": null}"#, "1"], invalid: [#"{"a": null}"#, #"{"a": 1, "b": 1}"#]),
      Case(
        schema: ##"{"items": {"$ref": "#/$defs/a~1b%22"}, "$defs": {"a/b\"": {"type": "null"}}}"##,
        valid: ["[null]"], invalid: ["[1]"]),
      Case(
        schema: ##"{"properties": {"next": {"$ref": "#"}}, "required": ["id"]}"##,
        valid: [#"{"id": 1, "next": {"id": 2}}"#], invalid: [#"{"id": 1, "next": {}}"#]),
      Case(
        schema: ##"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"##,
        valid: ["true", #"{"type": ["string", "null"], "items": {"minimum": 1}}"#],
        invalid: ["1", #"{"type": "text"}"#, #"{"items": {"minimum": "1"}}"#]),
      Case(
        schema: ##"""
          {"$id": "http://a/strict", "$dynamicAnchor": "node", "$ref": "tree",
           "unevaluatedProperties": false,
           "$defs": {"tree": {"$id": "tree", "$dynamicAnchor": "node", "properties": {
             "data": true, "children": {"items": {"$dynamicRef": "#node"}}}}}}
          """##,
        valid: [#"{"children": [{"data": 1}]}"#], invalid: [#"{"children": [{"daat": 1}]}"#]),
      Case(
        schema: ##"""
          {"anyOf": [{"properties": {"a": true}, "required": ["a"]},
                     {"properties": {"b": true}, "required": ["b"]}],
           "if": {"required": ["c"], "properties": {"c": true}},
           "unevaluatedProperties": {"type": "null"}}
          """##,
        valid: [#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, #"{"a": 1, "c": 3}"#, #"{"a": 1, "d": null}"#],
        invalid: [#"{"a": 1, "d": 4}"#, "{}"]),
      Case(
        schema: #"{"contains": {"type": "null"}, "unevaluatedItems": {"type": "integer"}}"#,
        valid: ["[null]", "[1, null, 2]"], invalid: ["[]", "[1]", #"[null, "a"]"#]),
    ])
  func validity(_ example: Case) throws {
    let schema = try compiled(example.schema)
    for instance in example.valid {
      #expect(try schema.accepts(value(instance)), "\(instance)")
      #expect(try schema.complaints(about: value(instance)) == [], "\(instance)")
    }
    for instance in example.invalid {
      #expect(try !schema.accepts(value(instance)), "\(instance)")
      #expect(try !schema.complaints(about: value(instance)).isEmpty, "\(instance)")
    }
  }

  @Test("leaves formats alone when asked to")
  func formats() throws {
    let schema = try value(#"{"format": "date"}"#)
    var options = Schema.Options()
    #expect(try !Schema(compiling: schema, options: options).accepts(value(#""x""#)))
    options.assertFormats = false
    #expect(try Schema(compiling: schema, options: options).accepts(value(#""x""#)))
  }

  @Test(
    "has every meta-schema, valid by the standard one",
    arguments: [
      "schema", "meta/core", "meta/applicator", "meta/unevaluated", "meta/validation",
      "meta/meta-data", "meta/format-annotation", "meta/format-assertion", "meta/content",
    ])
  func metaSchemas(name: String) throws {
    let uri = "https://json-schema.org/draft/2020-12/\(name)"
    let schema = try compiled("{\"$ref\": \"\(uri)\"}")
    #expect(try schema.accepts(value("{}")))
    #expect(try schema.complaints(about: value("1")).map(\.instancePointer) == [[]])
  }

  @Test("asks for each document once, and finds the references within it")
  func documents() throws {
    let documents = [
      "http://a/one.json": #"{"items": {"$ref": "two.json#/$defs/x"}, "minItems": 1}"#,
      "http://a/two.json":
        ##"{"$defs": {"x": {"$ref": "#y"}, "y": {"$anchor": "y", "const": 1}}}"##,
    ]
    var asked: [String] = []
    let schema = try Schema(
      compiling: value(#"{"$id": "http://a/", "$ref": "one.json", "not": {"$ref": "two.json"}}"#)
    ) { uri in
      asked.append(uri)
      return documents[uri].flatMap { try? value($0) }
    }
    #expect(asked == ["http://a/one.json", "http://a/two.json"])
    #expect(try !schema.accepts(value("[1]")))
    let other = try Schema(compiling: value(#"{"$ref": "http://a/one.json"}"#)) { uri in
      documents[uri].flatMap { try? value($0) }
    }
    #expect(try other.accepts(value("[1]")))
    #expect(
      try other.complaints(about: value("[2]")).map {
        "\($0.schemaPlace.document) \($0.schemaPlace.position) \($0.message)"
      } == ["http://a/two.json 1:64 found 2, expected 1"])
  }
}
