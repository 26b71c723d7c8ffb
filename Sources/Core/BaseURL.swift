/// The address of a live API, taken apart far enough to join paths to it.
package struct BaseURL: Hashable, Sendable {
  package let scheme: String
  package let host: String
  /// `nil` for the scheme's own, so that one origin has one value however it is written.
  package let port: Int?
  /// Without a slash at its end: empty, or `/api/v1`.
  package let path: String

  package init(scheme: String, host: String, port: Int?, path: String) {
    self.scheme = scheme
    self.host = host
    self.port = port == Self.port(of: scheme) ? nil : port
    self.path = path
  }

  /// Fails unless this is `http` or `https`, a host, and at most a port and a path.
  package init?(_ text: String) {
    guard let schemeEnd = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<schemeEnd.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[schemeEnd.upperBound...]
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#@\\\"<>^`{}|".utf8.contains($0) })
    else { return nil }
    let authority = rest.prefix { $0 != "/" }
    var path = rest[authority.endIndex...]
    while path.hasSuffix("/") { path.removeLast() }
    let host = Self.host(of: authority)
    let written = authority[host.endIndex...].dropFirst()
    let port = Int(written)
    guard Self.isHost(host.lowercased()),
      host.endIndex == authority.endIndex || 1...65535 ~= port ?? 0
    else { return nil }
    self.init(scheme: scheme, host: host.lowercased(), port: port, path: String(path))
  }

  private static func port(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// An authority without its port.
  package static func host(of authority: Substring) -> Substring {
    let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
    return authority[..<(colon ?? authority.endIndex)]
  }

  /// Scheme, host and port alone.
  package var origin: BaseURL { BaseURL(scheme: scheme, host: host, port: port, path: "") }

  package var isLoopback: Bool { NetworkHost(host).isLoopback }

  /// The host with its port, also when that is the scheme's own.
  package var place: String { "\(host):\(port ?? Self.port(of: scheme))" }

  /// Whether the host says which machine it is, and not whose: an IP address, or `localhost`.
  package var isBareAddress: Bool { isLoopback || NetworkHost(host).address != nil }

  /// A name, an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ text: String) -> Bool {
    guard text.hasPrefix("[") else {
      return !text.isEmpty && !text.utf8.contains { "[]:".utf8.contains($0) }
    }
    return text.utf8.count > 2 && text.hasSuffix("]")
      && text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
  }

  /// Whether an address has a user, and perhaps a password, before its host.
  package static func namesUser(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return false }
    return text[scheme.upperBound...].prefix { !"/?#".contains($0) }.contains("@")
  }

  /// How to mend a text that is not such an address; `nil` when nothing better is known than that.
  package static func fix(for text: String) -> String? {
    guard let scheme = text.firstRange(of: "://") else {
      let isLocal = ["127.", "localhost", "[::1]"].contains(where: text.hasPrefix)
      let url = isLocal ? "http://\(text)" : "https://\(text)"
      return BaseURL(url) == nil ? nil : "write \"\(url)\""
    }
    guard ["http", "https"].contains(text[..<scheme.lowerBound].lowercased()) else {
      return "begin it with https:// or http://"
    }
    return namesUser(text) || text.contains { $0 == "?" || $0 == "#" }
      ? "leave out user, query and fragment" : nil
  }
}

extension BaseURL: CustomStringConvertible {
  package var description: String { "\(scheme)://\(authority)\(path)" }

  /// The host, with the port when that is not the scheme's own.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }
}
