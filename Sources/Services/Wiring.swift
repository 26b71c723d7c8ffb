public import UnderstudyClient
public import UnderstudyJSON

/// What all services need besides an address: to point one elsewhere is configuration, never code.
public struct Wiring: Sendable {
  public var transport: any Transport
  /// Of every request.
  public var options = ClientRequestOptions()
  /// Of every response.
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
