import ContractModel

/// Hides what must not be shown of a request: the values of headers and query parameters that carry
/// credentials, by name in any case.
struct Redaction: Sendable {
  static let mask = "[redacted]"
  private static let always = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
  ]

  private let names: Set<String>

  init(adding names: some Sequence<String>) {
    self.names = Set(Self.always + names.map { $0.lowercased() })
  }

  func hides(_ name: some StringProtocol) -> Bool { names.contains(name.lowercased()) }

  func redacted(_ request: Request) -> Request {
    var request = request
    request.headers = request.headers.map { field in
      hides(field.name) ? HeaderField(name: field.name, value: Self.mask) : field
    }
    request.query = request.query.map(redacted(query:))
    return request
  }

  /// A name that is percent-encoded is compared after decoding, as contracts compare it.
  private func redacted(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      return hides(PercentEncoding.decode(name) ?? String(name))
        ? "\(name)=\(Self.mask)" : String(pair)
    }.joined(separator: "&")
  }

  /// A difference of a secret says that there is one, not what was found.
  func redacted(_ difference: Difference) -> Difference {
    guard case .parameter(let key, _?, let expected) = difference,
      hides(key.drop { $0 != "." }.dropFirst())
    else { return difference }
    return .parameter(key: key, found: Self.mask, expected: expected)
  }
}
