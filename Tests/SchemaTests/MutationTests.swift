import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudyTestSupport

/// Schemas and instances changed at random, always in the same way.
@Suite struct MutationTests {
  /// Members of schemas, most of them good; each `%` becomes a schema.
  private static let members = [
    #""type": "object""#, #""type": ["array", "null", "string"]"#, #""type": "number""#,
    #""enum": [1, "a", [], {"a": 1}]"#, #""const": {"a": [1]}"#, #""minimum": 1"#,
    #""multipleOf": 0.5"#, #""maximum": 1e999"#, #""minLength": 1"#, #""maxLength": 1"#,
    #""pattern": "^(a|b)*$""#, #""format": "date-time""#, #""format": "hostname""#,
    #""x-time": {"epoch": 2001, "within": ["-1y", "+1y"]}"#, #""required": ["a"]"#,
    #""maxProperties": 1"#, #""uniqueItems": true"#, #""maxItems": 1"#, #""minContains": 2"#,
    #""maxContains": 1"#, #""dependentRequired": {"a": ["b"]}"#, #""properties": {"a": %}"#,
    #""patternProperties": {"a|b": %}"#, #""additionalProperties": %"#, #""propertyNames": %"#,
    #""dependentSchemas": {"b": %}"#, #""dependencies": {"a": %, "b": ["a"]}"#,
    #""prefixItems": [%, %]"#, #""items": %"#, #""contains": %"#, #""allOf": [%, %]"#,
    #""anyOf": [%, %]"#, #""oneOf": [%, %, %]"#, #""not": %"#, #""if": %"#, #""then": %"#,
    #""else": %"#, #""unevaluatedProperties": %"#, #""unevaluatedItems": %"#,
    #""$defs": {"d": %}"#, ##""$ref": "#/$defs/a""##, ##""$ref": "#""##, ##""$ref": "#d""##,
    ##""$dynamicRef": "#d""##, #""$dynamicAnchor": "d""#, #""$id": "http://x/""#, #""$anchor": 1"#,
    #""minItems": -1"#, #""$schema": "http://x/""#, #""allOf": %"#, #""type": %"#,
  ]

  private static func schema(_ depth: Int, _ random: inout Dice) -> String {
    guard depth > 0 else { return Bool.random(using: &random) ? "true" : "{}" }
    var text = "{"
    for index in 0..<Int.random(in: 0..<4, using: &random) {
      let member = members.randomElement(using: &random) ?? ""
      let parts = member.split(separator: "%", omittingEmptySubsequences: false)
      text += (index > 0 ? ", " : "") + (parts.first ?? "")
      for part in parts.dropFirst() { text += schema(depth - 1, &random) + part }
    }
    return text + "}"
  }

  private static let scalars = [
    "null", "true", "0", "1.5", "-1e9", "1e999", #""a""#, #""ab\u00e9""#, #""xn--x""#,
    #""2024-01-31T12:00:00Z""#,
  ]

  private static func instance(_ depth: Int, _ random: inout Dice) -> String {
    let count = Int.random(in: 0..<4, using: &random)
    switch depth > 0 ? Int.random(in: 0..<3, using: &random) : 0 {
    case 0: return scalars.randomElement(using: &random) ?? ""
    case 1:
      let elements = (0..<count).map { _ in instance(depth - 1, &random) }
      return "[" + elements.joined(separator: ", ") + "]"
    default:
      let members = ["a", "b", "ab", "a"].shuffled(using: &random).prefix(count).map {
        "\"\($0)\": " + instance(depth - 1, &random)
      }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }

  @Test("neither compiling nor validating fails, and both ways agree", arguments: 0..<8)
  func random(seed: Int) throws {
    var random = Dice(seed: UInt64(seed))
    var options = Schema.Options()
    options.stepsMax = 20_000
    var (refusedCount, validCount, invalidCount, walkedCount) = (0, 0, 0, 0)
    for _ in 0..<1_000 {
      let text = Self.schema(4, &random)
      let schemaValue = try value(
        #"{"$defs": {"a": {"type": ["array", "object"]}, "d": {"$anchor": "d"}}, "allOf": [\#(text)]}"#
      )
      let schema: Schema
      do {
        schema = try Schema(compiling: schemaValue, options: options)
      } catch {
        #expect(!error.problems.isEmpty)
        refusedCount += 1
        continue
      }
      for _ in 0..<4 {
        let instance = try value(Self.instance(3, &random))
        let isValid = schema.accepts(instance)
        #expect(schema.complaints(about: instance).isEmpty == isValid, "\(text)")
        if walked(schema, instance) {
          walkedCount += 1
          #expect(isValid, "\(text)")
        }
        if isValid { validCount += 1 } else { invalidCount += 1 }
      }
    }
    #expect(refusedCount > 100)
    #expect(validCount > 300)
    #expect(walkedCount > 150)
    #expect(invalidCount > 300)
  }

  @Test("compiling responses whichever byte of a schema is changed")
  func bytes() throws {
    let text = ##"""
      {"$id": "http://a/", "$defs": {"b": {"$dynamicAnchor": "c", "pattern": "^[a-z]+$"}},
       "properties": {"d": {"$ref": "#/$defs/b"}, "e": {"$dynamicRef": "#c"}},
       "x-time": {"epoch": 1970, "within": ["-1y", "+1h"]}, "minLength": 12}
      """##
    var random = Dice(seed: 1)
    let instance = try value(#"{"d": "a", "e": 1}"#)
    var compiledCount = 0
    for _ in 0..<4_000 {
      var bytes = Array(text.utf8)
      let replacements = Array(##""#/{}[]:,019-~%$eat"##.utf8)
      for _ in 0..<2 {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = replacements.randomElement(using: &random) ?? 0
      }
      guard let schemaValue = try? JSONDocument(parsing: bytes).root,
        let schema = try? Schema(compiling: schemaValue)
      else { continue }
      compiledCount += 1
      #expect(schema.complaints(about: instance).isEmpty == schema.accepts(instance))
    }
    #expect(compiledCount > 300)
  }
}
