import UnderstudyCore
import UnderstudyHTTP

/// How a client of a proxy names its session, and shows the token: the name and the password in the
/// proxy's URL.
struct ProxyCredentials {
  let user: String
  let password: String

  /// `nil` for a request without them, and for another scheme than Basic.
  init?(_ head: borrowing RequestHead, in bytes: UnsafeRawBufferPointer) {
    // SAFETY: the ranges are those of a head that was parsed from these bytes, which are not kept.
    guard let field = head.value(of: "proxy-authorization", in: bytes).map({ bytes.text($0) })
    else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let bytes = Base64.decode(String(parts[1]))
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    user = String(text[..<colon])
    password = String(text[colon...].dropFirst())
  }
}
