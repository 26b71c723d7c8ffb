import UnderstudyCore
import UnderstudyJSON

/// What a schema says about strings.
struct StringKeywords: Sendable {
  let lengthMin: Int?
  let lengthMax: Int?
  let pattern: Pattern?
  let format: Format?
  let isEmpty: Bool

  init(_ reader: KeywordReader) {
    lengthMin = reader.count(.minLength)
    lengthMax = reader.count(.maxLength)
    pattern = reader.pattern(.pattern)
    format = Self.format(reader)
    isEmpty = lengthMin == nil && lengthMax == nil && pattern == nil && format == nil
  }

  private static func format(_ reader: KeywordReader) -> Format? {
    guard let name = reader.string(.format), let value = reader.value(.format),
      reader.assertsFormats
    else { return nil }
    if let format = Format(rawValue: name) { return format }
    reader.compiler.warning(
      at: value, in: reader.location, "found the format \"\(name)\", which is not checked",
      fix: Format.unchecked.contains(name)
        ? nil : Spelling.suggestion(for: name, among: Format.allCases.lazy.map(\.rawValue)))
    return nil
  }

  /// Whether the length fits by the number of bytes alone: a scalar takes one to twelve of them,
  /// a surrogate pair as two escapes being the longest.
  fileprivate func lengthSurelyFits(sourceBytes: Int) -> Bool {
    (lengthMax.map { sourceBytes <= $0 } ?? true)
      && (lengthMin.map { (sourceBytes + 11) / 12 >= $0 } ?? true)
  }

  fileprivate var readsText: Bool { pattern != nil || format != nil }
}

extension Evaluation {
  mutating func checkString(
    of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    let lengthFits = node.strings.lengthSurelyFits(sourceBytes: instance.sourceCount)
    guard node.strings.readsText || !lengthFits else { return true }
    var isValid = lengthFits || checkLength(of: node, instance)
    if let pattern = node.strings.pattern, !matches(pattern, instance, at: instance, node) {
      isValid = false
      fail(
        .pattern, of: node, instance, found: \.briefSummary,
        expected: "text that matches \(pattern)")
    }
    if let format = node.strings.format, !instance.withText(format.accepts) {
      isValid = false
      fail(
        .format, of: node, instance, found: \.briefSummary, expected: format.expectation)
    }
    return isValid
  }

  private mutating func checkLength(
    of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    let length = instance.string.unicodeScalars.count
    let found = { (text: JSONValue) in "\(text.briefSummary) of \(counted(length, "character"))" }
    if let max = node.strings.lengthMax, length > max {
      fail(.maxLength, of: node, instance, found: found, expected: "at most \(max)")
      return false
    }
    if let min = node.strings.lengthMin, length < min {
      fail(.minLength, of: node, instance, found: found, expected: "at least \(min)")
      return false
    }
    return true
  }
}

/// `1 element`, `2 elements`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
