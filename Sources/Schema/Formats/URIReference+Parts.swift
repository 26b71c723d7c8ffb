import UnderstudyCore
import UnderstudyJSON

extension URIReference {
  /// Whether it is a web address of the most common form, which needs no look at its parts.
  static func isPlainWebAddress(_ text: Span<UInt8>) -> Bool {
    let startCount = 8
    let groupCount = 16
    guard text.count >= startCount + groupCount, EightBytes(text, at: 0).isStartOfWebAddress else {
      return false
    }
    var start = startCount
    while start < text.count - groupCount {
      guard SixteenBytes(text, at: start).arePlainInURIs else { return false }
      start += groupCount
    }
    return SixteenBytes(text, at: text.count - groupCount).arePlainInURIs
  }

  /// The ranges of a reference's parts in its text.
  struct Parts {
    private(set) var scheme: Range<Int>?
    private(set) var authority: Range<Int>?
    let path: Range<Int>
    private(set) var query: Range<Int>?
    private(set) var fragment: Range<Int>?

    /// `nil` when the text breaks the grammar.
    init?(_ text: Span<UInt8>) {
      let schemeEnd = text.end(of: .scheme, from: 0)
      var start = 0
      if schemeEnd > 0, text[0].isLetter, text.has(UInt8(ascii: ":"), at: schemeEnd) {
        scheme = 0..<schemeEnd
        start = schemeEnd + 1
      }
      if text.has(UInt8(ascii: "/"), at: start), text.has(UInt8(ascii: "/"), at: start + 1) {
        var end = text.end(of: .name, from: start + 2)
        if end < text.count, !endsAuthority(text[end]) {
          while end < text.count, !endsAuthority(text[end]) { end += 1 }
          guard Self.isAuthority(text.copied[start + 2..<end]) else { return nil }
        }
        authority = start + 2..<end
        start = end
      }
      // Without a scheme, the text before a colon would be one.
      let isBare = scheme == nil && authority == nil
      var end = start
      if isBare, end < text.count, text[end] != UInt8(ascii: "/") {
        guard let segmentEnd = text.endEscaped(of: .firstSegment, from: end),
          !text.has(UInt8(ascii: ":"), at: segmentEnd)
        else { return nil }
        end = segmentEnd
      }
      guard let pathEnd = text.endEscaped(of: .path, from: end) else { return nil }
      path = start..<pathEnd
      end = pathEnd
      if text.has(UInt8(ascii: "?"), at: end) {
        guard let queryEnd = text.endEscaped(of: .query, from: end + 1) else { return nil }
        query = end + 1..<queryEnd
        end = queryEnd
      }
      if text.has(UInt8(ascii: "#"), at: end) {
        guard let fragmentEnd = text.endEscaped(of: .query, from: end + 1) else { return nil }
        fragment = end + 1..<fragmentEnd
        end = fragmentEnd
      }
      guard end == text.count else { return nil }
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
      var host = bytes
      if let at = bytes.firstIndex(of: UInt8(ascii: "@")) {
        guard consists(bytes[..<at], of: .user) else { return false }
        host = bytes[(at + 1)...]
      }
      var port: ArraySlice<UInt8> = []
      if host.first == UInt8(ascii: "[") {
        guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
        guard isLiteral(host[(host.startIndex + 1)..<end]) else { return false }
        port = host[(end + 1)...]
        guard port.isEmpty || port.popFirst() == UInt8(ascii: ":") else { return false }
      } else {
        port = cut(&host, at: UInt8(ascii: ":")) ?? []
        guard consists(host, of: .name) else { return false }
      }
      return port.allSatisfy(\.isDigit)
    }

    /// The content of brackets: an IPv6 address, or `v1.…` for future versions.
    private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
      if Format.isIPv6(bytes) { return true }
      var rest = bytes
      guard let version = rest.popFirst(), version | 0x20 == UInt8(ascii: "v") else { return false }
      let address = cut(&rest, at: UInt8(ascii: ".")) ?? []
      return !rest.isEmpty && rest.allSatisfy { $0.hexadecimalValue != nil } && !address.isEmpty
        && address.allSatisfy(Characters.user.contains)
    }

    /// Removes the text after the first `mark`, and the mark.
    private static func cut(_ rest: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
      guard let index = rest.firstIndex(of: mark) else { return nil }
      defer { rest = rest[..<index] }
      return rest[(index + 1)...]
    }

    private static func consists(_ bytes: ArraySlice<UInt8>, of characters: Characters) -> Bool {
      bytes.span.endEscaped(of: characters, from: 0) == bytes.count
    }
  }
}

/// A set of ASCII characters, one bit each: those before `@` and the rest.
private struct Characters {
  let low: UInt64
  let high: UInt64

  /// Letters, digits, and `+-.`.
  static let scheme = Characters(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
  /// The unreserved characters and the "sub-delims" of the grammar.
  static let name = Characters(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// The characters of a name, and `:`.
  static let user = Characters(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  /// The characters of a name, and `@`.
  static let firstSegment = Characters(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
  /// The characters of a name, and `:@/`.
  static let path = Characters(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
  /// The characters of a path, and `?`. Also for fragments.
  static let query = Characters(low: 0xAFFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

  func contains(_ byte: UInt8) -> Bool {
    (byte & 0x40 == 0 ? low : high) &>> UInt64(byte & 0x3F) & 1 == 1 && byte < 0x80
  }
}

private func endsAuthority(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
}

extension Span<UInt8> {
  fileprivate func has(_ byte: UInt8, at index: Int) -> Bool {
    index < count && self[index] == byte
  }

  /// Skips `characters` from `start` on.
  fileprivate func end(of characters: Characters, from start: Int) -> Int {
    var end = start
    while end < count, characters.contains(self[end]) { end += 1 }
    return end
  }

  /// Skips `characters` from `start` on, and `%` with two digits; `nil` if the digits are missing.
  fileprivate func endEscaped(of characters: Characters, from start: Int) -> Int? {
    var end = end(of: characters, from: start)
    while has(UInt8(ascii: "%"), at: end) {
      guard end + 2 < count, self[end + 1].hexadecimalValue != nil,
        self[end + 2].hexadecimalValue != nil
      else { return nil }
      end = self.end(of: characters, from: end + 3)
    }
    return end
  }
}
