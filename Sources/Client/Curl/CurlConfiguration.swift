import UnderstudySystem

/// Settings for all requests of a ``CurlTransport``.
public struct CurlConfiguration: Hashable, Sendable {
  /// A PEM file of certificates to trust instead of the system's.
  public var trustFile: String?
  /// The proxy of all requests, `http://127.0.0.1:8080`, whatever the environment names.
  public var proxy: String?
  /// Connects directly, whatever proxies the environment names (`http_proxy` and the like).
  /// ``proxy`` precedes it.
  public var ignoresProxies = false
  /// The most connections at a time; further requests wait for a free one.
  public var connectionCountMax = 256
  /// Whether responses say when the certificate of their host ends, which costs time for each
  /// connection.
  package var readsCertificates = false

  /// The defaults.
  public init() {}

  /// The defaults, and the certificates that `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names, by which
  /// users trust what their company signs.
  package static var ofUser: CurlConfiguration {
    var configuration = CurlConfiguration()
    configuration.trustFile = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy
      .compactMap { Environment[$0] }.first { !$0.isEmpty }
    return configuration
  }
}

/// Where the body of a response goes.
public enum BodyDestination: Sendable {
  /// Into the response.
  case memory
  /// Into a file at this path, which appears when the body is complete and replaces one that was
  /// there.
  case file(String)
  /// To a closure that is called for every piece, in order. It must not block: other transfers wait
  /// for it. `false` ends the transfer with `cannotStore`.
  case handler(@Sendable (ArraySlice<UInt8>) -> Bool)
}

extension ClientRequestOptions {
  /// When a request that starts now must end.
  func end(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard let totalTimeout else { return deadline }
    let end = now + totalTimeout
    return deadline.map { min($0, end) } ?? end
  }
}

extension Duration {
  /// Rounded up, and within curl's range.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    guard seconds > -2_000_000 else { return -2_000_000_000 }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  var wholeNanoseconds: Int64 { Int64(wholeMilliseconds) * 1_000_000 }
}
