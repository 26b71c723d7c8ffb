import Testing
import UnderstudyJSON
import UnderstudySchema

@Suite struct LimitTests {
  @Test(
    "refuses a schema that applies itself to the same value",
    arguments: [
      (##"{"$ref": "#"}"##, "1:10"),
      (
        ##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}"##,
        "1:65"
      ),
      (##"{"anyOf": [{"type": "null"}, {"$ref": "#"}]}"##, "1:39"),
      (##"{"if": true, "then": {"not": {"$ref": "#"}}}"##, "1:39"),
      (##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##, "1:37"),
    ])
  func staticCycle(schema: String, position: String) throws {
    #expect(
      try problems(schema) == """
        \(position): the schema refers to itself without going deeper
          fix: refer to it below "properties", "items" or the like
        """)
  }

  @Test("ends a schema that leads back to itself by a dynamic reference")
  func dynamicCycle() throws {
    let schema = ##"{"$dynamicAnchor": "a", "allOf": [{"$dynamicRef": "#a"}]}"##
    #expect(try complaints(schema, "1") == [": the schema refers to itself without going deeper"])
    #expect(try !compiled(schema).accepts(value("1")))
  }

  @Test("ends a chain of references that is too long to follow")
  func longChain() throws {
    let links = (0..<2_000).map { ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}]}"## }
    let schema =
      ##"{"$ref": "#/$defs/d0", "$defs": {"d2000": true, "##
      + links.joined(separator: ", ") + "}}"
    #expect(try complaints(schema, "1") == [": the schema goes more than 1200 levels deep here"])
  }

  @Test("follows any number of references in a row")
  func references() throws {
    let links = (0..<10_000).map { ##""d\##($0)": {"$ref": "#/$defs/d\##($0 + 1)"}"## }
    let schema =
      ##"{"$ref": "#/$defs/d0", "$defs": {"d10000": {"type": "null"}, "##
      + links.joined(separator: ", ") + "}}"
    #expect(try complaints(schema, "1") == [": found number 1, expected null"])
  }

  @Test("follows the deepest instance and the deepest schema")
  func deep() throws {
    let recursive = ##"{"type": "array", "allOf": [{"items": {"$ref": "#"}}]}"##
    let instance = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try compiled(recursive).accepts(value(instance)))
    let levels = 255
    let nested =
      String(repeating: ##"{"allOf": ["##, count: levels) + #"{"type": "null"}"#
      + String(repeating: "]}", count: levels)
    #expect(try compiled(nested).accepts(value("null")))
    #expect(try complaints(nested, "1") == [": found number 1, expected null"])
    let alternatives = ##"{"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}, "minItems": 1}]}"##
    #expect(
      try complaints(alternatives, instance) == [
        String(repeating: "/0", count: 511)
          + ": found array with 0 elements, expected null or at least 1 "
          + "(the nearest of 2 alternatives)"
      ])
  }

  @Test("ends a schema whose alternatives multiply")
  func steps() throws {
    let levels = (0..<40).map { level in
      let next = ##"{"$ref": "#/$defs/d\##(level + 1)"}"##
      return ##""d\##(level)": {"anyOf": [\##(next), \##(next)]}"##
    }
    let schema =
      ##"{"$ref": "#/$defs/d0", "$defs": {"d40": false, "##
      + levels.joined(separator: ", ") + "}}"
    let compiled = try compiled(schema, stepsMax: 10_000)
    #expect(try !compiled.accepts(value("1")))
    #expect(
      try compiled.complaints(about: value("1")).map(\.message) == [
        "validation took more than 10000 steps"
      ])
    #expect(try compiled.complaints(about: value("1")).map(\.keyword) == ["false"])
  }

  @Test("counts patterns as steps, too")
  func patternSteps() throws {
    let patterns = (0..<100).map { #""a\#($0)$": true"# }.joined(separator: ", ")
    let members = (0..<100).map { #""b\#($0)": 1"# }.joined(separator: ", ")
    let schema = try compiled("{\"patternProperties\": {\(patterns)}}", stepsMax: 5_000)
    #expect(try !schema.accepts(value("{\(members)}")))
  }

  @Test(
    "counts the steps of a pattern, with a table of states and without",
    arguments: [
      (#"{"pattern": "^a*$"}"#, 5_000), (#"{"pattern": "(a|b)*a(a|b){12}c"}"#, 70_000),
      (#"{"propertyNames": {"pattern": "^a*$"}}"#, 5_000),
      (#"{"patternProperties": {"^a*$": true}}"#, 5_000),
    ])
  func stepsInsidePatterns(schema: String, stepsMax: Int) throws {
    let isAboutNames = schema.contains("ropert")
    func instance(length: Int) throws -> JSONValue {
      let text = "\"" + String(repeating: "a", count: length) + "c\""
      return try value(isAboutNames ? "{\(text): 1}" : text)
    }
    let message = "validation took more than \(stepsMax) steps"
    let compiled = try compiled(schema, stepsMax: stepsMax)
    let short = try compiled.complaints(about: instance(length: 1_000)).map(\.message)
    #expect(!short.contains { $0.contains(message) })
    let long = try compiled.complaints(about: instance(length: 10_000)).map(\.message)
    #expect(long.count == 1 && long.allSatisfy { $0.hasSuffix(message) })
    #expect(try !compiled.accepts(instance(length: 10_000)))
  }

  @Test("finds equal elements among many without comparing each with each")
  func unique() throws {
    let objects = (0..<20_000).map { #"{"a": \#($0), "b": [\#($0)]}"# }
    let schema = try compiled(#"{"uniqueItems": true}"#)
    let all = objects.joined(separator: ",")
    #expect(try schema.accepts(value("[\(all)]")))
    let repeated = #"[\#(all), {"b": [7.0], "a": 70e-1}]"#
    #expect(
      try schema.complaints(about: value(repeated)).map(\.message) == [
        "found object with 2 members again at 20000, the same as at 7, expected unique elements"
      ])
  }

  @Test("stops at the requested number of complaints")
  func complaintsMax() throws {
    let schema = try compiled(#"{"items": {"type": "null"}}"#)
    #expect(try schema.complaints(about: value("[1, 2, 3]"), max: 2).count == 2)
    #expect(try schema.complaints(about: value("[1, 2, 3]")).count == 3)
  }
}

extension LimitTests {
  @Test(
    "has enough stack for the deepest recursion",
    arguments: [
      (##"{"anyOf": [NEXT, false], "unevaluatedProperties": true}"##, "{}"),
      (##"{"oneOf": [NEXT, {"type": "null"}], "unevaluatedProperties": true}"##, "{}"),
      (##"{"if": true, "then": {"dependentSchemas": {"a": NEXT}}}"##, #"{"a": 1}"#),
      (##"{"not": {"not": NEXT}}"##, "{}"),
    ])
  func stack(link: String, instance: String) throws {
    for count in [590, 1_190, 2_000] {
      let links = (0..<count).map { index in
        let next = ##"{"$ref": "#/$defs/d\##(index + 1)"}"##
        return "\"d\(index)\": " + link.replacing("NEXT", with: next)
      }
      let schema =
        ##"{"$ref": "#/$defs/d0", "$defs": {"d\##(count)": {"type": "array"}, "##
        + links.joined(separator: ", ") + "}}"
      #expect(try !compiled(schema).accepts(value(instance)))
      #expect(try complaints(schema, instance).count == 1)
    }
  }
}
