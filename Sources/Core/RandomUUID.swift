/// A random UUID, version 4 (RFC 9562).
package enum RandomUUID {
  /// The text of 128 random bits, of which six are set to what the version asks for.
  package static func text(high: UInt64, low: UInt64) -> String {
    let digits =
      hexadecimal(high & ~0xF000 | 0x4000) + hexadecimal(low & ~(0b11 << 62) | 0b10 << 62)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
