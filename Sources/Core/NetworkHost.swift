/// The host of an address: a name or an IP address.
package struct NetworkHost: Hashable, Sendable {
  /// In lowercase; an IPv6 address without its brackets.
  package let text: String
  /// `nil` for a name.
  package let address: IPAddress?

  /// Takes the host as in a URL or a `Host` header, without a port.
  package init(_ text: some StringProtocol) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.count > 1
    self.text = (isBracketed ? String(text.dropFirst().dropLast()) : String(text)).lowercased()
    address = IPAddress(self.text)
  }

  /// Whether only programs on this machine can reach it: 127.0.0.0/8, ::1, and `localhost` with all
  /// names below it (RFC 6761, section 6.3).
  package var isLoopback: Bool {
    address?.isLoopback ?? (text == "localhost" || text.hasSuffix(".localhost"))
  }

  /// Whether it resolves publicly: IP addresses and names of a local network lead elsewhere on
  /// every machine.
  package var isPublicName: Bool {
    let labels = text.split(separator: ".")
    guard address == nil, labels.count > 1, let last = labels.last else { return false }
    return !["localhost", "local", "internal", "svc"].contains(last)
      && labels.suffix(2) != ["home", "arpa"]
      && !labels.joined().utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}
