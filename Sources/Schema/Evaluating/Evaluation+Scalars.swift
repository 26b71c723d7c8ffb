import UnderstudyCore
import UnderstudyJSON

extension Evaluation {
  mutating func checkType(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    node.keywords.types.kinds.contains(instance.kinds) || checkUnusualType(of: node, instance)
  }

  private mutating func checkUnusualType(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    if instance.kinds == .decimal, node.keywords.types.kinds.contains(.integer),
      value(at: instance).number?.isInteger == true
    {
      return true
    }
    fail(
      .type, of: node, instance, found: \.summary,
      expected: joined(node.keywords.types.names, by: "or"))
    return false
  }

  mutating func checkValue(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    if let constant = node.keywords.values.constant, !constant.isEqual(to: value(at: instance)) {
      fail(
        .const, of: node, instance, found: \.briefSummary, expected: constant.briefSummary)
      return false
    }
    if let choices = node.keywords.values.choices {
      let isText = JSONKinds.string.contains(instance.kinds)
      if isText ? choices.contains(text: instance) : choices.contains(value(at: instance)) {
        return true
      }
      fail(
        .enum, of: node, instance, found: \.briefSummary, expected: choices.expectation,
        fix: choices.suggestion)
      return false
    }
    return true
  }

  mutating func checkNumber(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let number = MeasuredNumber(instance, value(at: instance))
    var isValid = true
    func note(_ keyword: Keyword, _ expected: @autoclosure () -> String) {
      isValid = false
      fail(keyword, of: node, instance, found: \.briefSummary, expected: expected())
    }
    if let minimum = node.keywords.numbers.minimum, number < minimum {
      note(.minimum, "at least \(minimum.number)")
    }
    if let minimum = node.keywords.numbers.exclusiveMinimum, !(number > minimum) {
      note(.exclusiveMinimum, "more than \(minimum.number)")
    }
    if let maximum = node.keywords.numbers.maximum, number > maximum {
      note(.maximum, "at most \(maximum.number)")
    }
    if let maximum = node.keywords.numbers.exclusiveMaximum, !(number < maximum) {
      note(.exclusiveMaximum, "less than \(maximum.number)")
    }
    if let divisor = node.keywords.numbers.divisor,
      number.value.number?.isMultiple(of: divisor) == false
    {
      note(.multipleOf, "a multiple of \(divisor)")
    }
    if let time = node.keywords.numbers.time,
      let complaint = time.complaint(about: number.value, now: now)
    {
      isValid = false
      fail(.time, of: node, at: place(of: instance), complaint)
    }
    return isValid
  }

  mutating func checkString(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let lengthFits =
      node.keywords.strings.surelyFittingBytes?.contains(instance.sourceCount) ?? false
    guard node.keywords.strings.readsText || !lengthFits else { return true }
    var isValid = lengthFits || checkLength(of: node, instance)
    if let pattern = node.keywords.strings.pattern, !matches(pattern, instance, at: instance, node)
    {
      isValid = false
      fail(
        .pattern, of: node, instance, found: \.briefSummary,
        expected: "text that matches \(pattern)")
    }
    if let format = node.keywords.strings.format, !instance.withText(format.accepts) {
      isValid = false
      fail(
        .format, of: node, instance, found: \.briefSummary, expected: format.expectation)
    }
    if let date = node.keywords.strings.date, !date.accepts(instance.string, at: now) {
      isValid = false
      fail(.date, of: node, instance, found: \.briefSummary, expected: date.expectation)
    }
    return isValid
  }

  private mutating func checkLength(of node: SchemaNode, _ instance: JSONCursor) -> Bool {
    let length = instance.string.unicodeScalars.count
    let found = { (text: JSONValue) in "\(text.briefSummary) of \(counted(length, "character"))" }
    if let max = node.keywords.strings.lengthMax, length > max {
      fail(.maxLength, of: node, instance, found: found, expected: "at most \(max)")
      return false
    }
    if let min = node.keywords.strings.lengthMin, length < min {
      fail(.minLength, of: node, instance, found: found, expected: "at least \(min)")
      return false
    }
    return true
  }
}

extension ValueKeywords.Choices {
  private static let shownMax = 10

  fileprivate var expectation: String {
    let shown = values.prefix(Self.shownMax).map(\.briefSummary).joined(separator: ", ")
    switch values.count {
    case 0: return "nothing, since \"enum\" is empty"
    case 1: return shown
    case ...Self.shownMax: return "one of \(shown)"
    default: return "one of \(shown) and \(values.count - Self.shownMax) more"
    }
  }

  fileprivate func suggestion(for instance: JSONValue) -> String? {
    instance.string.flatMap { text in
      Evaluation.suggestion(for: text, among: values.lazy.compactMap(\.string))
    }
  }
}

extension JSONValue {
  /// The summary without the kind where the text itself shows it: `"abc"`, `12`.
  var briefSummary: String {
    switch kind {
    case .string, .number: String(summary.drop { $0 != " " }.dropFirst())
    default: summary
    }
  }
}

/// A number compared as an integer if both sides are integers.
private struct MeasuredNumber {
  let value: JSONValue
  let int: Int?

  init(_ cursor: JSONCursor, _ value: JSONValue) {
    self.value = value
    int = cursor.int
  }

  static func < (left: Self, right: NumberKeywords.Bound) -> Bool {
    if let left = left.int, let right = right.int { return left < right }
    return left.value.number.map { $0 < right.number } ?? false
  }

  static func > (left: Self, right: NumberKeywords.Bound) -> Bool {
    if let left = left.int, let right = right.int { return left > right }
    return left.value.number.map { $0 > right.number } ?? false
  }
}

/// `1 element`, `2 elements`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
