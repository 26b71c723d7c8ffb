import UnderstudyCore
import UnderstudyJSON

/// Values of JSON by their names, and texts in strings, with any escapes.
extension SecretScanner {
  /// Each quote is treated as the start of a string, since in a broken text any could be.
  mutating func string(_ offset: Int) -> Int {
    let (end, isEscaped) = bytes.endOfString(from: offset)
    let colon = bytes.endOfSpace(from: end)
    if colon < bytes.count, bytes[colon] == .colon {
      let name = bytes.content(of: offset..<end)
      let plain = isEscaped ? Self.unescaped(name)[...] : name
      let value = bytes.endOfSpace(from: colon + 1)
      if let rule = names.rule(of: plain, in: .field) ?? ruleByLabel(offset, plain, value),
        let valueEnd = hideValue(value, rule)
      {
        return valueEnd
      }
    }
    guard isEscaped else { return offset + 1 }
    if let masked = masked(Self.unescaped(bytes.content(of: offset..<end))) {
      return hide(offset..<end, behind: Self.quoted(masked))
    }
    return offset + 1
  }

  /// Hides a value and returns its end; `nil` if none of it must be hidden.
  mutating func hideValue(_ start: Int, _ rule: SecretNames.Rule) -> Int? {
    guard start < bytes.count else { return nil }
    guard rule == .whole || rule == .texts else {
      guard bytes[start] == .quote else {
        guard rule == .digits else { return nil }
        let end = bytes.endOfWord(from: start)
        return rule.hides(bytes[start..<end]) ? hide(start..<end, behind: number) : nil
      }
      let (end, _) = bytes.endOfString(from: start)
      return rule.hides(bytes.content(of: start..<end))
        ? hide(start..<end, behind: Self.quotedMark) : nil
    }
    var (offset, depth) = (start, 0)
    while offset < bytes.count {
      switch bytes[offset] {
      case .quote:
        let (end, _) = bytes.endOfString(from: offset)
        let next = bytes.endOfSpace(from: end)
        let isName = depth > 0 && next < bytes.count && bytes[next] == .colon
        if !isName, end - offset > 2 || bytes[end - 1] != .quote, !isTemplate(offset..<end) {
          _ = hide(offset..<end, behind: Self.quotedMark)
        }
        offset = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return offset }
        depth -= 1
        offset += 1
      case UInt8(ascii: ","), .colon, ...UInt8.space:
        if depth == 0 { return offset }
        offset += 1
        continue
      default:
        let end = bytes.endOfWord(from: offset)
        hideWord(offset..<end, rule)
        offset = end
      }
      if depth == 0 { return offset }
    }
    return offset
  }

  /// Whether a value only names the source of the secret, as in `"Bearer {UNDERSTUDY_TOKEN}"`.
  func isTemplate(_ range: Range<Int>) -> Bool {
    range.contains { bytes[$0] == UInt8(ascii: "{") && bytes.holds(Self.variable, at: $0) }
  }

  private static let variable = Array("{UNDERSTUDY_".utf8)
  private static let words = ["true", "false", "null"].map { Array($0.utf8) }

  /// Text that is not a JSON value may be a secret that has lost its quotes.
  mutating func hideWord(_ range: Range<Int>, _ rule: SecretNames.Rule) {
    let word = bytes[range]
    if word.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) {
      if rule == .whole { _ = hide(range, behind: number) }
    } else if !Self.words.contains(where: word.elementsEqual) {
      _ = hide(range, behind: Self.quotedMark)
    }
  }

  private static let quotedMark = quoted(mark)

  private static func quoted(_ text: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(String(decoding: text, as: UTF8.self))
    return writer.bytes
  }

  /// An invalid backslash is kept.
  private static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array(content)
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var offset = 0
    while offset < content.count {
      let byte = content[offset]
      offset += 1
      guard byte == .backslash, offset < content.count else {
        text.append(byte)
        continue
      }
      if let (meant, end) = TextEscape.meantByLetter(content, offset) {
        text += meant
        offset = end
      } else {
        text.append(content[offset] == .backslash ? .backslash : byte)
        if content[offset] == .backslash { offset += 1 }
      }
    }
    return text
  }
}
