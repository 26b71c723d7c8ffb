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
    let bytes = Array(text.utf8)
    return numbers(in: bytes).flatMap { range in
      texts.map { String(decoding: bytes.replacing(range, with: $0), as: UTF8.self) }
    }
  }

  /// The text with a member of an object written twice, for each member whose name has no escapes.
  package static func duplications(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return names(in: bytes).map { range in
      String(decoding: bytes.duplicating(range, with: "1e400"), as: UTF8.self)
    }
  }

  /// One of all variants and duplications by chance; `nil` where that has no place.
  package static func mutation(of bytes: [UInt8], _ dice: inout Dice) -> [UInt8]? {
    let isDuplicate = dice.below(2) == 0
    let places = isDuplicate ? names(in: bytes) : numbers(in: bytes)
    guard !places.isEmpty else { return nil }
    let (place, text) = (dice.pick(places), dice.pick(texts))
    return isDuplicate ? bytes.duplicating(place, with: text) : bytes.replacing(place, with: text)
  }

  private static func numbers(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while let first = bytes[start...].firstIndex(where: \.isDigit) {
      var end = bytes.digitsEnd(from: first)
      if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), bytes[end + 1].isDigit {
        end = bytes.digitsEnd(from: end + 1)
      }
      let isNegative = first > start && bytes[first - 1] == UInt8(ascii: "-")
      found.append((isNegative ? first - 1 : first)..<end)
      start = end
    }
    return found
  }

  /// The names of members, each with its colon.
  private static func names(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while let first = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) {
      start = first + 1
      guard
        let last = bytes[start...].firstIndex(where: {
          $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }), bytes[last] == UInt8(ascii: "\""),
        let colon = bytes[(last + 1)...].firstIndex(where: { !$0.isWhitespace }),
        bytes[colon] == UInt8(ascii: ":")
      else { continue }
      start = colon + 1
      found.append(first..<start)
    }
    return found
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isWhitespace: Bool { [0x20, 0x0A, 0x0D, 0x09].contains(self) }
}

extension [UInt8] {
  fileprivate func digitsEnd(from start: Int) -> Int {
    self[start...].firstIndex { !$0.isDigit } ?? count
  }

  fileprivate func replacing(_ range: Range<Int>, with text: String) -> Self {
    Array(self[..<range.lowerBound]) + text.utf8 + self[range.upperBound...]
  }

  fileprivate func duplicating(_ name: Range<Int>, with text: String) -> Self {
    Array(self[..<name.upperBound]) + " \(text), ".utf8 + self[name.lowerBound...]
  }
}
