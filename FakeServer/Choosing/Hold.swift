import Synchronization
import UnderstudyContractModel

/// Answers of one contract that wait until a test lets them go.
///
///     let hold = server.hold("joke/random-joke")
///     let first = await hold.next()
///     let second = await hold.next()
///     await second?.release()
///     await first?.release()
///
/// Any thread may use it. Requests wait from the moment it is made until `end()`.
package final class Hold: Sendable {
  private struct State {
    var held: [WaitingAnswer] = []
    var isEnded = false
  }

  private let state = Mutex(State())
  private let bell = ChangeSignal()

  /// The next request whose answer is held, in the order they came; `nil` once the hold has ended
  /// or the task is cancelled.
  package func next() async -> WaitingAnswer? {
    while true {
      let (answer, isEnded) = state.withLock { state in
        (state.held.isEmpty ? nil : state.held.removeFirst(), state.isEnded)
      }
      if answer != nil || isEnded || Task.isCancelled { return answer }
      await bell.wait { state.withLock { !$0.held.isEmpty || $0.isEnded } }
    }
  }

  /// Lets later requests pass, and releases the answers nobody has taken.
  package func end() async {
    for answer in stop() { await answer.release() }
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Holds no more; what nobody has taken is the caller's to release.
  @discardableResult
  func stop() -> [WaitingAnswer] {
    defer { bell.close() }
    return state.withLock { state in
      state.isEnded = true
      defer { state.held = [] }
      return state.held
    }
  }

  /// Fails when the hold has ended in the meantime.
  func take(_ answer: WaitingAnswer) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isEnded else { return false }
      state.held.append(answer)
      return true
    }
    bell.ring()
    return isTaken
  }
}

/// One answer that is ready and waits to be released.
package struct WaitingAnswer: Sendable {
  package let request: JournalEntry
  let ticket: AnswerTicket
  let script: WireScript

  /// Lets the answer go, once; what is left of the case's delay is still waited out. `false` when
  /// there is nobody to answer: the client has left, or the server is closed or was reset.
  @discardableResult
  package func release() async -> Bool {
    await ticket.release(script)
  }

  /// The same for those who cannot wait.
  func letGo() { ticket.release(script) }
}
