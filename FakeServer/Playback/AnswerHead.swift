import UnderstudyContractModel

/// How a client finds the end of an answer's body.
enum AnswerFraming: Hashable, Sendable {
  /// There never is a body, and no header speaks of one.
  case none
  case length(Int)
  case chunked
  /// The body ends with the connection.
  case untilClose
}

/// The head of an answer, of which only the moment and the connection are open.
///
/// On the wire: status line, the case's headers in their order, framing, names of contract and
/// case, `Date`, `Connection` when there is something to say, and what the server adds.
struct AnswerHead: Sendable {
  /// All up to the date, `Date: ` included.
  let beforeDate: [UInt8]
  /// Where the lines with the names of contract and case begin; a client that is not to see them
  /// gets the bytes before, and then the date.
  let namesStart: Int
  /// Whether the answer speaks HTTP/1.0, which closes unless the client asked for more.
  private let isHTTP10: Bool
  private let mustClose: Bool

  static let dateLabel = Array("Date: ".utf8)
  static let blankLine = Array("\r\n\r\n".utf8)
  private static let closeLine = Array("\r\nConnection: close".utf8)
  private static let keepAliveLine = Array("\r\nConnection: keep-alive".utf8)

  /// `lines` are the status line and the case's headers, each with its end; so are `names`.
  init(
    lines: [UInt8], framing: AnswerFraming, names: [UInt8], isHTTP10: Bool = false, mustClose: Bool
  ) {
    var bytes = lines
    switch framing {
    case .none, .untilClose: break
    case .length(let count): bytes += "Content-Length: \(count)\r\n".utf8
    case .chunked: bytes += "Transfer-Encoding: chunked\r\n".utf8
    }
    namesStart = bytes.count
    beforeDate = bytes + names + Self.dateLabel
    self.isHTTP10 = isHTTP10
    self.mustClose = mustClose || framing == .untilClose
  }

  /// Whether a client of HTTP/1.1 can use its connection again and need not be told.
  var isPlain: Bool { !isHTTP10 && !mustClose }

  /// Whether the connection can be used again after this answer.
  ///
  /// With HTTP/1.0 on either side that needs a client that asked for it; the server then agrees in
  /// so many words (RFC 9112, section 9.3).
  func keepsConnection(_ context: PlayContext) -> Bool {
    if mustClose { return false }
    return switch context.wish {
    case .close: false
    case .keepAlive: true
    case .unsaid: !isHTTP10 && context.clientVersion == .http11
    }
  }

  /// Everything but the blank line at the end, and the line break before it.
  func append(to output: inout [UInt8], for context: PlayContext) {
    if context.namesCase {
      output += beforeDate
    } else {
      output += beforeDate[..<namesStart]
      output += Self.dateLabel
    }
    output += context.now.httpDate
    if !keepsConnection(context) {
      output += Self.closeLine
    } else if isHTTP10 || context.clientVersion == .http10 {
      output += Self.keepAliveLine
    }
    output += context.addedLines
  }
}

/// An answer that is the same for every request: to play it is to copy two stretches of bytes with
/// the date between them.
struct StaticAnswer: Sendable {
  let head: AnswerHead
  /// The blank line and the body with its framing: all that follows the date when a client of
  /// HTTP/1.1 keeps its connection and the server adds nothing.
  let afterDate: [UInt8]

  /// Whether it is in chunks, which a client of HTTP/1.0 does not know.
  let isChunked: Bool

  init(head: AnswerHead, framedBody: [UInt8], isChunked: Bool) {
    self.head = head
    self.isChunked = isChunked
    afterDate = AnswerHead.blankLine + framedBody
  }

  /// The body with its framing.
  var framedBody: ArraySlice<UInt8> { afterDate[AnswerHead.blankLine.count...] }

  func append(to output: inout [UInt8], for context: PlayContext) {
    head.append(to: &output, for: context)
    if context.isHead { output += AnswerHead.blankLine } else { output += afterDate }
  }
}
