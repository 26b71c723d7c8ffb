import Testing
import UnderstudyJSON
import UnderstudySchema

@Suite struct ProblemTests {
  @Test(
    "says what is wrong with a schema, where and what to do",
    arguments: [
      ("3", "1:1: found number 3, expected a schema: an object, true or false"),
      (
        #"{"items": [true]}"#,
        "1:11: found array with 1 element, expected a schema: an object, true or false"
      ),
      (
        #"{"type": "strin"}"#,
        """
        1:10: found string "strin" as "type", expected one of null, boolean, integer, number, \
        string, array, object
          fix: did you mean "string"?
        """
      ),
      (#"{"minimum": "3"}"#, #"1:13: found string "3" as "minimum", expected number"#),
      (
        #"{"maxLength": -1}"#,
        #"1:15: found number -1 as "maxLength", expected a whole number, 0 or more"#
      ),
      (
        #"{"minItems": 1.5}"#,
        #"1:14: found number 1.5 as "minItems", expected a whole number, 0 or more"#
      ),
      (
        #"{"multipleOf": 0}"#, #"1:16: found number 0 as "multipleOf", expected a number above 0"#
      ),
      (
        #"{"multipleOf": \#(String(repeating: "7", count: 101))}"#,
        #"1:16: found number \#(String(repeating: "7", count: 60))… as "multipleOf", expected a number of at most 100 characters"#
      ),
      (#"{"uniqueItems": 1}"#, #"1:17: found number 1 as "uniqueItems", expected true or false"#),
      (#"{"required": "a"}"#, #"1:14: found string "a" as "required", expected array of strings"#),
      (#"{"required": [1]}"#, #"1:15: found number 1 as "required", expected string"#),
      (
        #"{"properties": []}"#,
        #"1:16: found array with 0 elements as "properties", expected object"#
      ),
      (
        #"{"allOf": []}"#,
        #"1:11: found array with 0 elements as "allOf", expected array of schemas"#
      ),
      (#"{"enum": 1}"#, #"1:10: found number 1 as "enum", expected array"#),
      (#"{"format": 1}"#, #"1:12: found number 1 as "format", expected string"#),
      (
        #"{"type": "null", "type": "null"}"#,
        """
        1:26: "type" is given twice in one schema
          fix: keep one of them
        """
      ),
      (
        #"{"patternProperties": {"(a)\\1": true}}"#,
        """
        1:34: backreference "\\1" takes more than linear time, in the pattern "(a)\\1"
          fix: write out what the group may match
        """
      ),
      (
        #"{"pattern": "(a"}"#,
        """
        1:13: "(" without its ")", in the pattern "(a"
          fix: write \\( for the character itself
        """
      ),
    ])
  func shape(schema: String, expected: String) throws {
    #expect(try problems(schema) == expected)
  }

  @Test(
    "names a reference that does not resolve",
    arguments: [
      (
        ##"{"$ref": "#/$defs/nmae", "$defs": {"name": true}}"##,
        """
        1:10: "$ref" points to "#/$defs/nmae", but there is no "nmae" in object with 1 member
          fix: did you mean "name"?
        """
      ),
      (
        ##"{"$ref": "#nmae", "$defs": {"a": {"$anchor": "name"}}}"##,
        """
        1:10: "$ref" points to "#nmae", but there is no anchor "nmae"
          fix: did you mean "name"?
        """
      ),
      (
        ##"{"$ref": "other.json"}"##,
        ##"1:10: "$ref" points to "other.json", which does not exist"##
      ),
      (
        ##"{"$ref": "a b"}"##,
        """
        1:10: found string "a b" as "$ref", expected a URI
          fix: percent-encode other characters, such as %20 for a space
        """
      ),
      (
        ##"{"$ref": "#/~2"}"##,
        ##"1:10: found string "#/~2" as "$ref", expected a JSON pointer after "#""##
      ),
      (
        ##"{"$ref": "#%FF"}"##,
        ##"1:10: found string "#%FF" as "$ref", expected a fragment in UTF-8"##
      ),
      (##"{"$ref": 1}"##, ##"1:10: found number 1 as "$ref", expected string"##),
      (
        ##"{"$id": "#a"}"##,
        """
        1:9: found string "#a" as "$id", expected a URI without a fragment
          fix: use "$anchor" to name a part of a schema
        """
      ),
      (
        ##"{"$defs": {"a": {"$id": "http://a/"}, "b": {"$id": "http://a/"}}}"##,
        """
        1:52: the "$id" "http://a/" is given twice
          fix: give each schema its own "$id"
        """
      ),
      (
        ##"{"$defs": {"a": {"$anchor": "x"}, "b": {"$dynamicAnchor": "x"}}}"##,
        """
        1:59: the anchor "x" is given twice
          fix: give each anchor of a schema its own name
        """
      ),
      (
        ##"{"$anchor": "1"}"##,
        ##"1:13: found string "1" as "$anchor", expected a name of letters, digits, "-", "_" and ".""##
      ),
      (
        ##"{"$schema": "http://json-schema.org/draft-07/schema#"}"##,
        """
        1:13: unknown "$schema" "http://json-schema.org/draft-07/schema#"
          fix: write "https://json-schema.org/draft/2020-12/schema"
        """
      ),
      (##"{"$schema": 1}"##, ##"1:13: found number 1 as "$schema", expected a URI"##),
    ])
  func references(schema: String, expected: String) throws {
    #expect(try problems(schema) == expected)
  }

  @Test("collects every problem, in the order of the text")
  func all() throws {
    let schema = #"{"minimum": "3", "properties": {"a": {"type": 1}}, "maxItems": "4"}"#
    #expect(
      try problems(schema) == """
        1:13: found string "3" as "minimum", expected number
        1:47: found number 1 as "type", expected one of null, boolean, integer, number, string, \
        array, object
        1:64: found string "4" as "maxItems", expected a whole number, 0 or more
        """)
  }

  @Test("names the document a problem is in")
  func otherDocument() throws {
    let other = try value(#"{"type": 1}"#)
    let schema = try value(##"{"$ref": "other.json#"}"##)
    do throws(SchemaError) {
      _ = try Schema(compiling: schema) { uri in uri == "other.json" ? other : nil }
      Issue.record("compiled")
    } catch {
      #expect(
        error.description == """
          other.json:1:10: found number 1 as "type", expected one of null, boolean, integer, \
          number, string, array, object
          """)
    }
  }

  @Test("refuses a meta-schema that requires an unknown vocabulary")
  func vocabulary() throws {
    let meta = try value(#"{"$vocabulary": {"http://x/v": true, "http://x/w": false}}"#)
    let draft7 = try value(#"{"$schema": "http://json-schema.org/draft-07/schema#"}"#)
    let schemas = ["http://x/m": meta, "http://x/7": draft7]
    func refusal(_ uri: String) throws -> String {
      let schema = try value("{\"$schema\": \"\(uri)\"}")
      do throws(SchemaError) {
        _ = try Schema(compiling: schema) { schemas[$0] }
        return "none"
      } catch {
        return error.description
      }
    }
    #expect(
      try refusal("http://x/m")
        == ##"1:13: the "$schema" "http://x/m" needs the unknown vocabulary "http://x/v""##
    )
    #expect(
      try refusal("http://x/7") == """
        1:13: the "$schema" "http://x/7" is not of draft 2020-12
          fix: write "https://json-schema.org/draft/2020-12/schema"
        """)
  }

  @Test(
    "warns of keywords without effect",
    arguments: [
      (
        #"{"requird": []}"#,
        """
        1:13: "requird" is not a keyword and has no effect
          fix: did you mean "required"?
        """
      ),
      (
        #"{"discriminator": {}}"#,
        """
        1:19: "discriminator" is not a keyword and has no effect
          fix: name it "x-discriminator" if it is a note for others
        """
      ),
      (
        #"{"format": "datetime"}"#,
        """
        1:12: the format "datetime" is not checked
          fix: did you mean "date-time"?
        """
      ),
      (#"{"format": "iri"}"#, #"1:12: the format "iri" is not checked"#),
      (
        #"{"definitions": {}}"#,
        """
        1:17: "definitions" is from an older draft
          fix: write "$defs"
        """
      ),
      (#"{"x-anything": 1, "title": "", "$comment": ""}"#, ""),
    ])
  func warnings(schema: String, expected: String) throws {
    let found = try compiled(schema).warnings.map(\.description).joined(separator: "\n")
    #expect(found == expected)
  }
}
