package import UnderstudyCore
import UnderstudySystem

/// What is known of a request apart from its bytes: one form from its arrival to whoever lists or
/// prints it.
///
/// It is kept for many requests, so it is small and has no references.
package struct JournalRecord: Sendable {
  /// The outcome of a request.
  package enum Outcome: String, Sendable, CaseIterable {
    /// Its response is waiting or being sent.
    case underWay
    /// Its response is held until somebody releases it.
    case held
    /// All of the response was sent.
    case responded
    /// The connection was closed before or during the response, as the case defines.
    case cutOff
    /// The connection was reset, as the case defines or as a client of the admin API wished.
    case reset
    /// Sending stopped, as the case defines, and the connection stays open.
    case stalled
    /// The client left before it had the whole response.
    case clientLeft
    /// The client was connected to a host that no upstream declares, or has its response.
    case passedThrough
    /// A reset or the end of the server cut the response off.
    case cancelled

    /// Whether it is not known yet how the request ends.
    var isOpen: Bool { self == .underWay || self == .held }
  }

  /// Why the case was chosen, or why there was none.
  package enum Reason: String, Sendable {
    case preference, script, hand, when, live
    /// The live API responded, or nobody.
    case mode
    /// No upstream declares the host that a client asked a proxy for.
    case undeclared
    case byDefault = "default"
  }

  /// Increases with each request of a server, across sessions and loops; 0 for one that was
  /// refused.
  package let sequence: UInt64
  /// When the request was complete.
  package let receivedAt: Moment
  /// The hash of its session. Hashes may collide, so readers must also compare the names.
  let sessionMark: UInt32
  /// The number of the served case; negative for none.
  var servedNumber: Int32 = -1
  /// `nil` where neither a contract nor a mode decided.
  package var reason: Reason?
  package var outcome = Outcome.underWay
  /// Whether the response says that no contract matched.
  package var isUnmatched = false
  /// Whether callbacks follow the response.
  var hasCallbacks = false
  /// Whether it came over HTTPS.
  package var isSecure = false
  private var statusCode: UInt16 = 0
  var delayConfiguredNanoseconds: Int64 = 0
  var delayActualNanoseconds: Int64 = 0
  package var sentByteCount = 0
  /// The size of the request's whole body, once it is in the request log.
  package var bodyByteCount = 0

  package init(sequence: UInt64, receivedAt: Moment) {
    self.init(sequence: sequence, receivedAt: receivedAt, mark: JournalRing.mainMark)
  }

  init(sequence: UInt64, receivedAt: Moment, mark: UInt32) {
    (self.sequence, self.receivedAt, sessionMark) = (sequence, receivedAt, mark)
  }

  /// `nil` for a fault that sends no response.
  package var status: Int? {
    get { statusCode == 0 ? nil : Int(statusCode) }
    set { statusCode = UInt16(clamping: newValue ?? 0) }
  }

  package var delayConfigured: Duration {
    get { .nanoseconds(delayConfiguredNanoseconds) }
    set { delayConfiguredNanoseconds = newValue.nanoseconds }
  }

  /// From the complete request to the first byte of the response.
  package var delayActual: Duration {
    get { .nanoseconds(delayActualNanoseconds) }
    set { delayActualNanoseconds = newValue.nanoseconds }
  }
}
