/// A number in the one form all its spellings share: 0.*digits* × 10^*exponent*.
///
/// Nothing is ever multiplied out, so `1e999999999` costs as little as `1`.
struct DecimalForm: Hashable {
  let isNegative: Bool
  /// 0 to 9 each, neither beginning nor ending with zero; empty for zero.
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
    isNegative = !isZero && source[range.lowerBound] == .minus
  }

  var isInteger: Bool { exponent >= digits.count }

  var int: Int? {
    magnitude.flatMap { NumberText.int(magnitude: $0, isNegative: isNegative) }
  }

  /// The number without its sign when it is whole and no larger than a `UInt`.
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

  /// Whether this divided by `divisor` is an integer, computed in decimal and so exactly.
  func isMultiple(of divisor: DecimalForm) -> Bool {
    if digits.isEmpty { return true }
    if divisor.digits.isEmpty { return false }
    let zeros = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
    // The divisor then ends in zeros that these digits do not.
    if zeros < 0 { return false }
    // More zeros add only twos and fives, and a divisor of n digits has fewer than 4n of those.
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

  /// Long division as on paper, for divisors no machine word holds.
  private static func isZeroLongRemainder(of dividend: [UInt8], by divisor: [UInt8]) -> Bool {
    // One digit wider than the divisor, the most significant first.
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
