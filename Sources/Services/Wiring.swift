public import UnderstudyClient
public import UnderstudyJSON

/// What all services need besides an address: to point one elsewhere is configuration, never code.
///
/// The services are examples of clients that somebody writes and tests with Understudy. Each has a
/// folder: a protocol, a live service over it, and the values that it returns. Read `JokeService`
/// as the smallest, then `UpstreamClient`, through which all of them send requests, and
/// `ServiceError`, which is all that they throw. `Decoding`, `Revalidation` and `RateLimit` are
/// rules that several of them need.
///
/// A service has no state that its callers see, and may be used from any task.
public struct Wiring: Sendable {
  public var transport: any Transport
  /// The options of every request.
  public var options = ClientRequestOptions()
  /// The decoder of every response.
  public var decoder = JSONTreeDecoder()

  /// Over one transport, whose connections all services of a process share.
  public static let shared = Wiring(CurlTransport())

  public init(_ transport: any Transport) {
    self.transport = transport
  }
}

/// The addresses of the live APIs.
extension WebURL {
  public static let dogCEO = WebURL(scheme: "https", host: "dog.ceo")
  public static let dogCEOPictures = WebURL(scheme: "https", host: "images.dog.ceo")
  public static let jokes = WebURL(scheme: "https", host: "official-joke-api.appspot.com")
  public static let dogPatch = WebURL(
    scheme: "https", host: "dogpatchserver.herokuapp.com", path: "/api/v1/")
  public static let gitHub = WebURL(scheme: "https", host: "api.github.com")
}
