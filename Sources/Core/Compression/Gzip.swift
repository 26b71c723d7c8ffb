/// What gzip puts around deflate's blocks (RFC 1952).
package enum Gzip {
  /// Deflate, no flags, no time, unknown system.
  package static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  package static func trailer(checksum: UInt32, byteCount: Int) -> [UInt8] {
    var trailer: [UInt8] = []
    trailer.append(littleEndian: checksum)
    trailer.append(littleEndian: UInt32(truncatingIfNeeded: byteCount))
    return trailer
  }
}

extension [UInt8] {
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
