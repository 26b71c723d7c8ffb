import UnderstudyCore

/// Secrets among digits and in Base64.
extension SecretScanner {
  private static let cardDigitsMin = 14
  private static let cardDigitsMax = 19

  /// A card number, written at once or in the groups of its issuer. Whole numbers that only look
  /// like one are rare: it begins as its issuer's do, has as many digits, and its check digit is
  /// right.
  mutating func card(_ offset: Int) -> Int {
    guard offset == 0 || !Self.continuesNumber(bytes[offset - 1]) else { return offset + 1 }
    var (digits, groups, end) = ([UInt8](), [0], offset)
    var separator: UInt8?
    while end < bytes.count, digits.count <= Self.cardDigitsMax {
      let byte = bytes[end]
      if byte.isDigit {
        digits.append(byte &- .zero)
        groups[groups.count - 1] += 1
      } else if byte == .space || byte == .hyphen, separator == nil || separator == byte,
        end + 1 < bytes.count, bytes[end + 1].isDigit
      {
        separator = byte
        groups.append(0)
      } else {
        break
      }
      end += 1
    }
    let isWhole = end == bytes.count || !Self.continuesNumber(bytes[end]) || Self.ends(bytes, end)
    guard isWhole, Self.isCard(digits), groups.count == 1 || Self.cardGroups.contains(groups) else {
      // Where it stopped, another may begin. The first byte is a digit, so that is behind it.
      return groups.count == 1 ? end : offset + groups[0]
    }
    let before = bytes[..<offset].last { $0 > .space }
    let after = bytes[end...].first { $0 > .space }
    let isJSONNumber =
      groups.count == 1 && before.map { ":,[".utf8.contains($0) } ?? false
      && after.map { ",]}".utf8.contains($0) } ?? true
    return isJSONNumber ? hide(offset..<end, behind: number) : hide(offset..<end)
  }

  /// A full stop ends a sentence.
  private static func ends(_ bytes: [UInt8], _ end: Int) -> Bool {
    bytes[end] == .period && (end + 1 == bytes.count || bytes[end + 1] <= .space)
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte > 127 || "-_./+@%#".utf8.contains(byte)
  }

  private static let cardGroups: Set<[Int]> = [
    [4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [4, 4, 4, 4, 3], [6, 13],
  ]

  /// Visa, Mastercard, American Express, Discover, JCB, Diners Club and UnionPay; by Luhn's sum.
  private static func isCard(_ digits: [UInt8]) -> Bool {
    guard cardDigitsMin...cardDigitsMax ~= digits.count else { return false }
    let start = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
    let counts: [Int] =
      switch start {
      case 4000...4999, 5100...5599, 2221...2720, 6011, 6440...6599, 3528...3589: [16]
      case 3400...3499, 3700...3799: [15]
      case 3000...3059, 3600...3699, 3800...3899: [14]
      case 6200...6299: [16, 17, 18, 19]
      default: []
      }
    guard counts.contains(digits.count) else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let twice = digit.offset % 2 == 0 ? Int(digit.element) : Int(digit.element) * 2
      return sum + (twice > 9 ? twice - 9 : twice)
    }
    return sum % 10 == 0
  }

  private static let encodedBytesMin = 16

  /// JSON in Base64, if something in it is to be hidden: all of it.
  mutating func encodedJSON(_ offset: Int) -> Int? {
    guard offset >= encodedEnd, offset == 0 || !bytes[offset - 1].isLetterOrDigit,
      Self.encodedStarts.contains(where: { bytes.holds($0, at: offset) })
    else { return nil }
    let end = bytes.endOfRun(of: [.word, .base64], from: offset)
    encodedEnd = end
    guard end - offset >= Self.encodedBytesMin,
      let decoded = bytes[offset..<end].decodedBase64(), masked(decoded) != nil
    else { return nil }
    return hide(offset..<end)
  }

  /// `{"`, `{ `, `{` with a line end, `[{`, `["`, `[ `.
  static let encodedStarts = ["eyJ", "eyA", "ewo", "ew0", "W3s", "WyI", "WyA"].map {
    Array($0.utf8)
  }
}

extension Collection<UInt8> {
  /// What a text in either alphabet of Base64 stands for, without its last, incomplete byte; `nil`
  /// if it is not one.
  func decodedBase64() -> [UInt8]? {
    var (decoded, word, bitCount) = ([UInt8](), UInt32(0), 0)
    decoded.reserveCapacity(count * 3 / 4)
    for sign in self where sign != .equals {
      guard let value = sign.base64Value else { return nil }
      (word, bitCount) = (word << 6 | UInt32(value), bitCount + 6)
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      decoded.append(UInt8(truncatingIfNeeded: word >> UInt32(bitCount)))
    }
    return decoded
  }
}
