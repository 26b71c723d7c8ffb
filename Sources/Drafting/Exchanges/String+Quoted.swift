import UnderstudyJSON

extension String {
  /// As a JSON string without characters that terminals or editors interpret.
  package var quoted: String {
    var writer = JSONWriter()
    writer.string(self)
    return String(decoding: writer.bytes, as: UTF8.self).escapingUnseen
  }

  /// JSON with invisible characters escaped.
  package var escapingUnseen: String {
    guard unicodeScalars.contains(where: \.isUnseen) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard scalar.isUnseen else {
        text.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
