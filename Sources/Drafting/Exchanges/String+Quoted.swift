import UnderstudyCore
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
    return String(decoding: Array(text.utf8).inertJSON, as: UTF8.self)
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
