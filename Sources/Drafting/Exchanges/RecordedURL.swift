import UnderstudyContractModel
package import UnderstudyCore

/// A URL taken apart for recording.
package struct RecordedURL: Hashable, Sendable {
  /// As it was written.
  package let text: String
  /// Scheme and authority alone.
  package let origin: BaseURL
  /// Percent-encoded as it was written, with a slash at its beginning.
  package let path: String
  package let query: String?

  /// Fails unless this is `http` or `https`, a host and whatever may follow; a fragment is left out.
  package init?(_ text: String) {
    let address = text.prefix { $0 != "?" && $0 != "#" }
    guard let base = BaseURL(String(address)), let scheme = text.firstRange(of: "://") else {
      return nil
    }
    let rest = address[scheme.upperBound...]
    let path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    guard RecordedExchange.canRecord(path: path) else { return nil }
    self.text = text
    origin = base.origin
    self.path = path
    let tail = text[address.endIndex...].prefix { $0 != "#" }
    guard tail.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    query = tail.hasPrefix("?") ? String(tail.dropFirst()) : nil
  }

  /// The path beneath a base URL; `nil` when this is not beneath it.
  package func path(beneath base: BaseURL) -> String? {
    guard base.origin == origin, path.hasPrefix(base.path) else { return nil }
    let rest = path.dropFirst(base.path.count)
    return rest.isEmpty ? "/" : rest.hasPrefix("/") ? String(rest) : nil
  }
}
