import UnderstudyCore

/// The host and port of a request (RFC 3986, section 3.2). User information is refused: RFC 9110,
/// section 4.2.4, considers it an attempt to hide the host.
enum Host {
  /// The part of `range` before the port; `nil` if the range is not a valid host, or an empty one.
  @inline(__always)
  static func parse(_ bytes: ByteScan, in value: ByteRange) -> ByteRange? {
    let range = value.offsets
    // A host is always followed by at least one byte that is not part of it.
    let first = try? bytes.first(from: range.lowerBound) { $0.isUncommonInHost }
    guard let first else { return nil }
    var end = min(first, range.upperBound)
    if end < range.upperBound, bytes[end] != .colon {
      guard let uncommon = endOfUncommonHost(bytes, in: range) else { return nil }
      end = uncommon
    }
    guard end > range.lowerBound, isPort(bytes, in: end..<range.upperBound) else { return nil }
    return ByteRange(range.lowerBound, to: end)
  }

  /// A colon and up to five digits, or nothing.
  @inline(__always)
  private static func isPort(_ bytes: ByteScan, in range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    guard bytes[range.lowerBound] == .colon, range.count <= 6 else { return false }
    let end = try? bytes.first(from: range.lowerBound &+ 1) { $0.isNoDigit }
    return (end ?? 0) >= range.upperBound
  }

  /// Where a bracketed address or a name with uncommon characters ends.
  private static func endOfUncommonHost(_ bytes: ByteScan, in range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    if bytes[offset] == .openBracket {
      offset += 1
      let start = offset
      while offset < range.upperBound, isAddress(bytes[offset]) { offset += 1 }
      guard offset > start, offset < range.upperBound, bytes[offset] == .closeBracket else {
        return nil
      }
      return offset + 1
    }
    while offset < range.upperBound, bytes[offset].isRegisteredName {
      if bytes[offset] == UInt8(ascii: "%") {
        guard offset + 2 < range.upperBound, bytes[offset + 1].hexadecimalValue != nil,
          bytes[offset + 2].hexadecimalValue != nil
        else { return nil }
      }
      offset += 1
    }
    return offset
  }

  /// The characters of an IPv6 address, which may end with an IPv4 address.
  private static func isAddress(_ byte: UInt8) -> Bool {
    byte.hexadecimalValue != nil || byte == .colon || byte == UInt8(ascii: ".")
  }
}
