import UnderstudyContractModel
import UnderstudyCore

/// How a body is encoded before it is framed.
///
/// Gzip is written as stored blocks (RFC 1951, section 3.2.4): every reader accepts them, and bytes
/// keep their positions, so a contract's offsets stay recognizable on the wire.
enum ContentCoding: Equatable {
  case identity
  case gzip
  case brokenGzip(Malformation.GzipFault)

  func encode(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .identity, .brokenGzip(.plain): return bytes
    case .gzip: return Self.gzip(bytes, checksum: CRC32.checksum(of: bytes))
    case .brokenGzip(.corrupt): return Self.gzip(bytes, checksum: ~CRC32.checksum(of: bytes))
    case .brokenGzip(.truncated):
      // Half of the compressed data: many readers accept a missing trailer, none a missing end.
      let whole = Self.gzip(bytes, checksum: 0)
      let dataLength = whole.count - Gzip.header.count - Self.trailerLength
      return Array(whole[..<(Gzip.header.count + dataLength / 2)])
    }
  }

  private static let trailerLength = 8
  private static let blockLengthMax = 65_535

  private static func gzip(_ bytes: [UInt8], checksum: UInt32) -> [UInt8] {
    let blockCount = max(1, (bytes.count + blockLengthMax - 1) / blockLengthMax)
    var output = Gzip.header
    output.reserveCapacity(Gzip.header.count + bytes.count + 5 * blockCount + trailerLength)
    var rest = bytes[...]
    for index in 1...blockCount {
      let block = rest.prefix(blockLengthMax)
      let length = UInt16(truncatingIfNeeded: block.count)
      output.append(index == blockCount ? 1 : 0)
      output.append(littleEndian: length)
      output.append(littleEndian: ~length)
      output += block
      rest = rest.dropFirst(block.count)
    }
    output += Gzip.trailer(checksum: checksum, byteCount: bytes.count)
    return output
  }
}
