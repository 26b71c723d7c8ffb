// Whoever sends requests also needs addresses and dates, the only public types of Core.
@_exported public import UnderstudyCore

/// A request to an upstream.
public struct ClientRequest: Hashable, Sendable {
  /// What to do, such as `.get`.
  public var method: HTTPMethod
  /// Absolute, with the scheme `http` or `https`, and already percent-encoded, such as the `text`
  /// of a `WebURL`.
  public var url: String
  /// Sent in this order. The transport itself adds `Host` and the length of the body.
  public var headers: HTTPHeaders
  /// The bytes to send; `nil` for a request without a body.
  public var body: [UInt8]?
  /// Time-outs, limits and redirects.
  public var options: ClientRequestOptions
  /// Whether a redirect or a client of a proxy chose the origin instead of the caller: then some
  /// addresses are not allowed.
  package var isLedAway = false

  /// Makes a request. Nothing is checked until it is sent.
  public init(
    _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    options: ClientRequestOptions = ClientRequestOptions()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.options = options
  }

  /// Whether the upstream must never see the request twice, even if the connection dies: because
  /// its options say so, or because its method is not idempotent.
  public var goesOnce: Bool { options.goesOnce || !method.isIdempotent }
}

/// How long a request may take, how large its response may be, and whether redirects are followed.
public struct ClientRequestOptions: Hashable, Sendable {
  /// Until the connection is made, including its encryption.
  public var connectTimeout: Duration = .seconds(10)
  /// From the call to the last byte.
  public var totalTimeout: Duration? = .seconds(60)
  /// Between two bytes once the connection is made.
  public var stallTimeout: Duration? = .seconds(30)
  /// When everything must be over, including redirects and retries.
  public var deadline: ContinuousClock.Instant?
  /// The most a decoded body may have; a longer one is the error `tooLarge`.
  public var bodyBytesMax = 64 << 20
  /// How many redirects are followed. At 0, a redirect is a response like any other. Credentials
  /// never go to another host.
  public var redirectCountMax = 0
  /// Sends the request over a connection of its own and never twice, whatever its method.
  public var goesOnce = false

  /// The defaults.
  public init() {}
}

/// The method of a request. Case matters.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// As it is sent: `GET`.
  public let rawValue: String

  /// A method by its name, such as `PURGE`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A method by its name, written as a literal: `let method: HTTPMethod = "PURGE"`.
  public init(stringLiteral value: String) {
    rawValue = value
  }

  /// Reads.
  public static let get: HTTPMethod = "GET"
  /// Reads the headers alone.
  public static let head: HTTPMethod = "HEAD"
  /// Creates, or does what no other method says.
  public static let post: HTTPMethod = "POST"
  /// Replaces as a whole.
  public static let put: HTTPMethod = "PUT"
  /// Changes in part.
  public static let patch: HTTPMethod = "PATCH"
  /// Removes.
  public static let delete: HTTPMethod = "DELETE"
  /// Asks which methods there are.
  public static let options: HTTPMethod = "OPTIONS"

  /// Whether sending it twice has the effect of sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, "TRACE": true
    default: false
    }
  }
}
