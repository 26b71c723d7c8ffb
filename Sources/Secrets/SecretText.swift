import UnderstudyCore
import UnderstudyJSON

/// A secret to find in texts in any spelling: as it is, with JSON escapes (including JSON in JSON),
/// or percent-encoded.
struct SecretText: Sendable {
  /// What replaces it.
  static let mark = "[redacted]"

  private let bytes: [UInt8]
  /// Whether it only counts as a whole word.
  private let isWord: Bool

  init(_ text: String, isWord: Bool = false) {
    bytes = Array(text.utf8)
    self.isWord = isWord
  }

  /// Whether a text whose next byte is this one can start with the secret.
  func canBegin(with byte: UInt8) -> Bool {
    byte == bytes.first || byte == .backslash || byte == UInt8(ascii: "%")
  }

  /// Where it ends in a text, if it starts at this place.
  func end(in text: [UInt8], from start: Int) -> Int? {
    guard let end = end(in: text, start, after: 0) else { return nil }
    let isPart =
      start > 0 && Self.continues(text[start - 1]) || end < text.count && Self.continues(text[end])
    return isWord && isPart ? nil : end
  }

  /// Whether a byte continues a word, number, date, path or host.
  private static func continues(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte > 127 || "-_./@%".utf8.contains(byte)
  }

  /// An ambiguous byte is read both ways: recursion is as deep as there are such bytes.
  private func end(in text: [UInt8], _ start: Int, after count: Int) -> Int? {
    var (offset, index) = (start, count)
    while index < bytes.count {
      guard offset < text.count else { return nil }
      let (byte, wanted) = (text[offset], bytes[index])
      switch byte {
      case .backslash: return escaped(in: text, offset, index)
      case UInt8(ascii: "%"):
        if Self.hex(text, offset + 1, 2).map({ $0 == UInt32(wanted) }) ?? false,
          let end = end(in: text, offset + 3, after: index + 1)
        {
          return end
        }
        guard byte == wanted else { return nil }
      case UInt8(ascii: "+") where wanted == .space: break
      default: guard byte == wanted else { return nil }
      }
      offset += 1
      index += 1
    }
    return offset
  }

  private func escaped(in text: [UInt8], _ start: Int, _ index: Int) -> Int? {
    let after = text[start...].firstIndex { $0 != .backslash } ?? text.count
    if after < text.count, let (meant, end) = Self.meant(text, after),
      bytes[index...].starts(with: meant),
      let end = self.end(in: text, end, after: index + meant.count)
    {
      return end
    }
    // Its own backslashes, each possibly escaped.
    let own = bytes[index...].prefix { $0 == .backslash }.count
    guard own > 0, after - start >= own else { return nil }
    return end(in: text, after, after: index + own)
  }

  /// The meaning of a letter after a backslash, and where the escape ends.
  static func meant(_ text: [UInt8], _ offset: Int) -> ([UInt8], end: Int)? {
    switch text[offset] {
    case .quote, UInt8(ascii: "/"): return ([text[offset]], offset + 1)
    case UInt8(ascii: "b"): return ([8], offset + 1)
    case UInt8(ascii: "t"): return ([9], offset + 1)
    case UInt8(ascii: "n"): return ([10], offset + 1)
    case UInt8(ascii: "f"): return ([12], offset + 1)
    case UInt8(ascii: "r"): return ([13], offset + 1)
    case UInt8(ascii: "u"):
      guard let unit = hex(text, offset + 1, 4) else { return nil }
      if let scalar = Unicode.Scalar(unit) {
        return (Array(String(Character(scalar)).utf8), offset + 5)
      }
      // Half of a pair: the other half has its own backslashes.
      let next = text[(offset + 5)...].firstIndex { $0 != .backslash } ?? text.count
      guard unit < 0xDC00, next < text.count, text[next] == UInt8(ascii: "u"),
        let low = hex(text, next + 1, 4), 0xDC00...0xDFFF ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { return nil }
      return (Array(String(Character(scalar)).utf8), next + 5)
    default: return nil
    }
  }

  static func hex(_ text: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
    guard start + count <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<start + count] {
      guard let digit = byte.hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
