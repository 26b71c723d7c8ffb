/// The address of a live API, taken apart far enough to join paths to it.
package struct BaseURL: Hashable, Sendable {
  package let scheme: String
  package let host: String
  package let port: Int?
  /// Without a slash at its end: empty, or `/api/v1`.
  package let path: String

  package init(scheme: String, host: String, port: Int?, path: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
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
    let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
    if let colon {
      guard let port = Int(authority[authority.index(after: colon)...]), (1...65535).contains(port)
      else { return nil }
      self.port = port
    } else {
      port = nil
    }
    let host = authority[..<(colon ?? authority.endIndex)].lowercased()
    guard Self.isHost(host) else { return nil }
    self.scheme = scheme
    self.host = host
    self.path = String(path)
  }

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

  /// The host, with the port when it is written.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }
}
