/// Text from anywhere, so that all of it can be seen and none of it is obeyed: control characters are
/// spelled, `\u{1B}`.
extension String {
  /// On one line, whatever it holds.
  package var visible: String {
    if unicodeScalars.allSatisfy(\.isHarmless) { return self }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars { scalar.appendVisible(to: &bytes, where: \.isHarmless) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// JSON in which `##[`, the beginning of a command to a CI system, is spelled `#\u0023[`: it can
  /// only stand in a string.
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

  /// Whether it neither breaks a line, nor moves what stands beside it, nor commands a terminal.
  var isHarmless: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x2028, 0x2029: false
    // Marks that reorder the text around them.
    case 0x202A...0x202E, 0x2066...0x2069: false
    // No characters at all, and forbidden in XML.
    case 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
