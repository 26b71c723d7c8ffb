import Synchronization

/// The sessions whose requests are forwarded to other servers and recorded, by their names.
///
/// Any thread may use it. Requests take no lock while nothing is recorded.
final class SessionRecordings: Sendable {
  private struct State {
    /// Where requests are forwarded, and the number of the last one before.
    var underWay: [String: (relay: Relay, since: UInt64)] = [:]
    var stopped: Set<String> = []
  }

  private let state = Mutex(State())
  /// Written under the lock of the state.
  private let hasAny = Atomic(false)

  var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

  func relay(of session: String) -> Relay? {
    isEmpty ? nil : state.withLock { $0.underWay[session]?.relay }
  }

  func status(of session: String) -> RecordingStatus {
    state.withLock { state in
      if state.underWay[session] != nil { return .recording }
      return state.stopped.contains(session) ? .stopped : .neverStarted
    }
  }

  /// Returns whether it was not recording before.
  ///
  /// - Parameter sequence: the number of the last request before.
  func start(_ relay: Relay, of session: String, since sequence: UInt64) -> Bool {
    change { state in
      guard state.underWay[session] == nil else { return false }
      state.underWay[session] = (relay, sequence)
      return true
    }
  }

  /// Returns the number of the last request before it began; `nil` if it was not recording.
  func stop(_ session: String) -> UInt64? {
    change { state in
      guard let recording = state.underWay.removeValue(forKey: session) else { return nil }
      state.stopped.insert(session)
      return recording.since
    }
  }

  /// Forgets a session that has ended.
  func forget(_ session: String) {
    change { state in
      state.underWay[session] = nil
      state.stopped.remove(session)
    }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    state.withLock { state in
      defer { hasAny.store(!state.underWay.isEmpty, ordering: .releasing) }
      return body(&state)
    }
  }
}
