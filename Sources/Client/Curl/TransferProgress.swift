import UnderstudySystem

/// When a transfer moved last; times are in nanoseconds.
struct TransferProgress {
  private var beginning: Int64
  private var last: Int64
  private var byteCount: Int64 = 0

  init(at now: Int64) {
    (beginning, last) = (now, now)
  }

  /// Something has come.
  mutating func note(at now: Int64) { last = now }

  /// As many bytes as this have been sent and received altogether.
  mutating func count(_ byteCount: Int64, at now: Int64) {
    guard byteCount != self.byteCount else { return }
    self.byteCount = byteCount
    last = now
  }

  /// When the last byte was sent or received. Until the connection stands that is now: another
  /// time-out counts for that.
  ///
  /// - Parameter connected: when the connection stood, after the beginning; 0 if it does not.
  func lastMove(connected: Int64, at now: Int64) -> Int64 {
    connected == 0 ? now : max(last, min(beginning + connected, now))
  }
}

/// The time in nanoseconds when the loop looked last.
// SAFETY: (`@unchecked Sendable`) the driver's thread alone looks and reads.
final class LoopTime: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var now = SystemClock.monotonic

  func update() { now = SystemClock.monotonic }
}
