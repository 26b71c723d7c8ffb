import UnderstudyContractModel

extension AnswerRecipe {
  /// The head, how the body is framed, and the body itself, for one request.
  func prepared(
    for context: PlayContext, _ request: some RequestValues, using generator: inout PlayGenerator
  ) -> (head: AnswerHead, framing: AnswerFraming, content: [UInt8]) {
    var values = ByteTemplate.AnswerValues()
    let lines = lines.filled(from: request, at: context.now, &values, using: &generator)
    let content = coding.encode(
      content.filled(from: request, at: context.now, &values, using: &generator))
    let framing = framing(of: content.count, for: context.clientVersion)
    return (head(lines, framing), framing, content)
  }

  /// The whole answer, when no part of it depends on the request.
  var staticAnswer: StaticAnswer? {
    guard let lines = lines.fixedBytes, let plain = content.fixedBytes else { return nil }
    let content = coding.encode(plain)
    let framing = framing(of: content.count, for: .http11)
    var body = PacedBody(content[...], isChunked: framing == .chunked)
    var framed: [UInt8] = []
    while case .send(let bytes) = body.next() { framed += bytes }
    return StaticAnswer(
      head: head(lines, framing), framedBody: framed, isChunked: framing == .chunked)
  }

  private func head(_ lines: [UInt8], _ framing: AnswerFraming) -> AnswerHead {
    AnswerHead(
      lines: lines, framing: framing, names: names, isHTTP10: isHTTP10, mustClose: announcesClose)
  }
}
