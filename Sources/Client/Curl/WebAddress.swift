import UnderstudyCCurl
package import UnderstudyCore

/// An absolute HTTP URL as curl parses it.
package struct WebAddress {
  let url: String
  package let origin: WebURL

  package init?(_ url: String) {
    self.init(url, relativeTo: nil)
  }

  /// The target of a reference; `nil` when that is not an HTTP URL.
  func resolve(_ reference: String) -> WebAddress? {
    WebAddress(reference, relativeTo: url)
  }

  private init?(_ reference: String, relativeTo base: String?) {
    guard let curl = try? CurlLibrary.functions(), let parts = curl.pointee.url() else {
      return nil
    }
    defer { curl.pointee.url_cleanup(parts) }
    // As curl sends them: servers write spaces and letters of all kinds.
    let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    for text in [base, reference].compactMap({ $0 }) {
      guard curl.pointee.url_set(parts, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
    }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl.pointee.url_get(parts, part, &text, flags) == CURLUE_OK, let text else {
        return nil
      }
      // SAFETY: curl allocated it with a terminating zero, and leaves freeing it to us.
      defer { curl.pointee.free(text) }
      return String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
      let host = part(CURLUPART_HOST)?.lowercased(),
      let url = part(CURLUPART_URL)
    else { return nil }
    self.url = url
    origin = WebURL(scheme: scheme, host: host, port: part(CURLUPART_PORT).flatMap { Int($0) })
  }
}
