/// Numbers at the ends of what types can hold, and beyond.
package enum ExtremeNumbers {
  package static let texts = [
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "123456789012345678901234567890", "1e19", "1e308", "1e400", "-1e400",
    "1e-400", "4294967296", "2147483647", "-1", "-0", "0", "0.1",
  ]

  /// The text with one of its numbers replaced, for each number and each extreme. Digits within
  /// words and strings count, too: templates and durations have them.
  package static func variants(of text: String) -> [String] {
    let numbers = text.ranges(of: /-?[0-9]+(?:\.[0-9]+)?/)
    return numbers.flatMap { range in
      texts.map { text.replacingCharacters(range, $0) }
    }
  }

  /// The text with a member of an object written twice, for each member whose name has no escapes.
  package static func duplications(of text: String) -> [String] {
    text.matches(of: /"[^"\\]*"\s*:/).map { match in
      text.replacingCharacters(
        match.range.lowerBound..<match.range.lowerBound, "\(match.output) 1e400, ")
    }
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, _ text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
