/// An answer of the server's own, where no contract has a say.
struct OwnAnswer {
  let status: Int
  /// Each line with its end.
  var headerLines: String
  var body: [UInt8] = []

  func append(to output: inout [UInt8], for context: PlayContext) {
    let lines = "HTTP/1.1 \(status) \(ReasonPhrase.text(of: status))\r\n\(headerLines)"
    let head = AnswerHead(
      lines: Array(lines.utf8), framing: status == 204 ? .none : .length(body.count), names: [],
      mustClose: false)
    head.append(to: &output, for: context)
    output += AnswerHead.blankLine
    if !context.isHead { output += body }
  }
}
