import UnderstudyCore

/// What an upstream answered, whatever its status.
public struct HTTPResponse: Hashable, Sendable {
  public var status: Int
  public var headers: HTTPHeaders
  /// Without its framing, and decoded; the headers still tell of it as it was sent, such as its
  /// `Content-Encoding` and the length it had. Compressed data that ends early counts as whole if
  /// its framing does.
  public var body: [UInt8]
  /// Where it came from: the request's URL, or the last that a redirect led to.
  public var url: String
  public var version: HTTPVersion
  public var timing: HTTPTiming

  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "",
    version: HTTPVersion = .http11, timing: HTTPTiming = HTTPTiming()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.version = version
    self.timing = timing
  }
}

public enum HTTPVersion: String, Hashable, Sendable {
  case http10 = "1.0"
  case http11 = "1.1"
  case http2 = "2"
  case http3 = "3"
}

/// When an exchange reached its stages, each counted from its start.
///
/// On a connection that stood already, the first three are next to nothing.
public struct HTTPTiming: Hashable, Sendable {
  /// The name had an address.
  public var resolved: Duration = .zero
  public var connected: Duration = .zero
  /// The encryption stood; zero without one.
  public var secured: Duration = .zero
  /// The first byte of the answer was there.
  public var firstByte: Duration = .zero
  public var total: Duration = .zero

  public init() {}
}
