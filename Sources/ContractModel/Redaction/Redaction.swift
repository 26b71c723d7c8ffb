/// Hides what must not be shown of a request: the values of headers, query parameters (those of a
/// `Referer` too), fields of forms of either kind, and texts and numbers in JSON that carry
/// credentials, by name in any case and with any hyphens. What such a name does not mark is shown.
package struct Redaction: Sendable {
  package static let mask = "[redacted]"
  private static let always = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "api-key", "x-api-key", "token",
    "access-token", "refresh-token", "id-token", "auth-token", "x-auth-token", "session-token",
    "client-secret", "secret", "password", "passwd", "passphrase", "private-key", "tokens",
    "secrets", "passwords", "credentials",
  ]

  private let names: Set<String>
  private let endings: [String]

  /// A name that ends with one of the endings is one of them, too.
  package init(adding names: some Sequence<String>, endings: [String] = []) {
    self.names = Set((Self.always + names).map(Self.plain))
    self.endings = endings.map(Self.plain)
  }

  /// Of `user[password]` and `user.password` each part is a name, too.
  package func hides(_ name: some StringProtocol) -> Bool {
    hides(plain: Self.plain(name))
      || name.utf8.contains(where: Self.isJoint)
        && name.split { "[].".contains($0) }.contains { hides(plain: Self.plain($0)) }
  }

  private func hides(plain name: String) -> Bool {
    names.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  /// Whether a text has the form of a credential, whatever it is called.
  package static func looksSecret(_ text: String) -> Bool { SecretScan.finds(in: text) }

  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
  }

  /// `X-Api-Key`, `x_api_key` and `xApiKey` are one name.
  private static func plain(_ name: some StringProtocol) -> String {
    let bytes = name.lowercased().utf8.filter {
      $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package func redacted(_ request: Request) -> Request {
    var request = request
    request.headers = request.headers.map { field in
      let value =
        if hides(field.name) { Self.mask } else if field.name.lowercased() == "referer" {
          redacted(target: field.value)
        } else { field.value }
      return HeaderField(name: field.name, value: value)
    }
    request.query = request.query.map(redacted(query:))
    request.body = redacted(bodyOf: request)
    return request
  }

  /// What a client asks for as it may be printed, the query included.
  package func redacted(target: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    return target[...mark] + redacted(query: String(target[target.index(after: mark)...]))
  }

  private func redacted(bodyOf request: Request) -> [UInt8] {
    redacted(request.body, of: request.headerValue("content-type") ?? "")
  }

  /// A body by its `Content-Type`.
  ///
  /// - Parameter number: what becomes of a number in JSON.
  package func redacted(
    _ body: [UInt8], of contentType: String, number: String = "\"\(mask)\""
  ) -> [UInt8] {
    let kind = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    switch kind {
    case "application/x-www-form-urlencoded":
      // Some clients call everything so, such as JSON sent by `curl -d`.
      let form = redacted(query: String(decoding: body, as: UTF8.self))
      return redacted(json: Array(form.utf8), number: number)
    case "multipart/form-data": return redacted(multipart: body)
    default: return redacted(json: body, number: number)
    }
  }

  /// A name that is percent-encoded is compared after decoding, as contracts compare it.
  package func redacted(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      return hides(PercentEncoding.decode(name) ?? String(name))
        ? "\(name)=\(Self.mask)" : String(pair)
    }.joined(separator: "&")
  }

  /// A difference of a secret says that there is one, not what was found.
  package func redacted(_ explanation: Explanation) -> Explanation {
    // A body may have megabytes: it is looked through once, and only if a difference is its own.
    lazy var hasSecretBody = redacted(bodyOf: explanation.request) != explanation.request.body
    return explanation.mapDifferences { difference in
      switch difference {
      case .parameter(let key, _?, let expected) where hides(key.drop { $0 != "." }.dropFirst()):
        .parameter(key: key, found: Self.mask, expected: expected)
      case .body(_, let expected) where hasSecretBody:
        .body(found: Self.mask, expected: expected)
      default: difference
      }
    }
  }
}
