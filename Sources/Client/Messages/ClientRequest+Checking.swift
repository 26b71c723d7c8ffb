import UnderstudyCore
import UnderstudyHTTP

extension ClientRequest {
  package static let redirectStatuses: Set = [301, 302, 303, 307, 308]

  /// Whether it has a body, possibly an empty one: some methods always state its length (RFC 9110,
  /// section 8.6).
  var sendsBody: Bool { body != nil || [.post, .put, .patch].contains(method) }

  /// The request for messages, without possible secrets.
  package var place: String { "\(method.rawValue) \(address)" }

  /// The URL without user, password and query.
  package var address: String {
    let address = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let scheme = address.firstRange(ofBytes: "://".utf8) else {
      return String(Substring(address))
    }
    let rest = address[scheme.upperBound...]
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return String(Substring(address))
    }
    return "\(Substring(address[..<scheme.upperBound]))\(Substring(rest[at...].dropFirst()))"
  }

  /// Why it cannot be sent; `nil` if it can.
  package var complaint: String? {
    guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(\.isToken) else {
      return "the method is not a token"
    }
    guard begins(with: "http://") || begins(with: "https://") else {
      return "the URL does not begin with http:// or https://"
    }
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      return "the URL has characters that are not percent-encoded"
    }
    if method == .head, body != nil { return "a HEAD request cannot have a body" }
    for field in headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isToken) else {
        return "a header name is not valid"
      }
      guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        return "the value of \(field.name) has a line end or another control character"
      }
      if field.isNamed("Content-Length") || field.isNamed("Transfer-Encoding") {
        return "\(field.name) cannot be set by the caller"
      }
    }
    return nil
  }

  /// Ignores the case of the scheme.
  private func begins(with scheme: String) -> Bool {
    url.utf8.starts(with: scheme.utf8) { $0 | 0x20 == $1 }
  }
}
