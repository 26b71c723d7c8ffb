/// Text from anywhere, so that all of it can be seen and none of it is obeyed: control characters are
/// spelled, `\u{1B}`.
extension String {
  /// On one line, whatever it holds.
  package var visible: String {
    if unicodeScalars.allSatisfy(\.isHarmless) { return self }
    var bytes: [UInt8] = []
    appendVisible(to: &bytes, where: \.isHarmless)
    return String(decoding: bytes, as: UTF8.self)
  }

  func appendVisible(to bytes: inout [UInt8], where isKept: (Unicode.Scalar) -> Bool) {
    for scalar in unicodeScalars {
      if isKept(scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        bytes += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      }
    }
  }
}

extension Unicode.Scalar {
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
