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
