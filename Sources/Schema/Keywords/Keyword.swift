/// A known keyword: of draft 2020-12, of an older draft that still works, or our own.
///
/// Keywords that do not affect validity are included, so that misspelt ones are noticed.
package enum Keyword: String, CaseIterable, Sendable {
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

  /// Our own: a date given as a number of seconds.
  case time = "x-time"
  /// Our own: what a string says as a date.
  case date = "x-date"

  /// `init(rawValue:)` would compare with each case in turn.
  private static let named = Dictionary(
    allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  package static func named(_ name: String) -> Keyword? {
    named[name]
  }

  /// Where a keyword's value contains schemas.
  package enum Holds {
    case noSchema
    case oneSchema
    case schemas
    case namedSchemas
    /// `dependencies` of older drafts holds schemas beside lists of names.
    case namedSchemasOrLists
  }

  package var holds: Holds {
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
      .definitions, .time, .date:
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

  /// The group of `KeywordGroups` that it belongs to.
  var group: KeywordGroups.Parts {
    switch self {
    case .type: .types
    case .const, .enum: .values
    case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .time: .numbers
    case .maxLength, .minLength, .pattern, .format, .date: .strings
    case .prefixItems, .items, .contains, .maxItems, .minItems, .uniqueItems, .maxContains,
      .minContains:
      .arrays
    case .properties, .patternProperties, .additionalProperties, .propertyNames, .dependentSchemas,
      .dependencies, .maxProperties, .minProperties, .required, .dependentRequired:
      .objects
    case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else: .combination
    case .unevaluatedItems, .unevaluatedProperties: .unevaluated
    case .schema, .id, .anchor, .dynamicAnchor, .vocabulary, .comment, .defs, .definitions, .title,
      .description, .default, .deprecated, .readOnly, .writeOnly, .examples, .contentEncoding,
      .contentMediaType, .contentSchema:
      []
    }
  }

  /// The replacement in draft 2020-12.
  var replacement: String? {
    switch self {
    case .definitions: "\"$defs\""
    case .dependencies: "\"dependentRequired\" or \"dependentSchemas\""
    default: nil
    }
  }
}

/// The sets of keywords that a meta-schema enables.
struct Vocabularies: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let core = Self(rawValue: 1 << 0)
  static let applicator = Self(rawValue: 1 << 1)
  static let unevaluated = Self(rawValue: 1 << 2)
  static let validation = Self(rawValue: 1 << 3)
  static let metaData = Self(rawValue: 1 << 4)
  static let formatAnnotation = Self(rawValue: 1 << 5)
  static let formatAssertion = Self(rawValue: 1 << 6)
  static let content = Self(rawValue: 1 << 7)

  /// The vocabularies of the standard meta-schema, in which `format` is only an annotation.
  static let standard: Self = [
    .core, .applicator, .unevaluated, .validation, .metaData, .formatAnnotation, .content,
  ]

  static let standardSchemaURI = "https://json-schema.org/draft/2020-12/schema"

  /// The vocabulary with this URI in `$vocabulary`, or `nil` when it is unknown.
  static func named(_ uri: String) -> Self? {
    let prefix = "https://json-schema.org/draft/2020-12/vocab/"
    guard uri.hasPrefix(prefix) else { return nil }
    return switch uri.dropFirst(prefix.count) {
    case "core": .core
    case "applicator": .applicator
    case "unevaluated": .unevaluated
    case "validation": .validation
    case "meta-data": .metaData
    case "format-annotation": .formatAnnotation
    case "format-assertion": .formatAssertion
    case "content": .content
    default: nil
    }
  }
}
