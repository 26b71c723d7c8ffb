package import UnderstudyCore
import UnderstudyContractModel
import UnderstudySecrets

/// Which request headers a response may depend on, and their priority as conditions.
package enum RequestHeaders {
  /// Headers of the connection, the client, and intermediate caches.
  private static let unheeded = HeaderName.ofConnection.union([
    "host", "user-agent", "accept-encoding", "expect", "date", "origin", "referer", "dnt",
    "upgrade-insecure-requests", "priority", "pragma", "cache-control", "traceparent", "tracestate",
    "baggage", "x-request-id", "x-correlation-id", "forwarded", "via", "x-real-ip", "prefer",
    "idempotency-key", "x-idempotency-key",
  ])
  private static let unheededPrefixes = ["sec-", "proxy-", "x-forwarded-", "x-b3-", "understudy-"]

  static func heeded(_ headers: [HeaderField]) -> [HeaderField] {
    headers.filter { field in
      let name = field.key
      let saysNothing =
        name == "accept" && field.value == "*/*" || name == "accept-language" && field.value == "*"
        || name == "content-type" && field.value.lowercased().hasPrefix("multipart/")
      return !saysNothing && !unheeded.contains(name)
        && !unheededPrefixes.contains { name.hasPrefix($0) }
    }.map { HeaderField(name: spelling($0.name), value: $0.value) }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
  }

  /// Headers that make the response depend on what the client already has.
  package static let conditional: Set<HeaderName> = [
    "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
  ]

  /// The rank of a header: the lower it is, the earlier the header is tried as the cause of a
  /// difference.
  static func rank(_ key: String) -> Int {
    let name = key.drop { $0 != "." }.dropFirst()
    if conditional.contains(HeaderName(name)) { return 0 }
    if SecretNames.standard.hides(String(name)) { return 1 }
    return HeaderName(name).hasPrefix("accept") ? 2 : 3
  }

  /// A canonical spelling of a name.
  static func spelling(_ name: String) -> String {
    name.lowercased().split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
  }
}
