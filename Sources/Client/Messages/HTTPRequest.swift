// Whoever sends requests also needs addresses, the only public type of Core.
@_exported public import UnderstudyCore

/// What is asked of an upstream.
public struct HTTPRequest: Hashable, Sendable {
  public var method: HTTPMethod
  /// Absolute, with the scheme `http` or `https`, and already percent-encoded.
  public var url: String
  public var headers: HTTPHeaders
  public var body: [UInt8]?
  public var options: HTTPRequestOptions
  /// Whether a redirect chose the origin, not whoever sends it: some addresses are closed to it then.
  var isLedAway = false

  public init(
    _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    options: HTTPRequestOptions = HTTPRequestOptions()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.options = options
  }

  /// Whether the upstream must never see it twice, even where sending it again would mend a
  /// connection that died: by its options, or since its method promises nothing about repetition.
  public var goesOnce: Bool { options.goesOnce || !method.isIdempotent }
}

/// How long a request may take, how large its answer may be, and what else a transport must heed.
public struct HTTPRequestOptions: Hashable, Sendable {
  /// Until the connection stands, its encryption included.
  public var connectTimeout: Duration = .seconds(10)
  /// From the call to the last byte.
  public var totalTimeout: Duration? = .seconds(60)
  /// Without a single byte sent or received once the connection stands.
  public var stallTimeout: Duration? = .seconds(30)
  /// When all must be over, however many requests it takes to get there.
  public var deadline: ContinuousClock.Instant?
  /// Of the body as it is handed over, decoded.
  public var bodyBytesMax = 64 << 20
  /// How many redirects are followed; at 0 they are answers like others. Credentials never go to
  /// another host.
  public var redirectCountMax = 0
  /// Goes out over a connection of its own and never twice, whatever its method.
  public var goesOnce = false

  public init() {}
}

/// The method of a request; case matters.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(stringLiteral value: String) {
    rawValue = value
  }

  public static let get: HTTPMethod = "GET"
  public static let head: HTTPMethod = "HEAD"
  public static let post: HTTPMethod = "POST"
  public static let put: HTTPMethod = "PUT"
  public static let patch: HTTPMethod = "PATCH"
  public static let delete: HTTPMethod = "DELETE"
  public static let options: HTTPMethod = "OPTIONS"

  /// Whether asking twice means the same as asking once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, "TRACE": true
    default: false
    }
  }
}
