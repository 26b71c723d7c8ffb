/// Escapes text from outside so that everything is visible and nothing acts as a command: control
/// characters become `\u{1B}`.
extension String {
  /// On one line, whatever it contains.
  package var visible: String {
    if unicodeScalars.allSatisfy(\.isHarmless) { return self }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars { scalar.appendVisible(to: &bytes, where: \.isHarmless) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// JSON in which `##[`, the start of a CI command, is written `#\u0023[`: it can only occur in a
  /// string.
  package var inertJSON: [UInt8] {
    var inert: [UInt8] = []
    var copiedCount = 0
    for offset in indices.dropFirst(2)
    where self[offset] == UInt8(ascii: "[") && self[offset - 1] == UInt8(ascii: "#")
      && self[offset - 2] == UInt8(ascii: "#")
    {
      inert += self[copiedCount..<offset - 1]
      inert += "\\u0023".utf8
      copiedCount = offset
    }
    return copiedCount == 0 ? self : inert + self[copiedCount...]
  }
}

extension Unicode.Scalar {
  func appendVisible(to bytes: inout [UInt8], where isKept: (Unicode.Scalar) -> Bool) {
    if isKept(self) {
      bytes += UTF8.encode(self) ?? UTF8.encodedReplacementCharacter
    } else {
      bytes += "\\u{\(String(value, radix: 16, uppercase: true))}".utf8
    }
  }

  /// Whether it neither breaks a line, reorders the text around it nor controls a terminal.
  var isHarmless: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x2028, 0x2029: false
    // Marks that reorder the text around them.
    case 0x202A...0x202E, 0x2066...0x2069: false
    // Noncharacters, which XML forbids.
    case 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
