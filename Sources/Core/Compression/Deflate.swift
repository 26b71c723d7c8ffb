/// Compresses as gzip (RFC 1952), in one deflate block with the fixed codes (RFC 1951, section
/// 3.2.6): text takes about a third of its bytes.
///
/// For what a program sends often and makes once, such as a page: the result is the same wherever
/// it runs, and the codes need no tables. `Inflate` reads it again.
package struct Deflate: ~Copyable {
  private static let lengthMin = 3
  private static let lengthMax = 258
  private static let distanceMax = 32_768
  /// How many earlier places with the same three bytes are compared.
  private static let triedMax = 64

  private var output: [UInt8]
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var writer = Deflate(output: Gzip.header)
    writer.writeBlock(bytes)
    return writer.output
      + Gzip.trailer(checksum: CRC32.checksum(of: bytes), byteCount: bytes.count)
  }

  private init(output: [UInt8]) { self.output = output }

  private mutating func writeBlock(_ bytes: [UInt8]) {
    // The last block, with the fixed codes.
    write(0b011, count: 3)
    // By three bytes: the last place that begins with them; by place: the one before it.
    var last: [UInt32: Int] = [:]
    var before = [Int](repeating: -1, count: bytes.count)
    func note(_ index: Int) {
      guard index + Self.lengthMin <= bytes.count else { return }
      let key =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      before[index] = last.updateValue(index, forKey: key) ?? -1
    }
    var index = 0
    while index < bytes.count {
      note(index)
      let match = Self.longestMatch(at: index, of: bytes, before)
      guard match.length >= Self.lengthMin else {
        writeSymbol(Int(bytes[index]))
        index += 1
        continue
      }
      writeLength(match.length)
      writeDistance(match.distance)
      for inside in (index + 1)..<(index + match.length) { note(inside) }
      index += match.length
    }
    writeSymbol(256)
    if bitCount > 0 { write(0, count: 8 - bitCount) }
  }

  private static func longestMatch(
    at index: Int, of bytes: [UInt8], _ before: [Int]
  ) -> (length: Int, distance: Int) {
    var best = (length: 0, distance: 0)
    let lengthMax = min(Self.lengthMax, bytes.count - index)
    var candidate = before[index]
    for _ in 0..<triedMax {
      guard candidate >= 0, index - candidate <= distanceMax else { break }
      var length = 0
      while length < lengthMax, bytes[candidate + length] == bytes[index + length] { length += 1 }
      if length > best.length { best = (length, index - candidate) }
      candidate = before[candidate]
    }
    return best
  }

  // MARK: - Codes

  /// A literal byte, 256 for the end, or the code of a length.
  private mutating func writeSymbol(_ symbol: Int) {
    let value = UInt32(symbol)
    switch symbol {
    case ..<144: writeCode(0x30 + value, count: 8)
    case ..<256: writeCode(0x190 + value - 144, count: 9)
    case ..<280: writeCode(value - 256, count: 7)
    default: writeCode(0xC0 + value - 280, count: 8)
    }
  }

  private mutating func writeLength(_ length: Int) {
    guard length < Self.lengthMax else { return writeSymbol(285) }
    // Eight lengths with a code each, then four codes for each number of extra bits.
    let value = length - Self.lengthMin
    guard value >= 8 else { return writeSymbol(257 + value) }
    let extra = value.significantBitCount - 3
    writeSymbol(257 + 4 * extra + value >> extra)
    write(UInt32(value & (1 << extra - 1)), count: UInt32(extra))
  }

  private mutating func writeDistance(_ distance: Int) {
    let value = distance - 1
    guard value >= 4 else { return writeCode(UInt32(value), count: 5) }
    let extra = value.significantBitCount - 2
    writeCode(UInt32(2 * extra + value >> extra), count: 5)
    write(UInt32(value & (1 << extra - 1)), count: UInt32(extra))
  }

  // MARK: - Bits

  /// Codes are packed beginning with their highest bit.
  private mutating func writeCode(_ code: UInt32, count: UInt32) {
    var reversed: UInt32 = 0
    for index in 0..<count where code >> index & 1 == 1 { reversed |= 1 << (count - 1 - index) }
    write(reversed, count: count)
  }

  private mutating func write(_ value: UInt32, count: UInt32) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }
}

extension Int {
  fileprivate var significantBitCount: Int { bitWidth - leadingZeroBitCount }
}
