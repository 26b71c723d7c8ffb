import Synchronization

/// Responds to requests in a unit test without a network, at once or when the test releases the
/// response.
///
///     let stub = StubTransport()
///     stub.respond(url: "https://dog.ceo/api", .failure(.reset), .json("[]").held)
///     …
///     let held = await stub.nextHeld()
///     #expect(model.state == .loading)
///     held?.release()
///     …
///     #expect(stub.finish() == [])
///
/// Any thread may use it; checks run and continuations are resumed outside its lock.
public final class StubTransport: Transport {
  private let state = Mutex(StubState())

  /// A stub without responses: every request fails until it has some.
  public init() {}

  /// Gives these responses to requests of this method and URL, one after the other; the last
  /// repeats. They follow responses that were added before.
  public func respond(to method: HTTPMethod = .get, url: String, _ responses: StubResponse...) {
    state.withLock { $0.add(responses, for: StubState.Route(method: method, url: url)) }
  }

  /// Gives these responses to requests that have none of their own; the last repeats.
  public func respondToOthers(_ responses: StubResponse...) {
    state.withLock { $0.add(responses, for: nil) }
  }

  /// Every request so far, in order.
  public var requests: [ClientRequest] { state.withLock { $0.requests } }

  /// Gives the next response for this request; without one, it fails with `cannotConnect`.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    if Task.isCancelled { throw TransportError(.cancelled) }
    let (number, stubbed) = state.withLock { $0.take(request) }
    guard let stubbed else {
      throw TransportError(
        .cannotConnect, "the stub has no response for \(request.method.rawValue) \(request.url)")
    }
    stubbed.check?(request)
    var response =
      try await stubbed.isHeld
      ? hold(request, number, stubbed).get() : stubbed.result.get()
    if response.url.isEmpty { response.url = request.url }
    return response
  }

  /// Waits for the next request whose response is held; `nil` if the task is cancelled or the test
  /// has finished.
  public func nextHeld() async -> HeldRequest? {
    let number = state.withLock { $0.nextNumber() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock {
          $0.waitForHeld(number, continuation, isCancelled: Task.isCancelled)
        }
        if let outcome { continuation.resume(returning: outcome.map(heldRequest)) }
      }
    } onCancel: {
      state.withLock { $0.stopWaiting(number) }?.resume(returning: nil)
    }
  }

  /// Ends the test: cancels requests that are still held, and returns a line for each request
  /// without a response, each response nobody asked for and each check that never ran.
  public func finish() -> [String] {
    let (complaints, held, waiting) = state.withLock { $0.finish() }
    for held in held { held.continuation.resume(returning: .failure(TransportError(.cancelled))) }
    for continuation in waiting { continuation.resume(returning: nil) }
    return complaints
  }

  private func hold(
    _ request: ClientRequest, _ number: Int, _ stubbed: StubResponse
  ) async -> Result<ClientResponse, TransportError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let held = StubState.Held(
          number: number, request: request, result: stubbed.result, continuation: continuation)
        let step = state.withLock { $0.hold(held, isCancelled: Task.isCancelled) }
        switch step {
        case .waits: break
        case .isGivenUp: continuation.resume(returning: .failure(TransportError(.cancelled)))
        case .isAwaited(let waiting): waiting.resume(returning: heldRequest(held))
        }
      }
    } onCancel: {
      resume(number, with: .failure(TransportError(.cancelled)))
    }
  }

  private func heldRequest(_ held: StubState.Held) -> HeldRequest {
    HeldRequest(request: held.request, result: held.result) { result in
      self.resume(held.number, with: result)
    }
  }

  @discardableResult
  private func resume(
    _ number: Int, with result: Result<ClientResponse, TransportError>
  ) -> Bool {
    let continuation = state.withLock { $0.release(number) }
    continuation?.resume(returning: result)
    return continuation != nil
  }
}
