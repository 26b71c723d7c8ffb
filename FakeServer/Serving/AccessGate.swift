import UnderstudyContractModel
import UnderstudyCore

/// Who may use what could do harm, the admin API and the way to live APIs: programs that know where
/// the server is, not web pages that made a browser believe it is theirs (DNS rebinding), and with a
/// token only those that have it.
struct AccessGate {
  enum Refusal: Error, Hashable {
    case host(String)
    case origin(String)
    case token
  }

  /// The header that shows the token, in small letters. It is for the server alone, while
  /// `Authorization` may be for an upstream.
  static let tokenName = "understudy-token"

  /// Of the port the request came to.
  let authority: String
  let isLoopback: Bool
  let needsToken: Bool
  let token: String?
  /// Whether `Authorization: Bearer` may show the token, too.
  var takesBearer = false
  /// Beside the server's own.
  var allowedOrigins: Set<String> = []
  /// Whether a `Host` that is not the server's own may be that of its clients all the same.
  var admitsHost: (String) -> Bool = { _ in false }

  func check(_ request: Request) throws(Refusal) {
    let host = request.values(of: "host").first ?? ""
    // An address for others has names the server cannot know; there the token decides.
    guard isOurs(host) || admitsHost(host) || (needsToken && !isLoopback) else {
      throw .host(host)
    }
    for origin in request.values(of: "origin") {
      let isOwn = origin.lowercased() == "http://\(host.lowercased())"
      guard isOwn || isAllowed(origin) else { throw .origin(origin) }
    }
    guard needsToken else { return }
    guard let token, shown(by: request).contains(where: { Self.areSame($0, token) }) else {
      throw .token
    }
  }

  private func isAllowed(_ origin: String) -> Bool {
    allowedOrigins.contains(origin.lowercased())
      || origin.hasPrefix("http://") && isOurs(String(origin.dropFirst(7)))
  }

  private func isOurs(_ host: String) -> Bool {
    let host = host.lowercased()
    let port = authority.lastIndex(of: ":").map { String(authority[$0...]) } ?? ""
    let names = ["localhost", "127.0.0.1", "[::1]"].flatMap { name in
      port == ":80" ? [name, name + port] : [name + port]
    }
    return host == authority.lowercased() || names.contains(host)
  }

  private func shown(by request: Request) -> [Substring] {
    let own = request.values(of: Self.tokenName).map { $0[...] }
    guard takesBearer else { return own }
    return own
      + request.values(of: "authorization").compactMap { value in
        let parts = value.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
      }
  }

  /// Takes as long for a token that is wrong at its end as for one that is wrong at its beginning.
  private static func areSame(_ left: Substring, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
    }
    return difference == 0
  }
}

extension Request {
  /// `name` is in small letters.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// What a page of another origin has to be told before its browser lets it read an answer.
///
/// The admin API is never opened so: any page could steer the server then.
enum CrossOrigin {
  /// The headers that open an answer to the page that asked; empty for a request of no page, and
  /// for one whose own headers speak of this.
  static func addedLines(for request: Request, beside headers: [HeaderField] = []) -> [UInt8] {
    guard let origin = request.headerValue("origin"),
      !headers.contains(where: { $0.name.lowercased() == "access-control-allow-origin" })
    else { return [] }
    // To a page that sends credentials the star is a name like any other.
    let exposed = ["*", "Understudy-Contract", "Understudy-Case"] + headers.map(\.name)
    let lines = [
      "", "Access-Control-Allow-Origin: \(origin)", "Access-Control-Allow-Credentials: true",
      "Access-Control-Expose-Headers: \(exposed.joined(separator: ", "))", "Vary: Origin",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// The answer to a browser that asks beforehand whether a page may send a request; `nil` when
  /// this is no such question.
  static func preflight(_ request: Request) -> OwnAnswer? {
    guard request.method == "OPTIONS", request.headerValue("origin") != nil,
      let method = request.headerValue("access-control-request-method")
    else { return nil }
    var lines = "Access-Control-Allow-Methods: \(method)\r\n"
    if let names = request.headerValue("access-control-request-headers") {
      lines += "Access-Control-Allow-Headers: \(names)\r\n"
    }
    return OwnAnswer(status: 204, headerLines: lines)
  }
}
