import UnderstudyContractModel
import UnderstudyJSON
import UnderstudySchema

/// What the text of a parameter must be, by its schema and as a condition.
struct OpenAPIValueRule {
  /// The member of a condition: `matches`, `oneOf` or `equals`.
  let condition: (key: String, value: JSONText?)
  /// What the text must be, in words that follow "is not".
  let words: String
  private let accepts: (String) -> Bool

  private static let integer = "^-?[0-9]+$"
  private static let number = #"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#
  private static let booleans = ["true", "false"]
  /// Texts that many rules do not accept.
  private static let wrongTexts = ["x", "", "?", "0"]

  /// `nil` where the schema says nothing that a condition can.
  init?(_ schema: JSONValue) {
    if let values = schema["enum"] {
      let texts = values.elements.compactMap(OpenAPIOperation.Parameter.texts)
      guard texts.count == values.count, texts.allSatisfy({ $0.count == 1 }) else { return nil }
      self.init(oneOf: texts.flatMap(\.self))
    } else if let value = schema["const"] {
      guard let texts = OpenAPIOperation.Parameter.texts(of: value), texts.count == 1 else {
        return nil
      }
      self.init(oneOf: texts)
    } else {
      let type = schema["type"]?.kind == .array ? schema["type"]?.onlyElement : schema["type"]
      switch type?.string {
      case "integer": self.init(matching: Self.integer, "an integer")
      case "number": self.init(matching: Self.number, "a number")
      case "boolean": self.init(oneOf: Self.booleans, "true or false")
      case "string":
        guard let pattern = schema["pattern"]?.string else { return nil }
        self.init(matching: pattern, "a match of \(pattern)")
      default: return nil
      }
    }
  }

  private init?(oneOf texts: [String], _ name: String? = nil) {
    guard let first = texts.first else { return nil }
    condition = texts.count == 1 ? ("equals", .string(first)) : ("oneOf", .strings(texts))
    words = name ?? (texts.count == 1 ? first : "one of \(texts.joined(separator: ", "))")
    accepts = { Set(texts).contains($0) }
  }

  private init?(matching pattern: String, _ words: String) {
    guard let compiled = try? Pattern(pattern) else { return nil }
    condition = ("matches", .string(pattern))
    self.words = words
    accepts = { compiled.matches($0) }
  }

  func accepts(_ text: String) -> Bool { accepts(text) }

  /// A text that it does not accept, if one is found.
  var wrongText: String? { Self.wrongTexts.first { !accepts($0) } }

  /// The schema whose rule a condition is.
  static func schema(of test: Condition.Test) -> JSONText {
    let more: (key: String, value: JSONText?)? =
      switch test {
      case .equals(let text): ("enum", .strings([text]))
      case .oneOf(booleans): ("type", .string("boolean"))
      case .oneOf(let texts): ("enum", .strings(texts))
      case .matches(let pattern) where pattern.source == integer: ("type", .string("integer"))
      case .matches(let pattern) where pattern.source == number: ("type", .string("number"))
      case .matches(let pattern): ("pattern", .string(pattern.source))
      default: nil
      }
    if let more, more.key == "type" { return .object([more]) }
    return .object([("type", .string("string"))] + (more.map { [$0] } ?? []))
  }
}

extension JSONValue {
  fileprivate var onlyElement: JSONValue? { count == 1 ? self[0] : nil }
}
