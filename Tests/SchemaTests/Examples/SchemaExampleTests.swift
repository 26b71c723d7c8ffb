import Testing
import UnderstudyJSON
import UnderstudySchema

struct SchemaExampleTests {
  @Test(
    "makes a value that the schema allows",
    arguments: [
      ("true", "{}"),
      ("{}", "{}"),
      (#"{"type": "string"}"#, #""text""#),
      (#"{"type": "integer"}"#, "1"),
      (#"{"type": "number"}"#, "1.5"),
      (#"{"type": "boolean"}"#, "true"),
      (#"{"type": "null"}"#, "null"),
      (#"{"type": ["null", "integer"]}"#, "1"),
      (#"{"type": "integer", "minimum": 10, "exclusiveMaximum": 12}"#, "10"),
      (#"{"type": "integer", "minimum": 1000, "multipleOf": 7}"#, "1001"),
      (#"{"type": "number", "exclusiveMinimum": 0, "maximum": 0.2}"#, "0.1"),
      (#"{"type": "integer", "maximum": -5}"#, "-5"),
      (#"{"const": {"a": [1]}}"#, #"{"a":[1]}"#),
      (#"{"enum": [null, "b", "c"]}"#, #""b""#),
      (#"{"enum": ["a", "b", "c"], "allOf": [{"enum": ["c", "b"]}]}"#, #""b""#),
      (#"{"type": "string", "examples": ["first", "second"]}"#, #""first""#),
      (#"{"type": "string", "default": "usual"}"#, #""usual""#),
      // An example that the schema does not allow.
      (#"{"type": "integer", "examples": ["one"]}"#, "1"),
      (
        #"{"properties": {"a": {"type": "integer", "examples": ["x"]}, "b": {"examples": ["y"]}}}"#,
        #"{"a":1,"b":"y"}"#
      ),
      (#"{"type": "string", "format": "date-time"}"#, #""2026-01-01T12:00:00Z""#),
      (#"{"type": "string", "format": "uuid"}"#, #""00000000-0000-4000-8000-000000000001""#),
      (#"{"type": "string", "minLength": 10}"#, #""text-text-text-text""#),
      (#"{"type": "string", "maxLength": 2}"#, #""xt""#),
      (#"{"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$", "minLength": 6}"#, #""AB-456""#),
      (#"{"type": "array", "items": {"type": "integer"}}"#, "[1]"),
      (
        #"{"type": "array", "minItems": 2, "uniqueItems": true, "items": {"type": "integer"}}"#,
        "[1,2]"
      ),
      (#"{"type": "array", "maxItems": 0}"#, "[]"),
      (#"{"prefixItems": [{"const": 1}, {"const": 2}], "items": false}"#, "[1,2]"),
      (#"{"contains": {"const": 7}}"#, "[7]"),
      (
        #"{"type": "object", "properties": {"name": {"type": "string"}, "old": {"type": "integer"}}}"#,
        #"{"name":"name","old":1}"#
      ),
      (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"key":1}"#),
      (#"{"type": "object", "minProperties": 2}"#, #"{"key":"key","key-2":"key-2"}"#),
      (#"{"patternProperties": {"^x-[a-z]+$": {"const": 1}}}"#, #"{"x-c":1}"#),
      (
        #"{"required": ["a"], "maxProperties": 1, "properties": {"b": {"const": 1}}}"#,
        #"{"a":"a"}"#
      ),
      (
        #"{"allOf": [{"properties": {"a": {"const": 1}}}, {"required": ["b"], "properties": {"b": {"const": 2}}}]}"#,
        #"{"a":1,"b":2}"#
      ),
      (#"{"oneOf": [{"type": "null"}, {"type": "integer"}]}"#, "1"),
      (
        #"{"anyOf": [{"type": "integer", "minimum": 5}, {"type": "string"}], "type": "string"}"#,
        #""text""#
      ),
      (
        // A member that contains the whole is left out.
        ##"{"type": "object", "properties": {"next": {"$ref": "#"}, "id": {"type": "integer"}}}"##,
        #"{"id":1}"#
      ),
      (
        ##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}}"##,
        #"{"children":[]}"#
      ),
      (
        ##"""
        {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
         "x-discriminator": {"propertyName": "kind", "mapping": {"c": "#/$defs/Cat"}},
         "$defs": {"Cat": {"required": ["kind", "meows"], "properties": {"kind": {"type": "string"}, "meows": {"const": true}}},
                   "Dog": {"required": ["barks"]}}}
        """##,
        #"{"kind":"c","meows":true}"#
      ),
    ])
  func complete(schema: String, expected: String) throws {
    #expect(try example(schema) == expected)
  }

  @Test(
    "makes none where there is none, or none that can be found",
    arguments: [
      "false", #"{"type": "integer", "minimum": 2, "maximum": 1}"#,
      #"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#,
      ##"{"required": ["self"], "properties": {"self": {"$ref": "#"}}, "type": "object"}"##,
      #"{"type": "string", "pattern": "^a$", "minLength": 2}"#,
      #"{"oneOf": [{"type": "object"}, {"type": "object"}]}"#, #"{"not": {}}"#,
    ])
  func none(schema: String) throws {
    #expect(try example(schema) == nil)
  }

  @Test(
    "makes another value when asked for one",
    arguments: [
      ("complete", #"{"id":1,"tags":["tags"],"owner":{"name":"name"},"kind":"a"}"#),
      ("least", #"{"id":1}"#),
      ("null", #"{"id":1,"tags":["tags"],"owner":null,"kind":"a"}"#),
      ("sparse", #"{"id":1,"tags":[],"owner":{"name":"name"},"kind":"a"}"#),
      ("second", #"{"id":1,"tags":["tags"],"owner":{"id":1},"kind":"a"}"#),
    ])
  func choice(name: String, expected: String) throws {
    let text = #"""
      {"type": "object", "required": ["id"], "properties": {
        "id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
        "owner": {"anyOf": [{"type": "object", "properties": {"name": {"type": "string"}}},
                            {"type": "object", "properties": {"id": {"type": "integer"}}},
                            {"type": "null"}]},
        "kind": {"enum": ["a", "b"]}}}
      """#
    var choice = SchemaExample.Choice()
    switch name {
    case "least": choice.isComplete = false
    case "null": choice.isNull = true
    case "sparse": choice.isSparse = true
    case "second": choice.alternative = 1
    default: break
    }
    let root = try value(text)
    let made = try SchemaExample(root, compiled(text)).value(choice)
    #expect(made.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
  }

  @Test("ends, however a schema grows")
  func growth() throws {
    let definitions = (0..<30).map { number in
      let next = ##"{"$ref": "#/$defs/n\##(number + 1)"}"##
      return
        #""n\#(number)": {"type": "object", "properties": {"a": \#(next), "b": \#(next), "c": \#(next)}}"#
    }
    let text =
      ##"{"$ref": "#/$defs/n0", "$defs": {\##(definitions.joined(separator: ", ")), "n30": {}}}"##
    #expect(try example(text)?.utf8.count ?? 0 > 1000)
  }

  @Test("values that double are made no more often than others, all attempts together")
  func steps() throws {
    let definitions = (0..<25).map { number in
      let next = ##"{"$ref": "#/$defs/n\##(number + 1)"}"##
      return ##""n\##(number)": {"type": "array", "minItems": 2, "items": \##(next)}"##
    }
    let text =
      ##"{"$ref": "#/$defs/n0", "$defs": {\##(definitions.joined(separator: ", ")), "n25": {}}}"##
    let example = SchemaExample(try value(text), try compiled(text))
    #expect(example.value == nil)
    #expect(example.stepCount <= 50_001)
  }

  private func example(_ text: String) throws -> String? {
    let made = try SchemaExample(value(text), compiled(text)).value
    return made.map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

struct PatternExampleTests {
  @Test(
    "follows a pattern",
    arguments: [
      ("^[a-z]{3}$", "abc"), (#"^\d{4}-\d{2}$"#, "1234-67"), ("^(red|blue)$", "red"),
      ("^a?b+$", "b"), (#"^\+?[1-9]\d{6,14}$"#, "1234567"), ("[^a-z]", "A"), ("^[é-ü]$", "é"),
      (#"^\w+@\w+\.com$"#, "a@c.com"), ("", ""),
      ("^(?!a@b).*$", ""), (#"^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8}$"#, "A1cdefgh"),
      ("^(?=.*foo)[a-z]+$", "foo"), ("a(?=b)", "ab"), (#"(?<=\$)\d+"#, "$2"),
    ])
  func text(pattern: String, expected: String) throws {
    let pattern = try Pattern(pattern)
    let text = try #require(pattern.example(lengths: 0...100))
    #expect(text == expected)
    #expect(pattern.matches(text))
  }

  @Test("makes a text of the length asked for, or none")
  func lengths() throws {
    #expect(try Pattern("^[a-z]+$").example(lengths: 5...5) == "abcde")
    #expect(try Pattern("^[a-z]+$").example(lengths: 0...5, number: 2) == "c")
    #expect(try Pattern("^a{3}$").example(lengths: 5...9) == nil)
    #expect(try Pattern("^a{12000}$").example(lengths: 0...100_000) == nil)
  }
}
