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
}
