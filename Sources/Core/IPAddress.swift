import UnderstudySystem

/// An IP address and what kind of address it is.
package struct IPAddress: Hashable, Sendable {
  /// The words of the IPv6 form; IPv4 addresses are mapped (RFC 4291, section 2.5.5.2).
  private let words: [UInt32]

  /// Takes four words in this machine's byte order.
  package init(words: [UInt32]) { self.words = words }

  /// `nil` for a name.
  init?(_ text: String) {
    guard let words = SocketAddress.words(of: text) else { return nil }
    self.words = words
  }

  private var isIPv4: Bool { words[..<3] == [0, 0, 0xFFFF] }

  /// Whether gateways take it for an IPv4 address (RFC 6052, section 2.1).
  private var isTranslated: Bool { words[..<3] == [0x64_FF9B, 0, 0] }

  /// Takes an address however resolvers write it, `2852039166` for one; `nil` for a name.
  package init?(anyForm text: String) {
    guard let words = SocketAddress.words(ofAnyForm: text) else { return nil }
    self.words = words
  }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    isIPv4 ? words[3] >> 24 == 127 : words == [0, 0, 0, 1]
  }

  /// Whether it is link-local (169.254.0.0/16, fe80::/10) or similar (fd00:ec2::/32), where clouds
  /// hand out credentials, or unspecified (0.0.0.0/8, ::), which is this machine.
  package var isClosedToRedirects: Bool {
    if isIPv4 || isTranslated { return words[3] >> 16 == 0xA9FE || words[3] >> 24 == 0 }
    return words[0] >> 22 == 0xFE80 >> 6 || words[0] == 0xFD00_0EC2 || words == [0, 0, 0, 0]
  }

  /// Why a redirect to it is not followed, and no client of a proxy led there.
  package var refusalOfRedirect: String {
    "nobody is led to a link-local or unspecified address: \(self)"
  }
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    if isIPv4 {
      return [24, 16, 8, 0].map { String(words[3] >> $0 & 0xFF) }.joined(separator: ".")
    }
    return words.flatMap { [$0 >> 16, $0 & 0xFFFF] }.map { String($0, radix: 16) }
      .joined(separator: ":")
  }
}
