import UnderstudyCore

/// How a header is compared with the contract.
package enum HeaderRule {
  /// It describes the transport, not the response.
  case ignored
  /// Its value changes between responses.
  case presence
  /// The media type, and the charset if both have one.
  case mediaType
  /// Comma-separated items in any order and any case.
  case list
  case value

  package init(_ name: String, isTemplated: Bool) {
    let name = HeaderName(name)
    if Self.isOfDelivery(name) || name == "set-cookie" {
      self = .ignored
    } else if isTemplated || Self.changing.contains(name)
      || name.text.utf8.contains(bytes: "ratelimit".utf8)
      || name.text.utf8.contains(bytes: "rate-limit".utf8)
    {
      self = .presence
    } else if name == "content-type" {
      self = .mediaType
    } else if ["cache-control", "vary", "allow", "access-control-expose-headers"].contains(name) {
      self = .list
    } else {
      self = .value
    }
  }

  /// Whether a field describes the way of a response and not the response.
  static func isOfDelivery(_ name: HeaderName) -> Bool {
    ofDelivery.contains(name) || deliveryPrefixes.contains(where: name.hasPrefix)
  }

  private static let ofDelivery = HeaderName.ofConnection.union([
    "age", "alt-svc", "content-encoding", "date", "nel", "report-to", "reporting-endpoints",
    "server", "server-timing", "traceparent", "via", "x-cache", "x-cache-hits", "x-correlation-id",
    "x-github-request-id", "x-powered-by", "x-request-id", "x-response-time", "x-runtime",
    "x-served-by", "x-timer", "x-trace-id", "x-varnish", "x-vercel-id",
  ])
  private static let deliveryPrefixes = [
    "cf-", "x-amz-", "x-amzn-", "x-cloud-trace", "x-b3-", "x-fastly-",
  ]
  private static let changing: Set<HeaderName> = [
    "etag", "last-modified", "expires", "retry-after", "link", "location", "warning", "sunset",
    "content-security-policy", "accept-ranges", "x-poll-interval",
  ]

  /// Whether clients work without a field, by its meaning in HTTP: it serves caches, or announces
  /// something.
  package static func isDispensable(_ name: String) -> Bool {
    let name = HeaderName(name)
    return dispensable.contains(name) || name.text.contains("ratelimit")
      || name.text.contains("rate-limit")
  }

  private static let dispensable: Set<HeaderName> = [
    "accept-ranges", "cache-control", "content-security-policy", "deprecation", "etag", "expires",
    "last-modified", "pragma", "retry-after", "strict-transport-security", "sunset", "vary",
    "warning",
    "x-poll-interval",
  ]

  package func isEqual(_ expected: String, _ found: String) -> Bool {
    switch self {
    case .ignored, .presence: true
    case .mediaType: MediaType(expected).isEqual(to: MediaType(found))
    case .list: Self.items(expected) == Self.items(found)
    case .value: ExactText(expected) == ExactText(found)
    }
  }

  private static func items(_ text: String) -> Set<String> {
    Set(text.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
  }
}

/// A parsed `Content-Type`.
package struct MediaType {
  /// In lower case: `application/json`.
  package let name: String
  private let charset: String?

  package init(_ text: String) {
    let bytes = text.utf8.filter { $0 != .space && $0 != .tab && $0 != .quote }
    let parts = bytes.split(separator: .semicolon).map {
      String(decoding: $0, as: UTF8.self).lowercased()
    }
    name = parts.first ?? ""
    charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
  }

  package var isJSON: Bool {
    name == "application/json" || name.hasSuffix("+json") || name == "text/json"
  }

  package func isEqual(to other: MediaType) -> Bool {
    name == other.name && (charset == nil || other.charset == nil || charset == other.charset)
  }
}
