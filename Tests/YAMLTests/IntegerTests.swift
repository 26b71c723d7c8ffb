import Testing
import UnderstudyTestSupport

/// Integers of base 16 and 8, however large, against arithmetic as on paper.
@Suite struct IntegerTests {
  private static let bases = [(base: 16, prefix: "0x"), (base: 8, prefix: "0o")]

  /// The digits of another base as a decimal number.
  private static func decimal(_ digits: [Int], base: Int) -> String {
    var number = [0]
    for digit in digits {
      var carry = digit
      for index in number.indices {
        let sum = number[index] * base + carry
        (number[index], carry) = (sum % 10, sum / 10)
      }
      while carry > 0 {
        number.append(carry % 10)
        carry /= 10
      }
    }
    return number.reversed().map(String.init).joined()
  }

  /// A decimal number in another base.
  private static func digits(_ decimal: String, base: Int) -> [Int] {
    var rest = decimal.compactMap(\.wholeNumberValue)
    var digits: [Int] = []
    while !rest.isEmpty {
      var (remainder, quotient) = (0, [Int]())
      for digit in rest {
        let sum = remainder * 10 + digit
        if !quotient.isEmpty || sum >= base { quotient.append(sum / base) }
        remainder = sum % base
      }
      digits.append(remainder)
      rest = quotient
    }
    return digits.reversed()
  }

  private static func text(_ digits: [Int], base: Int) -> String {
    digits.map { String($0, radix: base) }.joined()
  }

  @Test("zeros stay inside of a number", arguments: 0...40)
  func zeros(count: Int) {
    for number in [
      "1\(String(repeating: "0", count: count))7", "9\(String(repeating: "0", count: count))",
    ] {
      for (base, prefix) in Self.bases {
        let written = prefix + Self.text(Self.digits(number, base: base), base: base)
        #expect(translated(written) == number, "\(written)")
      }
    }
  }

  @Test("any digits are the same number", arguments: 0..<20)
  func random(seed: UInt64) {
    var dice = Dice(seed: seed)
    for (base, prefix) in Self.bases {
      let digits = (0...dice.below(60)).map { _ in dice.below(3) == 0 ? 0 : dice.below(base) }
      let written = prefix + Self.text(digits, base: base)
      #expect(translated(written) == Self.decimal(digits, base: base), "\(written)")
    }
  }
}
