import Glibc

/// An address to listen on: an IPv4 or IPv6 address and a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package let host: String
  package let port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Whether the host is `localhost` or a numeric address, the only ones to listen on.
  package var isNumeric: Bool {
    if host == "localhost" { return true }
    // Only an IPv6 address may have a zone.
    let address = host.contains(":") ? String(host.prefix { $0 != "%" }) : host
    return Self.words(of: address) != nil
  }

  /// Whether it means all addresses of the machine: `0.0.0.0` or `::`.
  package var isWildcard: Bool { host.utf8.allSatisfy("0.:".utf8.contains) }

  /// The address at which programs on this machine reach it.
  package var local: SocketAddress {
    guard isWildcard else { return self }
    return SocketAddress(host: host.contains(":") ? "::1" : "127.0.0.1", port: port)
  }

  /// As written in a URL.
  package var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The four words of an IP address in this machine's byte order; IPv4 addresses are mapped (RFC
  /// 4291, section 2.5.5.2). `nil` for a name.
  package static func words(of address: String) -> [UInt32]? {
    var (short, long) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, address, &short) == 1 {
      return [0, 0, 0xFFFF, UInt32(bigEndian: short.s_addr)]
    }
    guard inet_pton(AF_INET6, address, &long) == 1 else { return nil }
    let parts = long.__in6_u.__u6_addr32
    return [parts.0, parts.1, parts.2, parts.3].map(UInt32.init(bigEndian:))
  }
}
