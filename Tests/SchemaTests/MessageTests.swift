import Testing
import UnderstudyJSON
import UnderstudySchema

@Suite struct MessageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let instance: String
    let complaints: [String]

    init(_ schema: String, _ instance: String, _ complaints: String...) {
      self.schema = schema
      self.instance = instance
      self.complaints = complaints
    }

    var testDescription: String { schema }
  }

  static let values = [
    Case(#"{"type": "integer"}"#, #""7""#, #": found string "7", expected integer"#),
    Case(#"{"type": "integer"}"#, "1.5", ": found number 1.5, expected integer"),
    Case(
      #"{"type": ["integer", "null", "array"]}"#, "{}",
      ": found object with 0 members, expected integer, null or array"),
    Case(#"{"const": "a"}"#, #""b""#, #": found "b", expected "a""#),
    Case(#"{"const": [1]}"#, "2", ": found 2, expected array with 1 element"),
    Case(#"{"enum": ["a", "b"]}"#, #""x""#, #": found "x", expected one of "a", "b""#),
    Case(
      #"{"enum": ["red", "green"]}"#, #""gren""#,
      #": found "gren", expected one of "red", "green": did you mean "green"?"#),
    Case(
      #"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}"#, "0",
      ": found 0, expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"),
    Case(#"{"enum": [null]}"#, "true", ": found true, expected null"),
    Case(#"{"enum": []}"#, "true", #": found true, expected nothing, since "enum" is empty"#),
    Case("false", "1", ": no value is allowed here"),
  ]

  static let numbers = [
    Case(#"{"maximum": 10}"#, "12", ": found 12, expected at most 10"),
    Case(#"{"exclusiveMaximum": 10}"#, "10.0", ": found 10.0, expected less than 10"),
    Case(#"{"minimum": 1e2}"#, "12", ": found 12, expected at least 1e2"),
    Case(#"{"exclusiveMinimum": 0.1}"#, "0.1", ": found 0.1, expected more than 0.1"),
    Case(#"{"multipleOf": 0.1}"#, "0.35", ": found 0.35, expected a multiple of 0.1"),
  ]

  static let strings = [
    Case(#"{"maxLength": 2}"#, #""äöü""#, #": found "äöü" of 3 characters, expected at most 2"#),
    Case(#"{"minLength": 2}"#, #""👍""#, #": found "👍" of 1 character, expected at least 2"#),
    Case(#"{"pattern": "^a+$"}"#, #""b""#, #": found "b", expected text that matches ^a+$"#),
    Case(
      #"{"format": "date"}"#, #""2024-02-30""#,
      #": found "2024-02-30", expected a date such as 2024-01-31"#),
  ]

  static let arrays = [
    Case(#"{"maxItems": 1}"#, "[1, 2]", ": found 2 elements, expected at most 1"),
    Case(#"{"minItems": 2}"#, "[1]", ": found 1 element, expected at least 2"),
    Case(
      #"{"prefixItems": [true, true], "items": false}"#, "[1, 2, 3]",
      ": found 3 elements, expected at most 2"),
    Case(#"{"items": {"type": "null"}}"#, "[null, 1]", "/1: found number 1, expected null"),
    Case(#"{"prefixItems": [{"type": "null"}]}"#, "[1]", "/0: found number 1, expected null"),
    Case(
      #"{"uniqueItems": true}"#, #"[{"a": 1, "b": 2}, 3, {"b": 2, "a": 1.0}]"#,
      "/2: found object with 2 members again at 2, the same as at 0, expected unique elements"),
    Case(
      #"{"contains": {"type": "null"}}"#, "[1]",
      #": found no element matching "contains", expected at least 1"#),
    Case(
      #"{"contains": {"type": "null"}, "minContains": 2}"#, "[null]",
      #": found 1 element matching "contains", expected at least 2"#),
    Case(
      #"{"contains": {"type": "null"}, "maxContains": 1}"#, "[null, null]",
      #": found 2 elements matching "contains", expected at most 1"#),
    Case(
      #"{"prefixItems": [true], "unevaluatedItems": false}"#, "[1, 2]",
      "/1: element 1 is not allowed here"),
    Case(
      #"{"prefixItems": [true], "unevaluatedItems": {"type": "null"}}"#, "[1, 2]",
      "/1: found number 2, expected null"),
  ]

  static let objects = [
    Case(#"{"maxProperties": 0}"#, #"{"a": 1}"#, ": found 1 member, expected at most 0"),
    Case(#"{"minProperties": 2}"#, #"{"a": 1}"#, ": found 1 member, expected at least 2"),
    Case(
      #"{"required": ["name", "id", "url"]}"#, #"{"id": 1}"#, #": missing "name""#,
      #": missing "url""#),
    Case(
      #"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#,
      #": missing "b", which "a" requires"#),
    Case(#"{"dependencies": {"a": ["b"]}}"#, #"{"a": 1}"#, #": missing "b", which "a" requires"#),
    Case(
      #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, #"{"a": 1}"#, #": missing "b""#),
    Case(
      #"{"properties": {"a": {"type": "null"}}}"#, #"{"a": 1}"#,
      "/a: found number 1, expected null"),
    Case(#"{"properties": {"a": false}}"#, #"{"a": 1}"#, #"/a: "a" is not allowed here"#),
    Case(
      #"{"patternProperties": {"^a": {"type": "null"}}}"#, #"{"ab": 1}"#,
      "/ab: found number 1, expected null"),
    Case(
      #"{"properties": {"color": true}, "additionalProperties": false}"#, #"{"colour": 1}"#,
      #"/colour: "colour" is not allowed here: did you mean "color"?"#),
    Case(
      #"{"properties": {"color": true}, "additionalProperties": false}"#, #"{"size": 1}"#,
      #"/size: "size" is not allowed here"#),
    Case(
      #"{"additionalProperties": {"type": "null"}}"#, #"{"a": 1}"#,
      "/a: found number 1, expected null"),
    Case(
      ##"{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"properties": {"color": true}}}, "##
        + ##""unevaluatedProperties": false}"##,
      #"{"colour": 1}"#, #"/colour: "colour" is not allowed here: did you mean "color"?"#),
    Case(
      #"{"propertyNames": {"pattern": "^[a-z]+$"}}"#, #"{"a": 1, "B\n": 2}"#,
      "/B\n: in the name \"B\n\": found \"B\\n\", expected text that matches ^[a-z]+$"),
  ]

  static let combinations = [
    Case(#"{"not": {"type": "null"}}"#, "null", #": "not" rules out null"#),
    Case(
      #"{"if": {"type": "integer"}, "then": {"minimum": 5}, "else": {"type": "null"}}"#, "3",
      ": found 3, expected at least 5"),
    Case(
      #"{"if": {"type": "integer"}, "then": {"minimum": 5}, "else": {"type": "null"}}"#, "true",
      ": found true, expected null"),
    Case(
      #"{"allOf": [{"minimum": 5}, {"multipleOf": 2}]}"#, "3", ": found 3, expected at least 5",
      ": found 3, expected a multiple of 2"),
    Case(
      ##"{"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 5}}}"##, "3",
      ": found 3, expected at least 5"),
    Case(
      #"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#, #""7""#,
      #": found string "7", expected integer or null"#),
    Case(
      #"{"oneOf": [{"const": "a"}, {"const": "b"}, {"const": "c"}]}"#, #""d""#,
      #": found "d", expected "a", "b" or "c""#),
    Case(
      #"{"oneOf": [{"minimum": 1}, {"minimum": 2}, {"minimum": 9}]}"#, "5",
      ": found 5, which matches alternatives 1 and 2 of 3, expected exactly one"),
    Case(
      #"{"anyOf": [{"type": "null"}, {"type": "object", "required": ["a"]}]}"#, "{}",
      #": missing "a" (the nearest of 2 alternatives)"#),
    Case(#"{"anyOf": [false, false]}"#, "1", ": no value is allowed here"),
    Case(#"{"anyOf": [false, {"minimum": 2}]}"#, "1", ": found 1, expected at least 2"),
    Case(
      #"{"anyOf": [{"type": "object", "required": ["a"]}]}"#, "{}", #": missing "a""#),
    Case(
      #"{"oneOf": [{"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}}, "#
        + #"{"properties": {"kind": {"const": "b"}, "x": {"type": "null"}, "y": false}}]}"#,
      #"{"kind": "b", "x": 1, "y": 2}"#,
      "/x: found number 1, expected null (the nearest of 2 alternatives)",
      #"/y: "y" is not allowed here"#),
  ]

  @Test(
    "says what it found, what it expected and where",
    arguments: values + numbers + strings + arrays + objects + combinations)
  func message(_ example: Case) throws {
    #expect(try complaints(example.schema, example.instance) == example.complaints)
    #expect(try !compiled(example.schema).accepts(value(example.instance)))
  }

  @Test(
    "describes each format",
    arguments: [
      ("date-time", "a date and time such as 2024-01-31T12:00:00Z"),
      ("date", "a date such as 2024-01-31"), ("time", "a time such as 12:00:00Z"),
      ("duration", "a duration such as P1DT12H"),
      ("uri", "a URI with a scheme, such as https://example.com/"),
      ("uri-reference", "a URI or a relative reference"), ("email", "an e-mail address"),
      ("hostname", "a host name"), ("ipv4", "an IPv4 address"), ("ipv6", "an IPv6 address"),
      ("uuid", "a UUID"), ("regex", "a regular expression"),
      ("json-pointer", "a JSON pointer such as /a/0"),
    ])
  func format(name: String, expectation: String) throws {
    let found = try complaints(#"{"format": "\#(name)"}"#, #""(\\ ""#)
    #expect(found == [#": found "(\\ ", expected \#(expectation)"#])
  }

  @Test("gives the place in the instance and in the schema")
  func places() throws {
    let schema = try compiled(
      """
      {"properties": {"a": {"$ref": "#/$defs/small"}},
       "additionalProperties": false,
       "$defs": {"small": {"maximum": 1}}}
      """)
    let found = try schema.complaints(about: value("{\"a\": 2,\n \"b\": 3}"))
    #expect(
      found.map { "\($0.instancePosition) \($0.instancePointer)" } == ["1:7 /a", "2:2 /b"])
    #expect(
      found.map { "\($0.schemaPlace.position) \($0.schemaPointer) \($0.keyword)" } == [
        "3:33 /$defs/small/maximum maximum", "2:26 /additionalProperties additionalProperties",
      ])
  }

  @Test("complains once about what several references lead to")
  func once() throws {
    let schema =
      ##"{"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"maximum": 1}}}"##
    #expect(try complaints(schema, "2") == [": found 2, expected at most 1"])
  }

  @Test("treats letters that only look alike as different")
  func exactNames() throws {
    let schema = try compiled("{\"required\": [\"\u{E9}\"], \"const\": {\"\u{E9}\": 1}}")
    #expect(try schema.accepts(value("{\"\u{E9}\": 1}")))
    #expect(try !schema.accepts(value("{\"e\u{301}\": 1}")))
    let patterns = try compiled(
      "{\"prefixItems\": [{\"pattern\": \"\u{E9}\"}, {\"pattern\": \"e\u{301}\"}]}")
    #expect(try patterns.accepts(value("[\"\u{E9}\", \"e\u{301}\"]")))
    #expect(try !patterns.accepts(value("[\"\u{E9}\", \"\u{E9}\"]")))
  }
}
