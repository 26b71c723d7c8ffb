/// A keyword that is known: one of draft 2020-12, one of an older draft that still works, or ours.
///
/// Keywords that say nothing about validity are listed too, so that a misspelt one stands out.
enum Keyword: String, CaseIterable, Sendable {
  case schema = "$schema"
  case id = "$id"
  case anchor = "$anchor"
  case dynamicAnchor = "$dynamicAnchor"
  case ref = "$ref"
  case dynamicRef = "$dynamicRef"
  case vocabulary = "$vocabulary"
  case comment = "$comment"
  case defs = "$defs"
  case definitions

  case properties, patternProperties, additionalProperties, propertyNames
  case dependentSchemas, dependencies
  case prefixItems, items, contains
  case allOf, anyOf, oneOf, not
  case `if`, then, `else`

  case unevaluatedProperties, unevaluatedItems

  case type, `enum`, const
  case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
  case maxLength, minLength, pattern
  case maxItems, minItems, uniqueItems, maxContains, minContains
  case maxProperties, minProperties, required, dependentRequired

  case title, description, `default`, deprecated, readOnly, writeOnly, examples
  case format
  case contentEncoding, contentMediaType, contentSchema

  /// Ours: a date told as a number of seconds.
  case time = "x-time"

  /// `init(rawValue:)` compares with each case in turn.
  private static let named = Dictionary(
    allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  static func named(_ name: String) -> Keyword? {
    named[name]
  }

  /// Where the schemas within a keyword's value stand.
  enum Holds {
    case noSchema
    case oneSchema
    case schemas
    case namedSchemas
    /// `dependencies` of older drafts holds schemas beside lists of names.
    case namedSchemasOrLists
  }

  var holds: Holds {
    switch self {
    case .items, .contains, .additionalProperties, .propertyNames, .not, .if, .then, .else,
      .unevaluatedProperties, .unevaluatedItems, .contentSchema:
      .oneSchema
    case .prefixItems, .allOf, .anyOf, .oneOf: .schemas
    case .properties, .patternProperties, .dependentSchemas, .defs, .definitions: .namedSchemas
    case .dependencies: .namedSchemasOrLists
    default: .noSchema
    }
  }

  var vocabulary: Vocabularies {
    switch self {
    case .schema, .id, .anchor, .dynamicAnchor, .ref, .dynamicRef, .vocabulary, .comment, .defs,
      .definitions, .time:
      .core
    case .properties, .patternProperties, .additionalProperties, .propertyNames, .dependentSchemas,
      .dependencies, .prefixItems, .items, .contains, .allOf, .anyOf, .oneOf, .not, .if, .then,
      .else:
      .applicator
    case .unevaluatedProperties, .unevaluatedItems: .unevaluated
    case .type, .enum, .const, .multipleOf, .maximum, .exclusiveMaximum, .minimum,
      .exclusiveMinimum, .maxLength, .minLength, .pattern, .maxItems, .minItems, .uniqueItems,
      .maxContains, .minContains, .maxProperties, .minProperties, .required, .dependentRequired:
      .validation
    case .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples: .metaData
    case .format: [.formatAnnotation, .formatAssertion]
    case .contentEncoding, .contentMediaType, .contentSchema: .content
    }
  }

  /// What draft 2020-12 says instead.
  var replacement: String? {
    switch self {
    case .definitions: "\"$defs\""
    case .dependencies: "\"dependentRequired\" or \"dependentSchemas\""
    default: nil
    }
  }
}
