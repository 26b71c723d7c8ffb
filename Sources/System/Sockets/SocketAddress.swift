#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

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

  /// The words of an IP address however resolvers write it: `2852039166`, `0251.0376.1`, `0x7f.1`.
  package static func words(ofAnyForm address: String) -> [UInt32]? {
    if let words = words(of: address) { return words }
    var found = in_addr()
    guard (try? Errno.check(address)) != nil, inet_aton(address, &found) == 1 else { return nil }
    return [0, 0, 0xFFFF, UInt32(bigEndian: found.s_addr)]
  }

  /// The four words of an IP address in this machine's byte order; IPv4 addresses are mapped (RFC
  /// 4291, section 2.5.5.2). `nil` for a name.
  package static func words(of address: String) -> [UInt32]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 {
      bytes = Array(repeating: 0, count: 10) + [0xFF, 0xFF] + bytes.prefix(4)
    } else if inet_pton(AF_INET6, address, &bytes) != 1 {
      return nil
    }
    return (0..<4).map { word in
      bytes[4 * word..<4 * word + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
