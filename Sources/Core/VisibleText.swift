/// Text from outside, harmless to whoever shows it: everything is visible, and nothing acts as a
/// command, neither to a terminal nor to a CI system.
extension String {
  /// On one line, whatever it contains: `\u{1B}` for a control character, and `##vso\u{5B}` for the
  /// start of a command. It does not begin the line.
  package var visible: String { shown(CommandWatch(startsLine: false), where: \.isHarmless) }

  /// On one line, as `visible`, for a text that begins the line, where CI systems see more
  /// commands.
  package var inert: String { shown(CommandWatch(), where: \.isHarmless) }

  /// Without the commands of CI systems; everything else stays as it is.
  package var commandless: String { shown(CommandWatch()) { _ in true } }

  private func shown(
    _ watch: CommandWatch, where isKept: (Unicode.Scalar) -> Bool
  ) -> String {
    // A command in printable ASCII needs one of these.
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != .hash && $0 != .colon }) { return self }
    var first = watch
    guard unicodeScalars.contains(where: { !isKept($0) || first.completes($0) }) else {
      return self
    }
    var (watch, bytes) = (watch, [UInt8]())
    for scalar in unicodeScalars { watch.append(scalar, to: &bytes, where: isKept) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Equal JSON, with escapes in its strings for what `visible` does not keep.
  package var inertJSON: [UInt8] {
    guard mayActAsCommand else { return self }
    var (watch, inert) = (CommandWatch(), [UInt8]())
    inert.reserveCapacity(count)
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      // Between strings, these three are layout.
      if !watch.completes(scalar), scalar.isHarmless || "\t\n\r".unicodeScalars.contains(scalar) {
        inert += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          inert += "\\u".utf8
          inert += repeatElement(.zero, count: 4 - digits.utf8.count)
          inert += digits.utf8
        }
      }
    }
    return inert
  }

  /// Whether a closer look is needed.
  private var mayActAsCommand: Bool {
    var last: UInt8 = 0
    for byte in self {
      // `##`, and the end of `section_start:`.
      if byte >= .delete || byte == .hash && last == .hash || byte == .colon && last.isLetter {
        return true
      }
      last = byte
    }
    return false
  }
}

extension [UInt8] {
  /// How many bytes at the end begin a scalar (RFC 3629) without completing it.
  package var cutScalarByteCount: Int {
    let rest = suffix(3)
    guard let start = rest.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let byteCount = (~self[start]).leadingZeroBitCount
    return 2...4 ~= byteCount && byteCount > count - start ? count - start : 0
  }
}

extension CommandWatch {
  /// Writes a scalar, or its escape if it is not kept or would complete a command.
  mutating func append(
    _ scalar: Unicode.Scalar, to bytes: inout [UInt8], where isKept: (Unicode.Scalar) -> Bool
  ) {
    let isKept = isKept(scalar)
    // An escape begins with a backslash.
    if completes(isKept ? scalar : "\\") || !isKept {
      bytes += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
    } else {
      bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
  }
}

extension Unicode.Scalar {
  /// Whether it neither breaks a line, reorders the text around it nor controls a terminal.
  var isHarmless: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x2028, 0x2029: false
    // Marks that reorder the text around them.
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
    // Noncharacters, which XML forbids.
    case 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
