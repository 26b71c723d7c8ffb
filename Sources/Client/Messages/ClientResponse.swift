import UnderstudyCore

/// The response of an upstream, whatever its status.
public struct ClientResponse: Hashable, Sendable {
  /// Such as 200 or 404.
  public var status: Int
  /// As they were sent, in their order.
  public var headers: HTTPHeaders
  /// Decoded, and without its framing. The headers still describe it as it was sent, such as its
  /// `Content-Encoding` and `Content-Length`. Compressed data that ends early counts as complete if
  /// its framing is.
  public var body: [UInt8] {
    get {
      headers.recorder?.noteBody()
      return storedBody
    }
    _modify {
      headers.recorder?.noteBody()
      yield &storedBody
    }
  }
  private var storedBody: [UInt8]
  /// Where it came from: the URL of the request, or of the last redirect that was followed.
  public var url: String
  /// The version of HTTP it was sent with.
  public var version: HTTPVersion
  /// How long each step took.
  public var timing: HTTPTiming
  /// How often libcurl itself had to send the request again, since an open connection was lost
  /// before the response began.
  package var resentCount = 0
  /// When the certificate of its host ends, if the transport reads certificates. Only the response
  /// for which a connection was opened says so.
  package var certificateEnd: Moment?

  /// Makes a response, for a transport of your own or for a test.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "",
    version: HTTPVersion = .http11, timing: HTTPTiming = HTTPTiming()
  ) {
    self.status = status
    self.headers = headers
    storedBody = body
    self.url = url
    self.version = version
    self.timing = timing
  }
}

/// A version of HTTP.
public enum HTTPVersion: String, Hashable, Sendable {
  /// HTTP/1.0.
  case http10 = "1.0"
  /// HTTP/1.1.
  case http11 = "1.1"
  /// HTTP/2.
  case http2 = "2"
  /// HTTP/3.
  case http3 = "3"
}

/// When each step of an exchange was reached, counted from its start.
///
/// On a connection that was open already, the first three are close to zero.
public struct HTTPTiming: Hashable, Sendable {
  /// When the address of the host was known.
  public var resolved: Duration = .zero
  /// When the connection was made.
  public var connected: Duration = .zero
  /// When the connection was encrypted; zero without encryption.
  public var secured: Duration = .zero
  /// When the first byte of the response arrived.
  public var firstByte: Duration = .zero
  /// When the last byte of the response arrived.
  public var total: Duration = .zero

  /// All zero.
  public init() {}
}
