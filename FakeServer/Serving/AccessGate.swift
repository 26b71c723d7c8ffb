package import UnderstudyContractModel
import UnderstudyCore

/// Decides who may use the admin API and forward requests to live APIs: programs that know the
/// server's address, but not web pages that trick a browser into treating it as their own (DNS
/// rebinding). With a token, only programs that have it.
package struct AccessGate: Sendable {
  /// Why a request is refused, so that the response can say what its sender must change.
  package enum Refusal: Error, Hashable {
    case host(String)
    case origin(String)
    /// A page of another site led here, by what a browser says of its requests.
    case site(String)
    case token
  }

  /// The header for the token, in lower case. It is for the server alone, while `Authorization` may
  /// be for an upstream.
  static let tokenName: HeaderName = "understudy-token"

  /// The address of the port that received the request.
  package let origin: Origin
  let isLoopback: Bool
  let needsToken: Bool
  let token: String?
  /// Whether `Authorization: Bearer` may also carry the token.
  var takesBearer = false
  /// Whether the request came from this machine.
  package var isLocalClient = false
  /// Besides the server's own.
  var allowedOrigins: Set<String> = []
  /// Whether to accept a `Host` that is not the server's own.
  var admitsHost: @Sendable (String) -> Bool = { _ in false }

  package func check(_ request: Request) throws(Refusal) {
    try checkSite(of: request)
    guard needsToken else { return }
    guard let token, shown(by: request).contains(where: { Self.areSame($0, token) }) else {
      throw .token
    }
  }

  /// Checks everything except the token.
  ///
  /// - Parameter mayBeLinked: whether links on other sites' pages may lead here.
  func checkSite(of request: Request, mayBeLinked: Bool = false) throws(Refusal) {
    let host = request.values(of: "host").first ?? ""
    // A server reachable by others has names it cannot know; there the token decides.
    guard isOurs(host) || admitsHost(host) || (needsToken && !isLoopback) else {
      throw .host(host)
    }
    for origin in request.values(of: "origin") {
      let isOwn = origin.lowercased() == self.origin.scheme + host.lowercased()
      guard isOwn || isAllowed(origin) else { throw .origin(origin) }
    }
    if mayBeLinked, request.headerValue("sec-fetch-dest") == "document" { return }
    // Browsers send no Origin with images, scripts, links and frames.
    for site in request.values(of: "sec-fetch-site")
    where !["none", "same-origin"].contains(site.lowercased()) {
      guard request.headerValue("origin") != nil else { throw .site(site) }
    }
  }

  private func isAllowed(_ origin: String) -> Bool {
    allowedOrigins.contains(origin.lowercased())
      || ["http://", self.origin.scheme].contains {
        origin.hasPrefix($0) && isOurs(String(origin.dropFirst($0.count)))
      }
  }

  /// Whether a `Host` is the server's own.
  func isOurs(_ host: String) -> Bool {
    let host = host.lowercased()
    let authority = origin.authority
    let port = authority.lastIndex(of: ":").map { String(authority[$0...]) } ?? ""
    let names = ["localhost", "127.0.0.1", "[::1]"].flatMap { name in
      port == ":80" || port == ":443" ? [name, name + port] : [name + port]
    }
    return host == authority.lowercased() || names.contains(host)
  }

  private func shown(by request: Request) -> [Substring] {
    let own = request.values(of: Self.tokenName).map { $0[...] }
    guard takesBearer else { return own }
    return own
      + request.values(of: "authorization").compactMap { Self.bearer(in: $0) }
  }

  /// The token in a value of `Authorization`.
  static func bearer(in value: String) -> Substring? {
    let parts = value.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
  }

  /// Compares in constant time.
  static func areSame(_ left: Substring, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
    }
    return difference == 0
  }
}

extension AccessGate.Refusal {
  /// What was found, and what was expected by an API at this address.
  package func detail(at expected: Origin) -> String {
    switch self {
    case .host(let host): "found Host \"\(host)\", expected \(expected.authority)"
    case .origin(let origin):
      "found Origin \"\(origin)\", expected \(expected) or none"
    case .site(let site):
      "found Sec-Fetch-Site \"\(site)\" without an Origin, expected none or same-origin"
    case .token:
      "no valid token, expected Authorization: Bearer with the server's admin token"
    }
  }
}

extension Request {
  /// Whether it begins a WebSocket (RFC 6455, section 4.1).
  var wantsWebSocket: Bool { headerValue("upgrade")?.lowercased() == "websocket" }

  func values(of name: HeaderName) -> [String] {
    headers.filter { $0.key == name }.map(\.value)
  }
}

/// Tells browsers that a page of another origin may read a response.
///
/// Never used for the admin API: any page could control the server then.
enum CrossOrigin {
  /// The headers that allow the requesting page to read a response; empty for a request without a
  /// page, and for a response with its own CORS headers.
  static func addedLines(for request: Request, beside headers: [HeaderField] = []) -> [UInt8] {
    guard let origin = request.headerValue("origin"),
      !headers.contains(where: { $0.key == "access-control-allow-origin" })
    else { return [] }
    // For requests with credentials, the star counts as an ordinary name.
    let exposed = ["*", "Understudy-Contract", "Understudy-Case"] + headers.map(\.name)
    let lines = [
      "", "Access-Control-Allow-Origin: \(origin)", "Access-Control-Allow-Credentials: true",
      "Access-Control-Expose-Headers: \(exposed.joined(separator: ", "))", "Vary: Origin",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// The response to a CORS preflight; `nil` for any other request.
  static func preflight(_ request: Request) -> OwnResponse? {
    guard let method = request.preflightedMethod else { return nil }
    var lines = "Access-Control-Allow-Methods: \(method)\r\n"
    if let names = request.headerValue("access-control-request-headers") {
      lines += "Access-Control-Allow-Headers: \(names)\r\n"
    }
    return OwnResponse(status: 204, headerLines: lines)
  }
}
