import ContractModel

/// Who may use the admin API: programs that know where it is, not web pages that made a browser
/// believe it is theirs (DNS rebinding), and with a token only those that have it.
package struct AdminGate: Sendable {
  package static let prefix = "/__understudy"

  /// Of the port the request came to.
  let authority: String
  let isLoopback: Bool
  let token: String?

  static func isAdmin(_ path: String) -> Bool {
    path.hasPrefix(prefix) && (path.count == prefix.count || path.hasPrefix("\(prefix)/"))
  }

  func check(_ request: Request) throws(AdminProblem) {
    let host = request.values(of: "host").first ?? ""
    // An address for others has names the server cannot know; there the token decides.
    guard isOurs(host) || (token != nil && !isLoopback) else {
      throw .foreign("Host", host, expected: authority)
    }
    for origin in request.values(of: "origin") {
      let isFamiliar = origin.hasPrefix("http://") && isOurs(String(origin.dropFirst(7)))
      guard isFamiliar else {
        throw .foreign("Origin", origin, expected: "http://\(authority) or none")
      }
    }
    guard let token else { return }
    let isAllowed = request.values(of: "authorization").contains { value in
      let parts = value.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[0].lowercased() == "bearer" && Self.areSame(parts[1], token)
    }
    guard isAllowed else { throw .wrongToken }
  }

  private func isOurs(_ host: String) -> Bool {
    let host = host.lowercased()
    let port = authority.lastIndex(of: ":").map { String(authority[$0...]) } ?? ""
    let names = ["localhost", "127.0.0.1", "[::1]"].flatMap { name in
      port == ":80" ? [name, name + port] : [name + port]
    }
    return host == authority.lowercased() || names.contains(host)
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
