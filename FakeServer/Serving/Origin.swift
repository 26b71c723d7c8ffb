/// How clients reach a server: by HTTP or HTTPS, and at which host and port.
package struct Origin: Sendable, CustomStringConvertible {
  package let isSecure: Bool
  /// The host and port, as in a URL.
  package let authority: String

  package init(isSecure: Bool, authority: String) {
    (self.isSecure, self.authority) = (isSecure, authority)
  }

  var scheme: String { isSecure ? "https://" : "http://" }

  /// `https://localhost:8080`
  package var description: String { scheme + authority }
}
