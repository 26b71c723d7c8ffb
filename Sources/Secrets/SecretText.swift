import UnderstudyCore

/// A secret to find in texts in any spelling: with the escapes of JSON (including JSON in JSON),
/// URLs, HTML or quoted-printable, and in Base64 or hexadecimal, which may have such escapes in
/// turn.
struct SecretText: Sendable {
  /// What replaces it.
  static let mark = "[redacted]"

  private enum Coding: Sendable {
    case plain
    /// Base64 of a secret that begins after so many bytes of a group of three.
    case base64(after: Int)
    case hex
  }

  private let bytes: [UInt8]
  private let coding: Coding
  /// Whether it only counts as a whole word.
  private let isWord: Bool

  private init(_ bytes: [UInt8], _ coding: Coding, isWord: Bool = false) {
    (self.bytes, self.coding, self.isWord) = (bytes, coding, isWord)
  }

  /// Shorter ones would be found in the Base64 of anything.
  static let encodedBytesMin = 6

  /// The five forms to search for, or one.
  static func forms(of text: String, isWord: Bool = false) -> [SecretText] {
    let bytes = Array(text.utf8)
    let plain = SecretText(bytes, .plain, isWord: isWord)
    guard !isWord, bytes.count >= encodedBytesMin else { return [plain] }
    let digits = Array("0123456789abcdef".utf8)
    let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return [plain, SecretText(hex, .hex)]
      + (0..<3).map { SecretText(base64(bytes, after: $0), .base64(after: $0)) }
  }

  /// The letters that depend on these bytes alone, whatever is before and after them.
  private static func base64(_ bytes: [UInt8], after count: Int) -> [UInt8] {
    let letters = Array(Base64.encode([UInt8](repeating: 0, count: count) + bytes).utf8)
    let bitCount = (count + bytes.count) * 8
    return Array(letters[((count * 8 + 5) / 6)..<(bitCount / 6)])
  }

  /// The bytes with which it can begin, where no escape does.
  var firsts: [UInt8] { (UInt8.min...UInt8.max).filter { fits($0, bytes[0]) } }

  /// The range in a text that hides it, if it starts at this place.
  func range(in text: [UInt8], from start: Int) -> Range<Int>? {
    guard var end = end(in: text, start, after: 0) else { return nil }
    switch coding {
    case .plain:
      let isPart =
        start > 0 && Self.continues(text[start - 1])
        || end < text.count && Self.continues(text[end])
      return isWord && isPart ? nil : start..<end
    case .hex: return start..<end
    case .base64(let after):
      // The letters at both ends may have some of its bits.
      let hasBefore = after > 0 && start > 0 && text[start - 1].base64Value != nil
      if end < text.count, text[end].base64Value != nil { end += 1 }
      return (hasBefore ? start - 1 : start)..<end
    }
  }

  /// Whether a byte continues a word, number, date, path or host.
  private static func continues(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte > 127 || "-_./@%".utf8.contains(byte)
  }

  /// Whether a byte of a text, or of what an escape means, is as wanted.
  private func fits(_ byte: UInt8, _ wanted: UInt8) -> Bool {
    if byte == wanted { return true }
    switch coding {
    case .plain: return false
    case .hex: return byte.isLetter && byte.lowercased == wanted
    case .base64:
      return byte == .hyphen && wanted == .plus || byte == Self.underscore && wanted == .slash
    }
  }

  private static let underscore = UInt8(ascii: "_")

  /// An ambiguous byte is read both ways: recursion is as deep as there are such bytes.
  private func end(in text: [UInt8], _ start: Int, after count: Int) -> Int? {
    var (offset, index) = (start, count)
    while index < bytes.count {
      guard offset < text.count else { return nil }
      let (byte, wanted) = (text[offset], bytes[index])
      switch byte {
      case .backslash: return escaped(in: text, offset, index)
      case .percent, .equals, .ampersand:
        for (meant, next) in TextEscape.meanings(text, offset)
        where meant.count <= bytes.count - index
          && zip(meant, bytes[index...]).allSatisfy({ fits($0, $1) })
        {
          if let end = end(in: text, next, after: index + meant.count) { return end }
        }
        guard byte == wanted else { return nil }
      case .plus where wanted == .space: break
      case .newline where index > 0 && isWrapped, .carriageReturn where index > 0 && isWrapped:
        offset += 1
        continue
      default: guard fits(byte, wanted) else { return nil }
      }
      offset += 1
      index += 1
    }
    return offset
  }

  /// Whether encoders break its lines.
  private var isWrapped: Bool { if case .plain = coding { false } else { true } }

  private func escaped(in text: [UInt8], _ start: Int, _ index: Int) -> Int? {
    let after = text[start...].firstIndex { $0 != .backslash } ?? text.count
    if after < text.count, let (meant, end) = TextEscape.meantByLetter(text, after) {
      if meant.count <= bytes.count - index,
        zip(meant, bytes[index...]).allSatisfy({ fits($0, $1) }),
        let end = self.end(in: text, end, after: index + meant.count)
      {
        return end
      }
      if isWrapped, index > 0, meant == [.newline] || meant == [.carriageReturn] {
        return self.end(in: text, end, after: index)
      }
    }
    // Its own backslashes, each possibly escaped.
    let own = bytes[index...].prefix { $0 == .backslash }.count
    guard own > 0, after - start >= own else { return nil }
    return end(in: text, after, after: index + own)
  }
}

/// All secrets to find, by the bytes with which they begin.
struct SecretTexts: Sendable {
  /// The longest first.
  private let byFirst: [[SecretText]]
  /// Whether a secret, or an escape in it, can begin with a byte.
  let mayBegin: [Bool]
  let isEmpty: Bool

  init(_ texts: [SecretText]) {
    var byFirst = [[SecretText]](repeating: [], count: 256)
    for text in texts {
      for first in text.firsts { byFirst[Int(first)].append(text) }
    }
    self.byFirst = byFirst
    let escapes: [UInt8] = [.backslash, .percent, .equals, .ampersand]
    mayBegin = byFirst.indices.map { !byFirst[$0].isEmpty || escapes.contains(UInt8($0)) }
    isEmpty = texts.isEmpty
  }

  /// The range to hide for a secret that starts at this place.
  func range(in text: [UInt8], from start: Int) -> Range<Int>? {
    let byte = text[start]
    var meant: [UInt8?] = []
    switch byte {
    case .backslash:
      // One escape may have many of them: it starts with the first.
      if start > 0, text[start - 1] == .backslash { return nil }
      let after = text[start...].firstIndex { $0 != .backslash } ?? text.count
      if after < text.count { meant = [TextEscape.meantByLetter(text, after)?.bytes.first] }
    case .percent, .equals, .ampersand:
      meant = TextEscape.meanings(text, start).map(\.bytes.first)
    default: break
    }
    for case let first? in meant where first != byte {
      if let range = found(first, text, start) { return range }
    }
    return found(byte, text, start)
  }

  private func found(_ first: UInt8, _ text: [UInt8], _ start: Int) -> Range<Int>? {
    for secret in byFirst[Int(first)] {
      if let range = secret.range(in: text, from: start) { return range }
    }
    return nil
  }
}
