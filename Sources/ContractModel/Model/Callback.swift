package import UnderstudyCore
package import UnderstudyJSON

/// A request that the server sends once it has sent the response of a case.
package final class Callback: Sendable {
  package let name: String
  package let summary: String?
  package let method: String
  /// As it is written, with expressions, which are always filled in.
  package let url: String
  package let headers: [HeaderField]
  /// JSON without white space between tokens.
  package let bodyBytes: [UInt8]
  package let isJSON: Bool
  /// Where else expressions are filled in.
  package let templatedParts: Set<Response.TemplatedPart>
  /// The time from the end of the response.
  package let delay: Delay?
  /// The status of the response that it must get; `nil` where any will do, or none.
  package let expectedStatus: Int?
  package let source: JSONValue

  init(
    name: String, summary: String?, method: String, url: String, headers: [HeaderField],
    bodyBytes: [UInt8], isJSON: Bool, templatedParts: Set<Response.TemplatedPart>, delay: Delay?,
    expectedStatus: Int?, source: JSONValue
  ) {
    self.name = name
    self.summary = summary
    self.method = method
    self.url = url
    self.headers = headers
    self.bodyBytes = bodyBytes
    self.isJSON = isJSON
    self.templatedParts = templatedParts
    self.delay = delay
    self.expectedStatus = expectedStatus
    self.source = source
  }

  /// The texts in which expressions are filled in.
  var templatedTexts: [String] {
    var texts = [url]
    if templatedParts.contains(.headers) { texts += headers.map(\.value) }
    if templatedParts.contains(.body) { texts.append(String(decoding: bodyBytes, as: UTF8.self)) }
    return texts
  }

  /// The address that the URL has whatever is filled in; `nil` where that decides.
  package var fixedAddress: WebURL? { Self.fixedAddress(of: url) }

  package static func fixedAddress(of text: String) -> WebURL? {
    let template = Template(text)
    if let text = template.plainText { return WebURL(text) }
    let start = template.start
    guard let scheme = start.utf8.firstRange(ofBytes: "://".utf8),
      let end = start.utf8[scheme.upperBound...].firstIndex(where: {
        $0 == .slash || $0 == .questionMark
      })
    else { return nil }
    return WebURL(String(start[..<end]))
  }
}

/// Which addresses callbacks of an upstream may have besides those on this machine.
package struct CallbackHosts: Hashable, Sendable {
  /// In lower case; each with or without a port.
  package let names: [String]

  package init(_ names: [String] = []) { self.names = names }

  /// Why no callback is sent to an address, and what to do about it; `nil` where one may be.
  package func refusal(of url: WebURL, of upstreamName: String) -> Failure? {
    let host = NetworkHost(url.host)
    if let address = host.address, address.isClosedToRedirects {
      return Failure(
        message:
          "\(url.authority) is a link-local or unspecified address, where no callback is sent")
    }
    guard !host.isLoopback, !names.contains(url.host), !names.contains(url.place) else {
      return nil
    }
    return Failure(
      message: "\(url.authority) is neither on this machine nor declared by \(upstreamName)",
      fix: "let the request name an address on this machine, or add \"\(url.host)\" to"
        + " \"callbacks\" in \(upstreamName)/upstream.json")
  }
}
