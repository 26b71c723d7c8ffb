/// Base64 of RFC 4648, with padding.
package enum Base64 {
  /// Decodes text, ignoring white space; `nil` when it is not base64.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var letterCount = 0
    var paddingCount = 0
    for letter in text where letter > 0x20 {
      if letter == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      let value = values[Int(letter)]
      guard paddingCount == 0, value != noValue else { return nil }
      group = group << 6 | UInt32(value)
      letterCount += 1
      if letterCount % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    guard (letterCount + paddingCount) % 4 == 0, paddingCount <= 2 else { return nil }
    switch letterCount % 4 {
    case 0: return paddingCount == 0 ? bytes : nil
    case 2: return bytes + [UInt8(truncatingIfNeeded: group >> 4)]
    case 3: return bytes + [10, 2].map { UInt8(truncatingIfNeeded: group >> $0) }
    default: return nil
    }
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let noValue: UInt8 = 0xFF
  /// By letter.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: noValue, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let group = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for place in 0..<4 {
        let isPadding = place > piece.count
        text.append(
          isPadding ? UInt8(ascii: "=") : letters[Int(group >> UInt32(18 - 6 * place) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
