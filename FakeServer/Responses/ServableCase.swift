import UnderstudyContractModel

/// A case ready to be served: compiled once, when the first request needs its contract, and shared
/// by all servers.
final class ServableCase: Sendable {
  let name: String
  /// `dog-ceo/random-images`
  let contractID: String
  /// `nil` for a fault that sends no response.
  let status: Int?
  let delay: Delay?
  private let pace: Pace?
  private let stall: Stall?
  private let fault: Fault?
  private let faultEvent: Int?
  private let staticResponse: StaticResponse?
  /// `nil` for a fault that sends no response, and when the static response suits every client.
  private let recipe: ResponseRecipe?
  /// Whether anything in the response may be random or counted.
  let drawsValues: Bool
  /// The requests that follow the response.
  let callbackRecipes: [CallbackRecipe]

  /// Fails for a case without a required response, which loading has reported.
  ///
  /// With `addresses`, links to live APIs in bodies and headers lead to the fake instead.
  init?(_ served: Case, of contract: Contract, rewriting addresses: LiveAddresses? = nil) {
    guard served.response != nil || served.fault?.servesResponse == false else { return nil }
    name = served.name
    contractID = contract.id
    delay = served.delay
    pace = served.pace
    stall = served.stall
    // Sessions choose no case that breaks the handshake.
    fault = served.breaksHandshake ? .emptyResponse : served.fault
    faultEvent = served.faultEvent
    status = served.status
    callbackRecipes = served.callbacks.map {
      CallbackRecipe($0, upstreamName: contract.upstreamName)
    }
    let recipe = served.response.map {
      ResponseRecipe(served, $0, of: contract, rewriting: addresses)
    }
    let isPlain = pace == nil && stall == nil && fault == nil
    staticResponse = isPlain ? recipe?.staticResponse : nil
    self.recipe = staticResponse?.isChunked == false ? nil : recipe
    drawsValues = delay != nil || fault != nil || self.recipe?.drawsValues ?? false
  }

  /// The prepared bytes of the response, for most cases and clients. The caller still waits for the
  /// `delay`, and closes the connection unless the head keeps it.
  func staticResponse(for context: ServingContext) -> StaticResponse? {
    staticResponse.flatMap { $0.suits(context) ? $0 : nil }
  }

  /// Whether the whole response is sent at once, and nothing follows it.
  func isImmediate(for context: ServingContext) -> Bool {
    guard delay == nil, pace == nil, stall == nil, fault == nil, callbackRecipes.isEmpty else {
      return false
    }
    if let staticResponse, staticResponse.suits(context) { return true }
    guard let recipe, !recipe.isLarge, recipe.events == nil else { return false }
    return recipe.framing(of: 0, for: context.clientVersion) != .chunked
  }

  /// Writes an immediate response, and returns its status and whether the connection is kept. The
  /// generator provides the values in the order of headers and body.
  func append(
    to output: inout ByteBuffer, for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> (status: Int, keepsConnection: Bool) {
    guard let recipe else { return (0, false) }
    let response = recipe.prepared(for: context, request, using: &generator)
    response.head.append(to: &output, for: context)
    output.append(ResponseHead.blankLine)
    if !context.isHead { output.append(response.content) }
    return (response.status, response.head.keepsConnection(context))
  }

  /// The steps to send for this request. The generator provides the delay first, then the values in
  /// the order of headers and body.
  func script(
    for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> WireScript {
    var script = wholeScript(for: context, request, using: &generator)
    script.breaksOff = fault != nil
    return script
  }

  private func wholeScript(
    for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> WireScript {
    let delayConfigured = generator.duration(of: delay)
    switch fault {
    case .emptyResponse: return WireScript(delayConfigured: delayConfigured, end: .close)
    case .connectionResetByPeer: return WireScript(delayConfigured: delayConfigured, end: .reset)
    case .malformedStatusLine:
      return WireScript(delayConfigured: delayConfigured, head: FaultBytes.statusLine, end: .close)
    case .randomDataThenClose:
      let noise = generator.noise(count: FaultBytes.noiseCount)
      return WireScript(delayConfigured: delayConfigured, head: noise, end: .close)
    default: break
    }
    if case .beforeHead = stall {
      return WireScript(delayConfigured: delayConfigured, isStalling: true, end: .keepOpen)
    }
    if let response = staticResponse(for: context) {
      return WireScript(
        delayConfigured: delayConfigured, response.head, for: context,
        body: PacedBody(response.framedBody))
    }
    guard let recipe else { return WireScript(delayConfigured: delayConfigured, end: .close) }
    let (status, head, body) = parts(of: recipe, for: context, request, using: &generator)
    if fault == .malformedResponseChunk {
      return WireScript(
        delayConfigured: delayConfigured, head, for: context,
        body: PacedBody(FaultBytes.chunk[...]),
        end: .close)
    }
    var script = WireScript(
      delayConfigured: delayConfigured, head, for: context, body: body, isStalling: stall != nil,
      end: endOfFault)
    script.status = status
    return script
  }

  private func parts(
    of recipe: ResponseRecipe, for context: ServingContext, _ request: RequestFacts,
    using generator: inout ValueGenerator
  ) -> (status: Int?, ResponseHead, PacedBody) {
    if let events = recipe.events {
      let (head, isChunked, stream) = recipe.prepared(
        events, for: context, request, using: &generator)
      return (nil, head, stream.body(isChunked: isChunked, sentCount: sentCount(of: stream)))
    }
    let response = recipe.prepared(for: context, request, using: &generator)
    let body = PacedBody(
      response.content, isChunked: response.framing == .chunked,
      pace: pace.map(PacedBody.Pace.init),
      sentCount: sentCount(of: response.content.count))
    return (response.status, response.head, body)
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
    case .tlsClosedWithoutNotice: .closeSilently
    default: nil
    }
  }
}

extension WireScript {
  /// Without `end`, the head decides what happens to the connection.
  init(
    delayConfigured: Duration, _ head: ResponseHead, for context: ServingContext, body: PacedBody,
    isStalling: Bool = false, end: End? = nil
  ) {
    self.init(
      delayConfigured: delayConfigured, head: head.bytes(for: context),
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
