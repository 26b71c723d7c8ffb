/// The encoding by which a host name in ASCII stands for one in Unicode (RFC 3492).
enum Punycode {
  /// The text a label stands for, `xn--` already taken away; `nil` when it stands for none.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
    var output: [Unicode.Scalar] = []
    var rest = bytes
    if let hyphen = bytes.lastIndex(of: UInt8(ascii: "-")) {
      output = bytes[..<hyphen].map { Unicode.Scalar($0) }
      rest = bytes[(hyphen + 1)...]
    }
    // A label is at most 63 bytes, so that inserting into an array costs nothing to speak of.
    var codePoint = 128
    var index = 0
    var bias = 72
    while !rest.isEmpty {
      guard let delta = decodeInteger(&rest, bias: bias) else { return nil }
      let previous = index
      index += delta
      let count = output.count + 1
      bias = adapt(delta: index - previous, count: count, isFirst: previous == 0)
      codePoint += index / count
      index %= count
      guard codePoint <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(codePoint)) else {
        return nil
      }
      output.insert(scalar, at: index)
      index += 1
    }
    return output
  }

  private static func decodeInteger(_ rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var value = 0
    var weight = 1
    var position = 36
    while let byte = rest.popFirst() {
      guard let digit = digit(byte) else { return nil }
      value += digit * weight
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { return value }
      weight *= 36 - threshold
      position += 36
      // No scalar needs more, and the product stays far from overflowing.
      guard value <= 0x10FFFF * 64, weight <= 0x10FFFF * 64 else { return nil }
    }
    return nil
  }

  private static func adapt(delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var position = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      position += 36
    }
    return position + 36 * delta / (delta + 38)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    if isLetter(byte) { return Int(byte | 0x20) - 97 }
    return isDigit(byte) ? Int(byte) - 48 + 26 : nil
  }
}
