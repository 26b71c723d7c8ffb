import Synchronization

/// Whether the requests of a session's clients are forwarded to other servers and recorded.
///
/// Any thread may use it. Requests take no lock while nothing is recorded.
final class SessionRecording: Sendable {
  private struct State {
    /// Where requests are forwarded while it records.
    var relay: Relay?
    /// Requests up to this number came before.
    var since: UInt64 = 0
    var hasBegun = false
  }

  private let state = Mutex(State())
  /// Written under the lock of the state.
  private let isUnderWay = Atomic(false)

  var isOn: Bool { isUnderWay.load(ordering: .acquiring) }

  var relay: Relay? { isOn ? state.withLock { $0.relay } : nil }

  var status: RecordingStatus {
    state.withLock { $0.relay != nil ? .recording : $0.hasBegun ? .stopped : .neverStarted }
  }

  /// The number of the last request before it began; `nil` while nothing is recorded.
  var since: UInt64? { state.withLock { $0.relay == nil ? nil : $0.since } }

  /// Returns whether it was not recording before.
  func start(_ relay: Relay, since: UInt64) -> Bool {
    state.withLock { state in
      guard state.relay == nil else { return false }
      state = State(relay: relay, since: since, hasBegun: true)
      isUnderWay.store(true, ordering: .releasing)
      return true
    }
  }

  /// Returns the number of the last request before it began; `nil` if it was not recording.
  func stop() -> UInt64? {
    state.withLock { state in
      guard state.relay != nil else { return nil }
      state.relay = nil
      isUnderWay.store(false, ordering: .releasing)
      return state.since
    }
  }
}

/// Whether clients of a session are recorded.
package enum RecordingStatus: String, Sendable, CaseIterable {
  case neverStarted, recording, stopped
}
