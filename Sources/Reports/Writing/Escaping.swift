import UnderstudyCore

/// Replacing by scalars, never by what a reader takes for one character: a sign with an accent on it
/// is still a sign to those who read reports.
extension String {
  /// With another text for each scalar that has one.
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

  /// Visible, on one line, and no command to a CI system that reads it. GitHub takes a line for one
  /// that begins with `::` behind whatever cannot be seen, and, as Azure does, one with `##[` anywhere.
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
