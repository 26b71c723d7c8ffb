import Synchronization

/// Answers requests in a unit test without a network, at once or when the test releases the answer.
///
///     let stub = StubTransport()
///     stub.answer(url: "https://dog.ceo/api", .failure(.reset), .json("[]").held)
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

  /// A stub without answers: every request fails until it has some.
  public init() {}

  /// Gives these answers to requests of this method and URL, one after the other; the last repeats.
  /// They follow answers that were added before.
  public func answer(_ method: HTTPMethod = .get, url: String, _ answers: StubAnswer...) {
    state.withLock { $0.add(answers, for: StubState.Route(method: method, url: url)) }
  }

  /// Gives these answers to requests that have none of their own; the last repeats.
  public func answerOthers(_ answers: StubAnswer...) {
    state.withLock { $0.add(answers, for: nil) }
  }

  /// Every request so far, in order.
  public var requests: [ClientRequest] { state.withLock { $0.requests } }

  /// Gives the next answer for this request; without one, it fails with `cannotConnect`.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    if Task.isCancelled { throw TransportError(.cancelled) }
    let (number, answer) = state.withLock { $0.take(request) }
    guard let answer else {
      throw TransportError(
        .cannotConnect, "the stub has no answer for \(request.method.rawValue) \(request.url)")
    }
    answer.check?(request)
    var response =
      try await answer.isHeld
      ? hold(request, number, answer).get() : answer.result.get()
    if response.url.isEmpty { response.url = request.url }
    return response
  }

  /// Waits for the next request whose answer is held; `nil` if the task is cancelled or the test has
  /// finished.
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
  /// without an answer, each answer nobody asked for and each check that never ran.
  public func finish() -> [String] {
    let (complaints, held, waiting) = state.withLock { $0.finish() }
    for held in held { held.continuation.resume(returning: .failure(TransportError(.cancelled))) }
    for continuation in waiting { continuation.resume(returning: nil) }
    return complaints
  }

  private func hold(
    _ request: ClientRequest, _ number: Int, _ answer: StubAnswer
  ) async -> Result<ClientResponse, TransportError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let held = StubState.Held(
          number: number, request: request, result: answer.result, continuation: continuation)
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
