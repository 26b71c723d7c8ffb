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

  /// Visible, on one line, and not a command to a CI system. GitHub treats a line as a command if
  /// its visible part starts with `::`; GitHub and Azure do so if it contains `##[`.
  var inert: String {
    var scalars = visible.unicodeScalars
    let start = scalars.firstIndex {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
    }
    if let start, scalars[start...].starts(with: "::".unicodeScalars) {
      scalars.replaceSubrange(start...start, with: "\\u{3A}".unicodeScalars)
    }
    return String(scalars).replacing(scalars: "##[", with: "#\\u{23}[")
  }
}
