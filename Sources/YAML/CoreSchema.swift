import UnderstudyCore

/// What plain scalars mean: chapter 10.3.2 of YAML 1.2.2.
enum CoreSchema {
  // SAFETY: `Text` is read only within its bounds.
  typealias Text = UnsafeBufferPointer<UInt8>

  enum Form {
    case string, null, `true`, `false`
    case integer, octal, hexadecimal, decimal
    /// `.inf` and `.nan`
    case notFinite

    var isInteger: Bool { self == .integer || self == .octal || self == .hexadecimal }
  }

  static func form(of text: Text) -> Form {
    guard let first = text.first else { return .null }
    switch first {
    case UInt8(ascii: "~"): return text.count == 1 ? .null : .string
    case UInt8(ascii: "n"), UInt8(ascii: "N"): return isWord(text, "null") ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"): return isWord(text, "true") ? .true : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"): return isWord(text, "false") ? .false : .string
    case .zero...(.nine), .plus, .hyphen, .period: return numberForm(of: text)
    default: return .string
    }
  }

  /// `null`, `Null` or `NULL`, for `null`.
  private static func isWord(_ text: Text, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count == count else { return false }
    var (isLower, isUpper) = (true, true)
    for index in 1..<count {
      let letter = word.utf8Start[index]
      if text[index] != letter { isLower = false }
      if text[index] != letter ^ 0x20 { isUpper = false }
    }
    return isLower || isUpper && text[0] == word.utf8Start[0] ^ 0x20
  }

  private static func numberForm(of text: Text) -> Form {
    var place = text[0] == .plus || text[0] == .hyphen ? 1 : 0
    if place == 0, text[0] == .zero, text.count > 2 {
      let digits = text[2...]
      if text[1] == UInt8(ascii: "o") {
        return digits.allSatisfy { $0 &- .zero < 8 } ? .octal : .string
      }
      if text[1] == UInt8(ascii: "x") {
        return digits.allSatisfy { $0.hexadecimalValue != nil } ? .hexadecimal : .string
      }
    }
    let integerStart = place
    skipDigits(of: text, &place)
    var digitCount = place - integerStart
    if place == text.count { return digitCount > 0 ? .integer : .string }
    if text[place] == .period {
      let fractionStart = place + 1
      place = fractionStart
      skipDigits(of: text, &place)
      if digitCount == 0, place == fractionStart {
        return isNotFinite(text, from: fractionStart) ? .notFinite : .string
      }
      digitCount += place - fractionStart
    }
    guard digitCount > 0 else { return .string }
    if place < text.count, text[place].lowercased == UInt8(ascii: "e") {
      place += 1
      if place < text.count, text[place] == .plus || text[place] == .hyphen { place += 1 }
      let exponentStart = place
      skipDigits(of: text, &place)
      if place == exponentStart { return .string }
    }
    return place == text.count ? .decimal : .string
  }

  private static func skipDigits(of text: Text, _ place: inout Int) {
    while place < text.count, text[place].isDigit { place += 1 }
  }

  private static func isNotFinite(_ text: Text, from place: Int) -> Bool {
    let word = String(decoding: text[place...].prefix(4), as: UTF8.self)
    return ["inf", "Inf", "INF"].contains(word)
      || place == 1 && ["nan", "NaN", "NAN"].contains(word)
  }
}

extension JSONOutput {
  /// Writes a decimal number of the core schema as JSON has it, with the same digits.
  mutating func appendNumber(_ text: CoreSchema.Text) {
    var rest = text[...]
    if rest.first == .hyphen { append(.hyphen) }
    if rest.first == .hyphen || rest.first == .plus { rest.removeFirst() }
    // The last zero before anything but a digit is one that JSON needs.
    while rest.first == .zero, rest.dropFirst().first?.isDigit == true { rest.removeFirst() }
    if rest.first == .period { append(.zero) }
    for (index, byte) in rest.enumerated() {
      append(byte)
      if byte == .period, rest.dropFirst(index + 1).first?.isDigit != true { append(.zero) }
    }
  }

  /// Writes the digits of another base as a decimal number.
  mutating func appendInteger(_ digits: Slice<CoreSchema.Text>, bitsPerDigit: UInt64) {
    // In base 10^9, the lowest digit first.
    let base: UInt64 = 1_000_000_000
    var number: [UInt64] = [0]
    var rest = digits[...]
    while !rest.isEmpty {
      // As many digits as fit beside those of the other base.
      let part = rest.prefix(7)
      rest = rest.dropFirst(7)
      var carry: UInt64 = 0
      for digit in part { carry = carry << bitsPerDigit | UInt64(digit.hexadecimalValue ?? 0) }
      let shift = bitsPerDigit * UInt64(part.count)
      for index in number.indices {
        let sum = number[index] << shift + carry
        (number[index], carry) = (sum % base, sum / base)
      }
      if carry > 0 { number.append(carry) }
    }
    append(Array(String(number[number.count - 1]).utf8))
    for part in number.dropLast().reversed() {
      let text = Array(String(part).utf8)
      append([UInt8](repeating: .zero, count: 9 - text.count) + text)
    }
  }
}
