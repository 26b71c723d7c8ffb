import UnderstudyCore

/// Replaces by scalars, not by characters: a sign with an accent on it is still that sign to
/// programs that read reports.
extension String {
  /// Replaces each scalar for which there is a replacement.
  func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) {
        escaped += replacement.unicodeScalars
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  func replacing(scalars part: String, with other: String) -> String {
    String(unicodeScalars.replacing(part.unicodeScalars, with: other.unicodeScalars))
  }

  /// With spaces in their place, since what cannot be seen is written as its number.
  var withoutTabs: String { replacing(scalars: "\t", with: "  ") }

  /// As part of an address: the path of a file, or a fragment that is also the name of an element.
  var percentEncoded: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isLetterOrDigit || "/-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [.percent] + (byte < 16 ? "0" : "").utf8 + String(byte, radix: 16).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
