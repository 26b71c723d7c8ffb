import ContractModel
import JSON

/// An answer that the server gives by itself rather than from a contract.
struct ServerAnswer: Sendable {
  let status: Int
  private let head: AnswerHead
  private let body: [UInt8]
  /// What is to be done once it is sent.
  var afterwards: (@Sendable () -> Void)?

  init(
    status: Int, contentType: String, headers: [HeaderField] = [], body: [UInt8]
  ) {
    let lines = [HeaderField(name: "Content-Type", value: contentType)] + headers
    self.init(status: status, lines, framing: .length(body.count), body: body)
  }

  /// What was written, with a line break at its end.
  init(
    status: Int = 200, contentType: String = "application/json", headers: [HeaderField] = [],
    json: JSONWriter
  ) {
    self.init(
      status: status, contentType: contentType, headers: headers,
      body: json.bytes + Array("\n".utf8))
  }

  /// It is done, and there is nothing to say.
  static let noContent = ServerAnswer(status: 204, [], framing: .none, body: [])

  private init(status: Int, _ headers: [HeaderField], framing: BodyFraming, body: [UInt8]) {
    let first = "HTTP/1.1 \(status) \(ReasonPhrase.text(of: status))\r\n"
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    self.status = status
    self.body = body
    head = AnswerHead(
      lines: Array((first + lines).utf8), framing: framing, names: [], mustClose: false)
  }

  func append(to output: inout [UInt8], for context: PlayContext) {
    head.append(to: &output, for: context)
    output += AnswerHead.blankLine
    if !context.isHead { output += body }
  }

  func script(for context: PlayContext) -> WireScript {
    var bytes: [UInt8] = []
    append(to: &bytes, for: context)
    return WireScript(
      delayAsked: .zero, head: bytes, end: head.keepsConnection(context) ? .keepOpen : .close)
  }
}
