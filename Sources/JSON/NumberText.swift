/// Reading the bytes of a number whose grammar the parser has checked.
enum NumberText {
  /// The value when it is exactly an `Int`, however it is written.
  static func int(in source: [UInt8], _ range: Range<Int>) -> Int? {
    let isNegative = source[range.lowerBound] == .minus
    var magnitude: UInt = 0
    for i in range.lowerBound + (isNegative ? 1 : 0)..<range.upperBound {
      guard source[i].isDigit else {
        return DecimalForm(of: source, range).int
      }
      let (product, didOverflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, didCarry) = product.addingReportingOverflow(UInt(source[i] - .zero))
      // Even so `1000000000000000000000e-5` is an Int.
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

  /// The nearest double, infinite when it is too large for one.
  ///
  /// Up to 2^53 and 10^22 both factors are exact, so one rounding gives the nearest; other numbers
  /// take the standard library's longer way.
  static func double(in source: [UInt8], _ range: Range<Int>) -> Double {
    let isNegative = source[range.lowerBound] == .minus
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

  /// Beyond this size exponents differ only in how absurd they are.
  static let exponentMax = 1_000_000_000_000_000_000

  /// The exponent after its `e`, cut off at `exponentMax`.
  static func exponent(in source: [UInt8], _ range: Range<Int>) -> Int {
    var (exponent, isNegative) = (0, false)
    for byte in source[range] {
      if byte == .minus { isNegative = true }
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
