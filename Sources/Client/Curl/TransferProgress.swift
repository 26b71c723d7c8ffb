import UnderstudySystem

/// When a transfer last made progress; times are in nanoseconds.
struct TransferProgress {
  private var beginning: Int64
  private var last: Int64
  private var byteCount: Int64 = 0

  init(at now: Int64) {
    (beginning, last) = (now, now)
  }

  /// Data has arrived.
  mutating func note(at now: Int64) { last = now }

  /// This many bytes have been sent and received in total.
  mutating func count(_ byteCount: Int64, at now: Int64) {
    guard byteCount != self.byteCount else { return }
    self.byteCount = byteCount
    last = now
  }

  /// When the last byte was sent or received. Until the connection is ready that is now: a separate
  /// timeout covers connecting.
  ///
  /// - Parameter connected: when the connection was ready, from the start; 0 if it is not.
  func lastMove(connected: Int64, at now: Int64) -> Int64 {
    connected == 0 ? now : max(last, min(beginning + connected, now))
  }
}

/// The time in nanoseconds at which the loop last read the clock.
// SAFETY: (`@unchecked Sendable`) only the driver's thread writes and reads it.
final class LoopTime: @unchecked Sendable {
  private(set) var now = SystemClock.monotonic

  func update() { now = SystemClock.monotonic }
}
