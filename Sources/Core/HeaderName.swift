/// The name of a header field, whose case does not matter.
package struct HeaderName: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In lower case.
  package let text: String

  package init(_ name: some StringProtocol) { text = name.lowercased() }

  package init(stringLiteral name: String) { text = name.lowercased() }

  /// Whether a text is this name, without a copy of it in lower case.
  package func isSpelled(_ name: String) -> Bool {
    text.utf8.count == name.utf8.count
      && zip(text.utf8, name.utf8).allSatisfy {
        $0 == $1 || $0 == $1.lowercased && $0.isLetter
      }
  }

  package func hasPrefix(_ prefix: String) -> Bool { text.hasPrefix(prefix) }

  /// Fields about one connection and the framing of its messages, which each machine on the way
  /// sets itself (RFC 9110, section 7.6.1).
  package static let ofConnection: Set<HeaderName> = [
    "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "content-length",
  ]
}
