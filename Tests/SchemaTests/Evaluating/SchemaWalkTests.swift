import Testing
import UnderstudyJSON
import UnderstudySchema

@Suite("Validation on a caller's walk")
struct SchemaWalkTests {
  @Test(
    "finds valid what is valid",
    arguments: [
      (#"{"type": "integer"}"#, "1.0"),
      (#"{"type": "string", "format": "date-time"}"#, #""2024-02-29T12:00:00Z""#),
      (#"{"type": ["string", "null"], "format": "uri"}"#, #""https://api.example.com/a""#),
      (#"{"required": ["a"], "properties": {"a": {"minimum": 1}}}"#, #"{"b": 0, "a": 2}"#),
      (
        ##"{"oneOf": [{"type": "null"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "object"}}}"##,
        "{}"
      ),
      (#"{"prefixItems": [{"type": "null"}], "items": {"type": "string"}}"#, #"[null, "a", "b"]"#),
      (#"{"additionalProperties": {"type": "number"}}"#, #"{"a": 1, "b": 2.5}"#),
      (#"{"uniqueItems": true, "minItems": 2}"#, "[1, 2]"),
    ])
  func valid(schema: String, instance: String) throws {
    #expect(try walked(compiled(schema), value(instance)))
  }

  @Test(
    "does not find valid what is not",
    arguments: [
      (#"{"type": "integer"}"#, "1.5"),
      (#"{"format": "date-time"}"#, #""2023-02-29T12:00:00Z""#),
      (#"{"required": ["a"]}"#, #"{"b": 1, "b": 2}"#),
      (#"{"properties": {"a": {"type": "null"}}}"#, #"{"a": 1, "a": null}"#),
      (#"{"additionalProperties": false, "properties": {"a": true}}"#, #"{"a": 1, "b": 2}"#),
      (#"{"items": {"items": {"type": "null"}}}"#, "[[], [null, 1]]"),
      (#"{"oneOf": [{"type": "null"}, {"const": null}]}"#, "null"),
      (#"{"minItems": 2}"#, "[1]"),
      (#"{"maxProperties": 1}"#, #"{"a": 1, "b": 2}"#),
      ("false", "1"),
    ])
  func invalid(schema: String, instance: String) throws {
    #expect(try !walked(compiled(schema), value(instance)))
  }

  @Test("leaves to a validation what depends on its limits")
  func limits() throws {
    #expect(try !walked(compiled("{}", stepsMax: 10), value("[1, 2, 3]")))
    #expect(try walked(compiled("{}"), value("[1, 2, 3]")))
    let dynamic = ##"{"$dynamicAnchor": "a", "items": {"$dynamicRef": "#a"}}"##
    #expect(try SchemaWalk(over: value("[]"), by: compiled(dynamic), now: nil) == nil)
  }
}

/// Whether a walk over the whole instance finds it valid beyond doubt.
func walked(_ schema: Schema, _ instance: JSONValue) -> Bool {
  guard var walk = SchemaWalk(over: instance, by: schema, now: nil) else { return false }
  let rule = walk.rule
  instance.walk { visit($0, rule, levels: 0, &walk) }
  return walk.isValid
}

private func visit(
  _ value: JSONCursor, _ rule: SchemaRule?, levels: Int, _ walk: inout SchemaWalk
) {
  guard let rule else { return }
  if levels > SchemaWalk.levelsMax { walk.doubt() }
  let number = walk.add(rule)
  if !rule.settled.contains(value.kinds) { walk.check(value, by: number) }
  if value.kinds == .array {
    for (index, element) in value.elements.enumerated() {
      visit(element, rule.element(index), levels: levels + 1, &walk)
    }
  } else if value.kinds == .object {
    var missingCount = rule.requiredCount
    var seen: Set<String> = []
    for (key, member) in value.members {
      if rule.requires(key.string), seen.insert(key.string).inserted { missingCount -= 1 }
      visit(member, rule.member(key.string), levels: levels + 1, &walk)
    }
    if missingCount > 0 { walk.doubt() }
  }
}
