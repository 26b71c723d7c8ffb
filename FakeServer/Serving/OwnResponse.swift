import UnderstudyCore
package import UnderstudyContractModel
package import UnderstudyJSON

/// A response of the server itself rather than of a contract.
package struct OwnResponse: Sendable {
  package let status: Int
  /// Each line with its line end.
  var headerLines: String
  package var body: [UInt8] = []
  /// The declared framing of the body, if it differs from its length.
  var framing: ResponseFraming?
  /// A body whose pieces come over time, instead of `body`.
  var pieces: (any PieceSource)?
  /// What to do once it is sent.
  package var afterwards: (@Sendable () -> Void)?

  private func head(_ framing: ResponseFraming?) -> ResponseHead {
    let lines = "HTTP/1.1 \(status) \(ReasonPhrase.text(of: status))\r\n\(headerLines)"
    return ResponseHead(
      lines: Array(lines.utf8),
      framing: status == 204 ? .none : framing ?? .length(body.count), names: [], mustClose: false)
  }

  func bytes(for context: ServingContext) -> [UInt8] {
    head(framing).bytes(for: context, body: body)
  }

  func script(for context: ServingContext) -> WireScript {
    guard let pieces else {
      return WireScript(
        delayConfigured: .zero, head(framing), for: context, body: PacedBody(body[...]))
    }
    let isChunked = context.clientVersion == .http11
    var script = WireScript(
      delayConfigured: .zero, head(isChunked ? .chunked : .untilClose), for: context,
      body: PacedBody(isChunked: isChunked))
    if !context.isHead { script.pieces = PieceStream(source: pieces, isChunked: isChunked) }
    return script
  }
}

extension OwnResponse {
  package mutating func add(_ field: HeaderField) {
    headerLines += "\(field.name): \(field.value)\r\n"
  }

  /// A response without a body.
  package static func empty(_ status: Int) -> OwnResponse {
    OwnResponse(status: status, headerLines: "")
  }

  /// The methods that contracts may have, for an `OPTIONS` request about the whole server (RFC
  /// 9110, section 9.3.7).
  static let methods = OwnResponse(
    status: 204, headerLines: "Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n")

  /// Success without a body.
  package static let noContent = OwnResponse(status: 204, headerLines: "")

  package init(
    status: Int, contentType: String, headers: [HeaderField] = [], body: [UInt8]
  ) {
    let lines = [HeaderField(name: "Content-Type", value: contentType)] + headers
    self.init(
      status: status, headerLines: lines.map { "\($0.name): \($0.value)\r\n" }.joined(), body: body)
  }

  /// JSON that is text already.
  static func json(_ text: String) -> OwnResponse {
    OwnResponse(status: 200, contentType: "application/json", body: Array(text.utf8))
  }

  /// The written JSON, with a line break at its end. Scripts print it as it is.
  package init(
    status: Int = 200, contentType: String = "application/json", headers: [HeaderField] = [],
    json: JSONWriter
  ) {
    self.init(
      status: status, contentType: contentType, headers: headers,
      body: json.bytes.inertJSON + [.newline])
  }

  /// An object with these members.
  package static func members(
    status: Int = 200, _ write: (inout JSONWriter) -> Void
  ) -> OwnResponse {
    var writer = JSONWriter()
    writer.object { write(&$0) }
    return OwnResponse(status: status, json: writer)
  }
}
