package import ContractModel

/// A request to a live API, and what it was answered: more than once when it was asked again.
package struct RecordedExchange: Sendable {
  package let method: String
  /// Relative to the upstream's base URL, percent-encoded as sent; never empty.
  package let path: String
  /// As sent, without the question mark.
  package let query: String?
  /// Headers of the request that belong to the contract; no secrets.
  package let headers: [HeaderField]
  package let body: [UInt8]
  /// Never empty.
  package let answers: [LiveAnswer]

  package init(
    method: String, path: String, query: String? = nil, headers: [HeaderField] = [],
    body: [UInt8] = [], answers: [LiveAnswer]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.answers = answers
  }

  /// After percent-decoding; a segment that cannot be decoded stays as it was sent.
  var segments: [String] { Self.segments(of: path) }

  static func segments(of path: String) -> [String] {
    path == "/"
      ? []
      : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
        PercentEncoding.decode($0) ?? String($0)
      }
  }

  /// Names and values, decoded; of a name that is repeated the first value.
  var parameters: [(name: String, value: String)] {
    var seen: Set<String> = []
    return (query ?? "").split(separator: "&").compactMap { pair in
      let name = pair.prefix { $0 != "=" }
      let value = pair[name.endIndex...].dropFirst()
      let decoded = PercentEncoding.decode(name, plusIsSpace: true) ?? String(name)
      guard seen.insert(decoded).inserted else { return nil }
      return (decoded, PercentEncoding.decode(value, plusIsSpace: true) ?? String(value))
    }
  }
}
