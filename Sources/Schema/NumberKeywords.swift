import UnderstudyJSON

/// What a schema says about numbers.
struct NumberKeywords: Sendable {
  let minimum: Bound?
  let exclusiveMinimum: Bound?
  let maximum: Bound?
  let exclusiveMaximum: Bound?
  let divisor: JSONNumber?
  let time: TimeKeyword?
  let isEmpty: Bool

  struct Bound: Sendable {
    let number: JSONNumber
    let int: Int?

    init?(_ reader: KeywordReader, _ keyword: Keyword) {
      guard let number = reader.number(keyword) else { return nil }
      self.number = number
      int = number.int
    }
  }

  init(_ reader: KeywordReader) {
    minimum = Bound(reader, .minimum)
    exclusiveMinimum = Bound(reader, .exclusiveMinimum)
    maximum = Bound(reader, .maximum)
    exclusiveMaximum = Bound(reader, .exclusiveMaximum)
    divisor = Self.divisor(reader)
    time = TimeKeyword(reader)
    isEmpty =
      minimum == nil && exclusiveMinimum == nil && maximum == nil && exclusiveMaximum == nil
      && divisor == nil && time == nil
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
  mutating func checkNumber(
    of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    let number = MeasuredNumber(instance, value(at: instance))
    var isValid = true
    func note(_ keyword: Keyword, _ expected: @autoclosure () -> String) {
      isValid = false
      fail(keyword, of: node, instance, found: \.briefSummary, expected: expected())
    }
    if let minimum = node.numbers.minimum, number < minimum {
      note(.minimum, "at least \(minimum.number)")
    }
    if let minimum = node.numbers.exclusiveMinimum, !(number > minimum) {
      note(.exclusiveMinimum, "more than \(minimum.number)")
    }
    if let maximum = node.numbers.maximum, number > maximum {
      note(.maximum, "at most \(maximum.number)")
    }
    if let maximum = node.numbers.exclusiveMaximum, !(number < maximum) {
      note(.exclusiveMaximum, "less than \(maximum.number)")
    }
    if let divisor = node.numbers.divisor, number.value.number?.isMultiple(of: divisor) == false {
      note(.multipleOf, "a multiple of \(divisor)")
    }
    if let time = node.numbers.time, let complaint = time.complaint(about: number.value, now: now) {
      isValid = false
      fail(.time, of: node, at: place(of: instance), complaint)
    }
    return isValid
  }
}

/// A number that is compared as an integer where both sides are integers.
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
