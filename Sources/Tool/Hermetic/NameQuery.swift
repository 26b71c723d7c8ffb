/// One question of a resolver, as DNS has it on the wire (RFC 1035, section 4).
struct NameQuery {
  enum Response: Hashable {
    /// An address of IPv4 or IPv6, which is of the type that was asked for.
    case address([UInt8])
    /// The name exists, and has nothing of this type.
    case nothing
    case noSuchName
  }

  static let ipv4: UInt16 = 1
  static let ipv6: UInt16 = 28

  /// In lowercase, without the last dot.
  let name: String
  let type: UInt16
  /// The header and the question.
  let message: ArraySlice<UInt8>

  private static let headerByteCount = 12

  /// `nil` for what is not one plain question.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > Self.headerByteCount, bytes[2] & 0xF8 == 0, bytes[4] == 0, bytes[5] == 1
    else { return nil }
    var labels: [String] = []
    var place = Self.headerByteCount
    while place < bytes.count, bytes[place] > 0 {
      let end = place + 1 + Int(bytes[place])
      guard bytes[place] < 64, end < bytes.count else { return nil }
      labels.append(String(decoding: bytes[(place + 1)..<end], as: UTF8.self).lowercased())
      place = end
    }
    guard place + 5 <= bytes.count, place - Self.headerByteCount < 255 else { return nil }
    name = labels.joined(separator: ".")
    type = UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place + 2])
    message = bytes[..<(place + 5)]
  }

  /// Whether it asks for the name of an address.
  var isReverse: Bool { name == "arpa" || name.hasSuffix(".arpa") }

  func message(of response: Response) -> [UInt8] {
    var bytes = Array(message)
    // An authoritative response, which repeats whether recursion was wanted.
    bytes[2] = 0x84 | bytes[2] & 1
    bytes[3] = response == .noSuchName ? 0x83 : 0x80
    bytes.replaceSubrange(6..<12, with: [0, 0, 0, 0, 0, 0])
    if case .address(let address) = response {
      bytes[7] = 1
      // The name of the question, its type, the class of the internet, and no time to live.
      bytes += [0xC0, UInt8(Self.headerByteCount), UInt8(type >> 8), UInt8(type & 0xFF), 0, 1]
      bytes += [0, 0, 0, 0, 0, UInt8(address.count)]
      bytes += address
    }
    return bytes
  }
}
