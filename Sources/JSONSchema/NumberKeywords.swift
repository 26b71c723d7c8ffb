import JSON

/// What a schema says about numbers.
final class NumberKeywords: Sendable {
  let minimum: Bound?
  let exclusiveMinimum: Bound?
  let maximum: Bound?
  let exclusiveMaximum: Bound?
  let divisor: JSONNumber?
  let time: TimeKeyword?

  struct Bound: Sendable {
    let number: JSONNumber
    let int: Int?

    init?(_ reader: KeywordReader, _ keyword: Keyword) {
      guard let number = reader.number(keyword) else { return nil }
      self.number = number
      int = number.int
    }
  }

  init?(_ reader: KeywordReader) {
    minimum = Bound(reader, .minimum)
    exclusiveMinimum = Bound(reader, .exclusiveMinimum)
    maximum = Bound(reader, .maximum)
    exclusiveMaximum = Bound(reader, .exclusiveMaximum)
    divisor = Self.divisor(reader)
    time = TimeKeyword(reader)
    let isEmpty =
      minimum == nil && exclusiveMinimum == nil && maximum == nil && exclusiveMaximum == nil
      && divisor == nil && time == nil
    if isEmpty { return nil }
  }

  private static func divisor(_ reader: KeywordReader) -> JSONNumber? {
    guard let number = reader.number(.multipleOf), let value = reader.value(.multipleOf),
      let zero = JSONNumber("0")
    else { return nil }
    guard number > zero else {
      reader.noteMismatch(value, .multipleOf, expected: "a number above 0")
      return nil
    }
    guard number.text.utf8.count <= divisorLengthMax else {
      reader.noteMismatch(
        value, .multipleOf, expected: "a number of at most \(divisorLengthMax) characters")
      return nil
    }
    return number
  }

  /// The remainder is computed digit by digit, which takes as long as both numbers multiplied.
  private static let divisorLengthMax = 100
}

extension Evaluation {
  mutating func check(
    _ keywords: NumberKeywords, of node: SchemaNode, _ instance: JSONValue
  ) -> Bool {
    let number = MeasuredNumber(instance)
    var isValid = true
    func note(_ keyword: Keyword, _ expected: @autoclosure () -> String) {
      isValid = false
      fail(keyword, of: node, instance, found: instance.briefSummary, expected: expected())
    }
    if let minimum = keywords.minimum, number < minimum {
      note(.minimum, "at least \(minimum.number)")
    }
    if let minimum = keywords.exclusiveMinimum, !(number > minimum) {
      note(.exclusiveMinimum, "more than \(minimum.number)")
    }
    if let maximum = keywords.maximum, number > maximum {
      note(.maximum, "at most \(maximum.number)")
    }
    if let maximum = keywords.exclusiveMaximum, !(number < maximum) {
      note(.exclusiveMaximum, "less than \(maximum.number)")
    }
    if let divisor = keywords.divisor, instance.number?.isMultiple(of: divisor) == false {
      note(.multipleOf, "a multiple of \(divisor)")
    }
    if let time = keywords.time, let complaint = time.complaint(about: instance, now: now) {
      isValid = false
      fail(.time, of: node, at: .value(instance), complaint)
    }
    return isValid
  }
}

/// A number that is compared as an integer where both sides are integers.
private struct MeasuredNumber {
  let value: JSONValue
  let int: Int?

  init(_ value: JSONValue) {
    self.value = value
    int = value.int
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
