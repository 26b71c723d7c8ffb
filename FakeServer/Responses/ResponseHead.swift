import UnderstudyContractModel

/// How a client finds the end of a response's body.
enum ResponseFraming: Hashable, Sendable {
  /// The response never has a body or headers about one.
  case none
  case length(Int)
  case chunked
  /// The body ends with the connection.
  case untilClose
}

/// The head of a response, complete except for the date and the connection's state.
///
/// On the wire: status line, the case's headers in order, framing, names of contract and case,
/// `Date`, `Connection` if needed, and headers added by the server.
struct ResponseHead: Sendable {
  /// Everything up to the date, including `Date: `.
  let beforeDate: [UInt8]
  /// The start of the lines with the names of contract and case. Without names, a client gets the
  /// bytes before, then the date.
  let namesStart: Int
  /// Whether the response uses HTTP/1.0, which closes the connection unless the client asked for
  /// more.
  private let isHTTP10: Bool
  private let mustClose: Bool

  static let dateLabel = Array("Date: ".utf8)
  static let blankLine = Array("\r\n\r\n".utf8)
  private static let closeLine = Array("\r\nConnection: close".utf8)
  private static let keepAliveLine = Array("\r\nConnection: keep-alive".utf8)

  /// `lines` are the status line and the case's headers, each with its line end, as are `names`.
  init(
    lines: [UInt8], framing: ResponseFraming, names: [UInt8], isHTTP10: Bool = false,
    mustClose: Bool
  ) {
    var bytes = lines
    bytes.reserveCapacity(lines.count + names.count + 64)
    switch framing {
    case .none, .untilClose: break
    case .length(let count):
      bytes += "Content-Length: ".utf8
      bytes += String(count).utf8
      bytes += "\r\n".utf8
    case .chunked: bytes += "Transfer-Encoding: chunked\r\n".utf8
    }
    namesStart = bytes.count
    bytes += names
    bytes += Self.dateLabel
    beforeDate = bytes
    self.isHTTP10 = isHTTP10
    self.mustClose = mustClose || framing == .untilClose
  }

  /// Whether an HTTP/1.1 client can reuse its connection without a `Connection` header.
  var isPlain: Bool { !isHTTP10 && !mustClose }

  /// Whether the connection can be used again after this response.
  ///
  /// With HTTP/1.0 on either side, only if the client asked for it; the server then confirms
  /// explicitly (RFC 9112, section 9.3).
  func keepsConnection(_ context: ServingContext) -> Bool {
    if mustClose { return false }
    return switch context.wish {
    case .close: false
    case .keepAlive: true
    case .unsaid: !isHTTP10 && context.clientVersion == .http11
    }
  }

  /// Everything except the line break and blank line at the end.
  func append(to output: inout ByteBuffer, for context: ServingContext) {
    if context.namesCase {
      output.append(beforeDate)
    } else {
      output.append(beforeDate[..<namesStart])
      output.append(Self.dateLabel)
    }
    output.append(context.now.date)
    if !keepsConnection(context) {
      output.append(Self.closeLine)
    } else if isHTTP10 || context.clientVersion == .http10 {
      output.append(Self.keepAliveLine)
    }
    output.append(context.addedLines)
  }

  /// The head with the blank line at its end, then the body unless only the head is sent.
  func bytes(for context: ServingContext, body: [UInt8] = []) -> [UInt8] {
    var output = ByteBuffer()
    defer { output.removeAll() }
    append(to: &output, for: context)
    output.append(Self.blankLine)
    if !context.isHead { output.append(body) }
    return Array(output.bytes)
  }
}

/// A response that is the same for every request: serving it copies two byte ranges with the date
/// between them.
///
/// A class, since its two arrays would be counted for each request.
final class StaticResponse: Sendable {
  let head: ResponseHead
  /// The blank line and the framed body: everything after the date, when an HTTP/1.1 client keeps
  /// its connection and the server adds no headers.
  let afterDate: [UInt8]

  /// Whether it is chunked, which HTTP/1.0 clients do not support.
  let isChunked: Bool

  init(head: ResponseHead, framedBody: [UInt8], isChunked: Bool) {
    self.head = head
    self.isChunked = isChunked
    afterDate = ResponseHead.blankLine + framedBody
  }

  /// The framed body.
  var framedBody: ArraySlice<UInt8> { afterDate[ResponseHead.blankLine.count...] }

  /// Whether the client understands its framing.
  func suits(_ context: ServingContext) -> Bool { !isChunked || context.clientVersion == .http11 }

  /// Returns whether the connection is kept.
  func append(to output: inout ByteBuffer, for context: ServingContext) -> Bool {
    head.append(to: &output, for: context)
    output.append(context.isHead ? ResponseHead.blankLine : afterDate)
    return head.keepsConnection(context)
  }
}
