import Synchronization
import UnderstudyContractModel
import UnderstudyCore

/// The callbacks of a server by the requests that they follow: those to come, and what became of
/// the last of the others.
///
/// It sends nothing: the server does. Any thread may use it.
final class CallbackLog: Sendable {
  /// A callback, by the number of its request and its place among the callbacks of the case.
  struct ID: Hashable, Sendable {
    let sequence: UInt64
    let place: Int
  }

  /// The callbacks that follow one response.
  struct Followers: Sendable {
    let session: String
    let served: ServedCase
    var attempts: [CallbackAttempt]
    /// Whether the response is over.
    var hasBegun = false

    var byteCount: Int { attempts.reduce(0) { $0 + 256 + $1.byteCount } }
    var isOpen: Bool { attempts.contains { $0.outcome.isOpen } }
  }

  private struct State {
    var followers: [UInt64: Followers] = [:]
    /// The oldest first; some may be gone.
    var order: [UInt64] = []
    var byteCount = 0
    var openCount = 0
    var errands: [ID: Errand] = [:]
    var isClosed = false

    mutating func remove(_ sequence: UInt64) {
      guard let gone = followers.removeValue(forKey: sequence) else { return }
      byteCount -= gone.byteCount
      openCount -= gone.attempts.count { $0.outcome.isOpen }
      for place in gone.attempts.indices {
        errands[ID(sequence: sequence, place: place)] = nil
      }
    }
  }

  private let openCountMax: Int
  private let byteCountMax: Int
  private let state = Mutex(State())

  init(openCountMax: Int, byteCountMax: Int) {
    self.openCountMax = openCountMax
    self.byteCountMax = byteCountMax
  }

  /// Adds the callbacks of a request. Those beyond the limit are refused.
  func add(
    _ attempts: [CallbackAttempt], to sequence: UInt64, session: String, served: ServedCase
  ) {
    let added = Followers(session: session, served: served, attempts: attempts)
    state.withLock { add(added, to: sequence, &$0) }
  }

  /// Sets the callbacks of a request whose response is not over.
  func replace(
    _ sequence: UInt64, with attempts: [CallbackAttempt], session: String, served: ServedCase
  ) {
    let added = Followers(session: session, served: served, attempts: attempts)
    state.withLock { state in
      guard state.followers[sequence]?.hasBegun != true else { return }
      state.remove(sequence)
      if !attempts.isEmpty { add(added, to: sequence, &state) }
    }
  }

  private func add(_ followers: Followers, to sequence: UInt64, _ state: inout State) {
    var added = followers
    for place in added.attempts.indices where added.attempts[place].outcome.isOpen {
      if state.isClosed {
        added.attempts[place].end(.cancelled)
      } else if state.openCount < openCountMax {
        state.openCount += 1
      } else {
        added.attempts[place].end(
          .refused,
          Failure(
            message: "\(openCountMax) callbacks are waiting or under way, which is the maximum",
            fix: "let their receivers respond faster, or raise --limit callbacks"))
      }
    }
    state.remove(sequence)
    state.followers[sequence] = added
    state.order.append(sequence)
    state.byteCount += added.byteCount
    while state.byteCount > byteCountMax,
      let index = state.order.firstIndex(where: {
        $0 != sequence && state.followers[$0]?.isOpen != true
      })
    {
      state.remove(state.order.remove(at: index))
    }
  }

  /// The callbacks that are due once their response is over; empty when this is not the first time.
  func begin(_ sequence: UInt64) -> (Followers, [ID])? {
    state.withLock { state in
      guard var followers = state.followers[sequence], !followers.hasBegun else { return nil }
      followers.hasBegun = true
      state.followers[sequence] = followers
      let open = followers.attempts.indices.filter { followers.attempts[$0].outcome.isOpen }
      return (followers, open.map { ID(sequence: sequence, place: $0) })
    }
  }

  /// Changes an open callback, and returns it with its case and session; `nil` when it is over.
  func update(
    _ id: ID, _ change: (inout CallbackAttempt) -> Void
  ) -> (followers: Followers, attempt: CallbackAttempt)? {
    state.withLock { state in
      guard let attempts = state.followers[id.sequence]?.attempts,
        // A held response may have got another case since.
        attempts.indices.contains(id.place), attempts[id.place].outcome.isOpen
      else { return nil }
      let attempt = attempts[id.place]
      var changed = attempt
      change(&changed)
      state.followers[id.sequence]?.attempts[id.place] = changed
      if !changed.outcome.isOpen {
        state.openCount -= 1
        state.errands[id] = nil
      }
      return state.followers[id.sequence].map { ($0, changed) }
    }
  }

  /// Keeps the sending of a callback going until it is over.
  func keep(_ errand: Errand, of id: ID) {
    state.withLock { state in
      guard let attempts = state.followers[id.sequence]?.attempts,
        attempts.indices.contains(id.place), attempts[id.place].outcome.isOpen
      else { return }
      state.errands[id] = errand
    }
  }

  func attempts(of sequence: UInt64) -> [CallbackAttempt] {
    state.withLock { $0.followers[sequence]?.attempts ?? [] }
  }

  /// Whether callbacks of a session, or of any, are to come or under way.
  func isOpen(session: String?) -> Bool {
    state.withLock { state in
      state.openCount > 0
        && state.followers.values.contains {
          (session == nil || $0.session == session) && $0.isOpen
        }
    }
  }

  /// Forgets the callbacks of a request, and sends none of them any more.
  func remove(_ sequence: UInt64) {
    state.withLock { $0.remove(sequence) }
  }

  /// Forgets the callbacks of these requests, and sends none of them any more.
  func remove(where isMeant: (_ sequence: UInt64, _ session: String) -> Bool) {
    state.withLock { state in
      for (sequence, followers) in state.followers where isMeant(sequence, followers.session) {
        state.remove(sequence)
      }
      state.order.removeAll { state.followers[$0] == nil }
    }
  }

  /// Cancels the open callbacks of a request.
  func cancel(after sequence: UInt64) { cancel { $0 == sequence } }

  /// Cancels all that are open, and all that come later.
  func close() -> [(served: ServedCase, attempt: CallbackAttempt)] {
    state.withLock { $0.isClosed = true }
    return cancel { _ in true }
  }

  @discardableResult
  private func cancel(
    where isMeant: (_ sequence: UInt64) -> Bool
  ) -> [(served: ServedCase, attempt: CallbackAttempt)] {
    var ended: [(served: ServedCase, attempt: CallbackAttempt)] = []
    let errands = state.withLock { state -> [ID: Errand] in
      var cancelled: [ID: Errand] = [:]
      for (sequence, followers) in state.followers where isMeant(sequence) {
        for place in followers.attempts.indices
        where followers.attempts[place].outcome.isOpen {
          let id = ID(sequence: sequence, place: place)
          state.followers[sequence]?.attempts[place].end(.cancelled)
          state.openCount -= 1
          if let attempt = state.followers[sequence]?.attempts[place] {
            ended.append((followers.served, attempt))
          }
          cancelled[id] = state.errands.removeValue(forKey: id)
        }
      }
      return cancelled
    }
    // Given up outside the lock, since that cancels tasks.
    withExtendedLifetime(errands) {}
    return ended
  }
}
