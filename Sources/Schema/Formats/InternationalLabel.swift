import UnderstudyCore

/// One label of an internationalized host name, checked against the tables of RFC 5892.
///
/// The direction rules of RFC 5893 are not checked.
struct InternationalLabel {
  let scalars: [Unicode.Scalar]

  var isAllowed: Bool {
    guard let first = scalars.first, scalars.contains(where: { !$0.isASCII }) else { return false }
    let hasHyphens = scalars.count >= 4 && scalars[2] == "-" && scalars[3] == "-"
    guard !hasHyphens, scalars.last != "-", first != "-", !Self.isMark(first) else {
      return false
    }
    return scalars.indices.allSatisfy(isAllowed(at:))
  }

  private func isAllowed(at index: Int) -> Bool {
    let previous = index > 0 ? scalars[index - 1] : nil
    let next = index + 1 < scalars.count ? scalars[index + 1] : nil
    switch scalars[index].value {
    case 0x00B7: return previous == "l" && next == "l"
    case 0x0375: return next.map { Self.isGreek($0.value) } ?? false
    case 0x05F3, 0x05F4: return previous.map { 0x0590...0x05FF ~= $0.value } ?? false
    case 0x30FB: return scalars.contains { $0.value != 0x30FB && Self.isJapanese($0.value) }
    case 0x0660...0x0669: return !scalars.contains { 0x06F0...0x06F9 ~= $0.value }
    case 0x06F0...0x06F9: return !scalars.contains { 0x0660...0x0669 ~= $0.value }
    case 0x200D: return Self.isVirama(previous)
    case 0x200C: return Self.isVirama(previous) || joinsLetters(at: index)
    default: return Self.isValidAnywhere(scalars[index])
    }
  }

  /// A zero-width non-joiner is valid between letters that would otherwise join. Without data on
  /// joining types, every Arabic letter counts as one that joins.
  private func joinsLetters(at index: Int) -> Bool {
    let before = scalars[..<index].last { $0.properties.generalCategory != .nonspacingMark }
    let after = scalars[(index + 1)...].first { $0.properties.generalCategory != .nonspacingMark }
    guard let before, let after else { return false }
    return 0x0620...0x08FF ~= before.value && 0x0620...0x08FF ~= after.value
  }

  private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.canonicalCombiningClass == .virama
  }

  private static func isGreek(_ value: UInt32) -> Bool {
    0x0370...0x03FF ~= value || 0x1F00...0x1FFF ~= value
  }

  /// Hiragana, Katakana or Han.
  private static func isJapanese(_ value: UInt32) -> Bool {
    switch value {
    case 0x3005, 0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// RFC 5892, section 3: letters, digits and marks that no case folding or normalization changes,
  /// and the exceptions of section 2.6.
  private static func isValidAnywhere(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: return true
    case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return false  // old Hangul
    case 0x2D: return true
    default: break
    }
    let properties = scalar.properties
    guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint else {
      return false
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
      .decimalNumber:
      return true
    default: return false
    }
  }
}

/// The ASCII encoding of Unicode host names (RFC 3492).
enum Punycode {
  /// The decoded label, without its `xn--`; `nil` when it is not valid.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
    var output: [Unicode.Scalar] = []
    var rest = bytes
    if let hyphen = bytes.lastIndex(of: UInt8(ascii: "-")) {
      output = bytes[..<hyphen].map { Unicode.Scalar($0) }
      rest = bytes[(hyphen + 1)...]
    }
    // A label has at most 63 bytes, so inserting into an array is cheap.
    var codePoint = 128
    var index = 0
    var bias = 72
    while !rest.isEmpty {
      guard let delta = decodeInteger(&rest, bias: bias) else { return nil }
      let previous = index
      index += delta
      let count = output.count + 1
      bias = adapt(delta: index - previous, count: count, isFirst: previous == 0)
      codePoint += index / count
      index %= count
      guard codePoint <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(codePoint)) else {
        return nil
      }
      output.insert(scalar, at: index)
      index += 1
    }
    return output
  }

  private static func decodeInteger(_ rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var value = 0
    var weight = 1
    var position = 36
    while let byte = rest.popFirst() {
      guard let digit = digit(byte) else { return nil }
      value += digit * weight
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { return value }
      weight *= 36 - threshold
      position += 36
      // No scalar needs more, and the product cannot overflow.
      guard value <= 0x10FFFF * 64, weight <= 0x10FFFF * 64 else { return nil }
    }
    return nil
  }

  private static func adapt(delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var position = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      position += 36
    }
    return position + 36 * delta / (delta + 38)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    if byte.isLetter { return Int(byte | 0x20) - 97 }
    return byte.isDigit ? Int(byte) - 48 + 26 : nil
  }
}
