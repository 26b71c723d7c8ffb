import UnderstudyContractModel

/// A case ready to be played: compiled once when contracts are loaded, and shared by all servers.
final class PlayableCase: Sendable {
  let name: String
  /// `dog-ceo/random-images`
  let contractID: String
  /// `nil` for a fault that sends no answer.
  let status: Int?
  let delay: Delay?
  private let pace: Pace?
  private let stall: Stall?
  private let fault: Fault?
  private let faultEvent: Int?
  private let staticAnswer: StaticAnswer?
  /// `nil` for a fault that sends no answer, and when the static answer suits every client.
  private let recipe: AnswerRecipe?

  /// Fails for a case without a required answer, which loading has reported.
  ///
  /// With `addresses`, links to live APIs in bodies and headers lead to the fake instead.
  init?(_ played: Case, of contract: Contract, rewriting addresses: LiveAddresses? = nil) {
    guard played.response != nil || played.fault?.playsAnswer == false else { return nil }
    name = played.name
    contractID = contract.id
    delay = played.delay
    pace = played.pace
    stall = played.stall
    fault = played.fault
    faultEvent = played.faultEvent
    status = played.status
    let recipe = played.response.map {
      AnswerRecipe(played, $0, of: contract, rewriting: addresses)
    }
    let isPlain = pace == nil && stall == nil && fault == nil
    staticAnswer = isPlain ? recipe?.staticAnswer : nil
    self.recipe = staticAnswer?.isChunked == false ? nil : recipe
  }

  /// The prepared bytes of the answer, for most cases and clients. The caller still waits for the
  /// `delay`, and closes the connection unless the head keeps it.
  func staticAnswer(for context: PlayContext) -> StaticAnswer? {
    staticAnswer.flatMap { $0.suits(context) ? $0 : nil }
  }

  /// Whether the whole answer is sent at once.
  func isImmediate(for context: PlayContext) -> Bool {
    guard delay == nil, pace == nil, stall == nil, fault == nil else { return false }
    if let staticAnswer, staticAnswer.suits(context) { return true }
    guard let recipe, !recipe.isLarge, recipe.events == nil else { return false }
    return recipe.framing(of: 0, for: context.clientVersion) != .chunked
  }

  /// Whether a value in the answer is random or counted.
  var drawsValues: Bool { recipe?.drawsValues ?? false }

  /// Writes an immediate answer, and returns its status and whether the connection is kept. The
  /// generator provides the values in the order of headers and body.
  func append(
    to output: inout ByteBuffer, for context: PlayContext, _ request: some RequestValues,
    using generator: inout PlayGenerator
  ) -> (status: Int, keepsConnection: Bool) {
    guard let recipe else { return (0, false) }
    let answer = recipe.prepared(for: context, request, using: &generator)
    answer.head.append(to: &output, for: context)
    output.append(AnswerHead.blankLine)
    if !context.isHead { output.append(answer.content) }
    return (answer.status, answer.head.keepsConnection(context))
  }

  /// The steps to send for this request. The generator provides the delay first, then the values in
  /// the order of headers and body.
  func script(
    for context: PlayContext, _ request: some RequestValues, using generator: inout PlayGenerator
  ) -> WireScript {
    var script = wholeScript(for: context, request, using: &generator)
    script.breaksOff = fault != nil
    return script
  }

  private func wholeScript(
    for context: PlayContext, _ request: some RequestValues, using generator: inout PlayGenerator
  ) -> WireScript {
    let delayAsked = generator.duration(of: delay)
    switch fault {
    case .emptyResponse: return WireScript(delayAsked: delayAsked, end: .close)
    case .connectionResetByPeer: return WireScript(delayAsked: delayAsked, end: .reset)
    case .malformedStatusLine:
      return WireScript(delayAsked: delayAsked, head: FaultBytes.statusLine, end: .close)
    case .randomDataThenClose:
      let noise = generator.noise(count: FaultBytes.noiseCount)
      return WireScript(delayAsked: delayAsked, head: noise, end: .close)
    default: break
    }
    if case .beforeHead = stall {
      return WireScript(delayAsked: delayAsked, isStalling: true, end: .keepOpen)
    }
    if let answer = staticAnswer(for: context) {
      return WireScript(
        delayAsked: delayAsked, answer.head, for: context, body: PacedBody(answer.framedBody))
    }
    guard let recipe else { return WireScript(delayAsked: delayAsked, end: .close) }
    let (status, head, body) = parts(of: recipe, for: context, request, using: &generator)
    if fault == .malformedResponseChunk {
      return WireScript(
        delayAsked: delayAsked, head, for: context, body: PacedBody(FaultBytes.chunk[...]),
        end: .close)
    }
    var script = WireScript(
      delayAsked: delayAsked, head, for: context, body: body, isStalling: stall != nil,
      end: endOfFault)
    script.status = status
    return script
  }

  private func parts(
    of recipe: AnswerRecipe, for context: PlayContext, _ request: some RequestValues,
    using generator: inout PlayGenerator
  ) -> (status: Int?, AnswerHead, PacedBody) {
    if let events = recipe.events {
      let (head, isChunked, stream) = recipe.prepared(
        events, for: context, request, using: &generator)
      return (nil, head, stream.body(isChunked: isChunked, sentCount: sentCount(of: stream)))
    }
    let answer = recipe.prepared(for: context, request, using: &generator)
    let body = PacedBody(
      answer.content, isChunked: answer.framing == .chunked, pace: pace.map(PacedBody.Pace.init),
      sentCount: sentCount(of: answer.content.count))
    return (answer.status, answer.head, body)
  }

  /// How much of a stream is sent; `nil` for all of it and its end.
  private func sentCount(of stream: EventStream) -> Int? {
    switch stall {
    case .afterHead: 0
    case .atEvent(let number): stream.end(ofEvent: number)
    case .beforeHead, .atByte, nil: fault?.isInBody == true ? stream.end(ofEvent: faultEvent) : nil
    }
  }

  /// How much of the body is sent before it is cut off; `nil` for all of it.
  private func sentCount(of count: Int) -> Int? {
    switch stall {
    case .afterHead: return 0
    case .atByte(let offset): return offset
    case .beforeHead, .atEvent, nil: break
    }
    return fault?.isInBody == true ? count / 2 : nil
  }

  private var endOfFault: WireScript.End? {
    switch fault {
    case .connectionResetInBody: .reset
    case .connectionClosedInBody: .close
    default: nil
    }
  }
}

extension WireScript {
  /// Without `end`, the head decides what happens to the connection.
  init(
    delayAsked: Duration, _ head: AnswerHead, for context: PlayContext, body: PacedBody,
    isStalling: Bool = false, end: End? = nil
  ) {
    self.init(
      delayAsked: delayAsked, head: head.bytes(for: context),
      body: context.isHead ? PacedBody() : body,
      isStalling: isStalling, end: end ?? (head.keepsConnection(context) ? .keepOpen : .close))
  }
}

extension PacedBody.Pace {
  fileprivate init(_ pace: Pace) {
    switch pace {
    case .chunks(let count, let over): self = .pieces(count: count, over: over)
    case .bytesPerSecond(let rate): self = .bytesPerSecond(rate)
    }
  }
}
