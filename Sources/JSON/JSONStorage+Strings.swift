import UnderstudyCore
import UnderstudySystem

/// Reads strings from the tape. Keys are compared byte for byte: Swift's `==` on strings treats
/// different spellings of `é` as equal, JSON does not.
extension JSONStorage {
  func text(ofString index: Int) -> String {
    withBytes(ofString: index) { String(decoding: $0, as: UTF8.self) }
  }

  @inline(__always)
  func isString(_ index: Int, equalTo bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = tape[index]
    if word.tag == .string, word.length != bytes.count { return false }
    return withBytes(ofString: index) { $0.isEqual(to: bytes) }
  }

  /// Calls the body with the UTF-8 bytes of a string or key, escapes resolved.
  @inline(__always)
  func withBytes<Result>(
    ofString index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let word = tape[index]
    if word.tag == .escapedString { return try withUnescapedBytes(of: word, body) }
    // SAFETY: the parser found the string inside the text; the pointer does not leave the closure.
    return try source.withUnsafeBufferPointer { source in
      try body(
        UnsafeBufferPointer(
          start: source.baseAddress.unsafelyUnwrapped + word.offset + 1, count: word.length))
    }
  }

  private func withUnescapedBytes<Result>(
    of word: TapeWord, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = word.offset + 1
    return try Self.unescaped(source[start..<start + word.length]).withUnsafeBufferPointer(body)
  }

  /// Resolves escapes that the parser has accepted.
  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let place = rest.firstIndex(of: .backslash) {
      bytes += rest[..<place]
      rest = rest[(place + 1)...]
      guard let escape = rest.popFirst() else { break }
      switch escape {
      case UInt8(ascii: "b"): bytes.append(0x08)
      case .letterF: bytes.append(0x0C)
      case .letterN: bytes.append(.newline)
      case UInt8(ascii: "r"): bytes.append(.carriageReturn)
      case .letterT: bytes.append(.tab)
      case UInt8(ascii: "u"):
        var scalar = codeUnit(&rest)
        if 0xD800..<0xDC00 ~= scalar {
          rest = rest.dropFirst(2)
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (codeUnit(&rest) - 0xDC00)
        }
        if let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) {
          bytes.append(contentsOf: encoded)
        }
      default: bytes.append(escape)
      }
    }
    bytes += rest
    return bytes
  }

  private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    var unit: UInt32 = 0
    for digit in rest.prefix(4) { unit = unit << 4 | UInt32(digit.hexadecimalValue ?? 0) }
    rest = rest.dropFirst(4)
    return unit
  }
}

extension JSONValue {
  /// Whether both are written with the same bytes.
  package func hasSameSource(as other: JSONValue) -> Bool {
    let (range, otherRange) = (byteRange, other.byteRange)
    // SAFETY: both ranges have the same length.
    return range.count == otherRange.count
      && storage.source.withUnsafeBufferPointer { own in
        other.storage.source.withUnsafeBufferPointer { others in
          UnsafeBufferPointer(rebasing: own[range])
            .isEqual(to: UnsafeBufferPointer(rebasing: others[otherRange]))
        }
      }
  }

  /// A hash that, in this process, is equal for values that differ only in white space between
  /// tokens.
  package var compactHash: Int {
    var hasher = Hasher()
    // SAFETY: the hasher reads the bytes and keeps none of them.
    compact.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  package func hashSource(into hasher: inout Hasher) {
    storage.source.withUnsafeBytes { bytes in
      // SAFETY: the hasher reads the value's bytes and keeps none of them.
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[byteRange]))
    }
  }

  /// The value at the same place in another value with the same text. Values outside of `original`
  /// stay where they are.
  package func moved(from original: JSONValue, to other: JSONValue) -> JSONValue {
    guard storage === original.storage,
      original.index..<storage.tape.index(after: original.index) ~= index
    else { return self }
    return JSONValue(other.storage, index - original.index + other.index)
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inlinable
  func isEqual(to other: Self) -> Bool {
    guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
      return count == other.count
    }
    return left.hasEqualBytes(right, count: count)
  }
}

extension UnsafePointer<UInt8> {
  /// Keys are short, so words are compared before any function is called.
  @inlinable
  func hasEqualBytes(_ other: Self, count: Int) -> Bool {
    // SAFETY: both have `count` bytes, and words are read only within them.
    if count > 32 { return isEqual(to: other, count: count) }
    if count > 16 {
      return word == other.word && (self + 8).word == (other + 8).word
        && (self + (count - 16)).word == (other + (count - 16)).word
        && (self + (count - 8)).word == (other + (count - 8)).word
    }
    if count >= 8 {
      return word == other.word && (self + (count - 8)).word == (other + (count - 8)).word
    }
    if count >= 4 {
      return quarter == other.quarter
        && (self + (count - 4)).quarter == (other + (count - 4)).quarter
    }
    return count == 0
      || self[0] == other[0] && self[count / 2] == other[count / 2]
        && self[count - 1] == other[count - 1]
  }

  /// For inlining into modules that do not import `memcmp`.
  @usableFromInline
  func isEqual(to other: Self, count: Int) -> Bool {
    CLibrary.areEqual(self, other, count: count)
  }
}

extension String {
  /// Calls the body with the string's UTF-8 bytes.
  // SAFETY: the pointer is valid only during the call, and no body lets it escape.
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}
