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
  package static let dogCEO = WebURL(origin: "https://dog.ceo")
  package static let dogCEOPictures = WebURL(origin: "https://images.dog.ceo")
  package static let jokes = WebURL(origin: "https://official-joke-api.appspot.com")
  package static let dogPatch = WebURL(
    origin: "https://dogpatchserver.herokuapp.com", path: "/api/v1/")
  package static let gitHub = WebURL(origin: "https://api.github.com")
}
