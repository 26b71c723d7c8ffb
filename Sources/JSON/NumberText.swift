import UnderstudyCore

/// Reads the bytes of a number whose grammar the parser has checked.
enum NumberText {
  /// The value if it is exactly an `Int`, in any notation.
  static func int(in source: [UInt8], _ range: Range<Int>) -> Int? {
    let isNegative = source[range.lowerBound] == .hyphen
    var magnitude: UInt = 0
    for i in range.lowerBound + (isNegative ? 1 : 0)..<range.upperBound {
      guard source[i].isDigit else {
        return DecimalForm(of: source, range).int
      }
      let (product, didOverflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, didCarry) = product.addingReportingOverflow(UInt(source[i] - .zero))
      // `1000000000000000000000e-5` is still an Int.
      guard !didOverflow, !didCarry else { return DecimalForm(of: source, range).int }
      magnitude = sum
    }
    return int(magnitude: magnitude, isNegative: isNegative)
  }

  static func int(magnitude: UInt, isNegative: Bool) -> Int? {
    if isNegative {
      return magnitude <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int(exactly: magnitude)
  }

  /// The nearest double, infinite when the number is too large.
  ///
  /// Up to 2^53 and 10^22 both factors are exact, so one rounding gives the nearest; other numbers
  /// use the slower way of the standard library.
  static func double(in source: [UInt8], _ range: Range<Int>) -> Double {
    let isNegative = source[range.lowerBound] == .hyphen
    var mantissa: UInt64 = 0
    var (digitCount, exponent) = (0, 0)
    var i = range.lowerBound + (isNegative ? 1 : 0)
    var isFraction = false
    while i < range.upperBound {
      let byte = source[i]
      if byte.isDigit {
        mantissa = mantissa &* 10 &+ UInt64(byte &- .zero)
        if mantissa != 0 { digitCount += 1 }
        if isFraction { exponent -= 1 }
      } else if byte == .period {
        isFraction = true
      } else {
        exponent += Self.exponent(in: source, i + 1..<range.upperBound)
        break
      }
      i += 1
    }
    if digitCount <= 18, mantissa < 1 << 53, -22...22 ~= exponent {
      let value =
        exponent < 0
        ? Double(mantissa) / powersOfTen[-exponent] : Double(mantissa) * powersOfTen[exponent]
      return isNegative ? -value : value
    }
    return Double(String(decoding: source[range], as: UTF8.self)) ?? .nan
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Larger exponents are all treated as this one.
  static let exponentMax = 1_000_000_000_000_000_000

  /// The exponent after its `e`, clamped to `exponentMax`.
  static func exponent(in source: [UInt8], _ range: Range<Int>) -> Int {
    var (exponent, isNegative) = (0, false)
    for byte in source[range] {
      if byte == .hyphen { isNegative = true }
      guard byte.isDigit else { continue }
      guard exponent < exponentMax / 10 else {
        exponent = exponentMax
        break
      }
      exponent = exponent * 10 + Int(byte - .zero)
    }
    return isNegative ? -exponent : exponent
  }
}

/// A number in a canonical form: 0.*digits* × 10^*exponent*.
///
/// Nothing is ever multiplied out, so `1e999999999` costs as little as `1`.
struct DecimalForm: Hashable {
  let isNegative: Bool
  /// 0 to 9 each, without leading or trailing zeros; empty for zero.
  let digits: [UInt8]
  let exponent: Int

  init(of source: [UInt8], _ range: Range<Int>) {
    var digits: [UInt8] = []
    var pointPlace: Int?
    var exponent = 0
    for i in range {
      let byte = source[i]
      if byte.isDigit {
        digits.append(byte - .zero)
      } else if byte == .period {
        pointPlace = digits.count
      } else if byte.isExponentMark {
        exponent = NumberText.exponent(in: source, i + 1..<range.upperBound)
        break
      }
    }
    exponent += pointPlace ?? digits.count
    let zerosAhead = digits.prefix { $0 == 0 }.count
    let end = (digits.lastIndex { $0 != 0 } ?? -1) + 1
    self.digits = Array(digits[min(zerosAhead, end)..<end])
    let isZero = end == 0
    self.exponent = isZero ? 0 : exponent - zerosAhead
    isNegative = !isZero && source[range.lowerBound] == .hyphen
  }

  var isInteger: Bool { exponent >= digits.count }

  var int: Int? {
    magnitude.flatMap { NumberText.int(magnitude: $0, isNegative: isNegative) }
  }

  /// The absolute value if it is whole and fits a `UInt`.
  var magnitude: UInt? {
    guard isInteger, exponent <= 20 else { return nil }
    var magnitude: UInt = 0
    for place in 0..<exponent {
      let digit = place < digits.count ? UInt(digits[place]) : 0
      let (product, didOverflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, didCarry) = product.addingReportingOverflow(digit)
      guard !didOverflow, !didCarry else { return nil }
      magnitude = sum
    }
    return magnitude
  }

  /// Whether this is an exact multiple of `divisor`, computed in decimal.
  func isMultiple(of divisor: DecimalForm) -> Bool {
    if digits.isEmpty { return true }
    if divisor.digits.isEmpty { return false }
    let zeros = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
    // The divisor then ends in zeros that these digits do not have.
    if zeros < 0 { return false }
    // More zeros add only factors of two and five, and a divisor of n digits has fewer than 4n of
    // those.
    let appended = min(zeros, 4 * divisor.digits.count)
    let dividend = digits + repeatElement(0, count: appended)
    return divisor.digits.count <= 18
      ? Self.isZeroRemainder(of: dividend, by: divisor.digits)
      : Self.isZeroLongRemainder(of: dividend, by: divisor.digits)
  }

  private static func isZeroRemainder(of dividend: [UInt8], by divisor: [UInt8]) -> Bool {
    let divisor = divisor.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    return dividend.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % divisor } == 0
  }

  /// Long division as on paper, for divisors beyond a machine word.
  private static func isZeroLongRemainder(of dividend: [UInt8], by divisor: [UInt8]) -> Bool {
    // One digit wider than the divisor, the most significant digit first.
    let wide = [0] + divisor
    var remainder = [UInt8](repeating: 0, count: wide.count)
    for digit in dividend {
      remainder.removeFirst()
      remainder.append(digit)
      while !remainder.lexicographicallyPrecedes(wide) {
        var borrow: Int8 = 0
        for place in wide.indices.reversed() {
          let difference = Int8(remainder[place]) - Int8(wide[place]) - borrow
          borrow = difference < 0 ? 1 : 0
          remainder[place] = UInt8(difference + 10 * borrow)
        }
      }
    }
    return remainder.allSatisfy { $0 == 0 }
  }
}

extension DecimalForm: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? right.hasSmallerMagnitude(than: left) : left.hasSmallerMagnitude(than: right)
  }

  private func hasSmallerMagnitude(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
