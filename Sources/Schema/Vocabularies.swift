/// The sets of keywords a meta-schema switches on.
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

  /// Those of the standard meta-schema, in which a format asserts nothing.
  static let standard: Self = [
    .core, .applicator, .unevaluated, .validation, .metaData, .formatAnnotation, .content,
  ]

  static let standardSchemaURI = "https://json-schema.org/draft/2020-12/schema"

  /// The vocabulary a URI of `$vocabulary` names, or `nil` when it is unknown here.
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
