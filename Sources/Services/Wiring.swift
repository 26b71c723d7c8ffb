package import UnderstudyClient
package import UnderstudyJSON

/// What all services need besides an address: to point one elsewhere is configuration, never code.
package struct Wiring: Sendable {
  package var transport: any HTTPTransport
  /// Of every request.
  package var options = HTTPRequestOptions()
  /// Of every answer.
  package var decoder = JSONTreeDecoder()

  /// Over one transport, whose connections all services of a process share.
  package static let shared = Wiring(CurlTransport())

  package init(_ transport: any HTTPTransport) {
    self.transport = transport
  }
}

/// Where the live APIs are.
extension WebURL {
  package static let dogCEO = WebURL(scheme: "https", host: "dog.ceo")
  package static let dogCEOPictures = WebURL(scheme: "https", host: "images.dog.ceo")
  package static let jokes = WebURL(scheme: "https", host: "official-joke-api.appspot.com")
  package static let dogPatch = WebURL(
    scheme: "https", host: "dogpatchserver.herokuapp.com", path: "/api/v1/")
  package static let gitHub = WebURL(scheme: "https", host: "api.github.com")
}
