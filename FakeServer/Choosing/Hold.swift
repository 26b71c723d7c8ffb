import Synchronization

/// Holds back the responses of one contract, or of one of its cases, until they are released: by a
/// test in this process, or by a client of the admin API.
///
///     let hold = server.hold("joke/random-joke")
///     let first = await hold.next()
///     let second = await hold.next()
///     await second?.release()
///     await first?.release()
///
/// Any thread may use it. Requests are held from its creation until `end()`.
package final class Hold: Sendable {
  private struct State {
    /// The held responses that no test has taken, in order of arrival.
    var held: [WaitingResponse] = []
    var isEnded = false
  }

  /// The case whose responses are held; `nil` for all of the contract.
  let caseName: String?
  private let state = Mutex(State())
  private let bell = ChangeSignal()

  init(of caseName: String? = nil) { self.caseName = caseName }

  /// The next request whose response is held, in order of arrival; `nil` once the hold has ended or
  /// the task is cancelled.
  package func next() async -> WaitingResponse? {
    while true {
      let (response, isEnded) = state.withLock { state in
        (state.held.isEmpty ? nil : state.held.removeFirst(), state.isEnded)
      }
      if response != nil || isEnded || Task.isCancelled { return response }
      await bell.wait { state.withLock { !$0.held.isEmpty || $0.isEnded } }
    }
  }

  /// Lets later requests pass, and releases the responses that no test has taken.
  package func end() async {
    for response in stop() { await response.release() }
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Whether it holds the responses of this case.
  func holds(_ name: String) -> Bool { caseName == nil || caseName == name }

  /// Stops holding. The caller must release the responses that no test has taken.
  @discardableResult
  func stop() -> [WaitingResponse] {
    defer { bell.close() }
    return state.withLock { state in
      state.isEnded = true
      defer { state.held = [] }
      return state.held
    }
  }

  /// Fails when the hold has already ended.
  func take(_ response: WaitingResponse) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isEnded else { return false }
      state.held.append(response)
      return true
    }
    bell.ring()
    return isTaken
  }

  /// Forgets a response that is not held any more.
  func forget(_ id: WaitingResponse.ID) {
    state.withLock { $0.held.removeAll { $0.id == id } }
  }
}
