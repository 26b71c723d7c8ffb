import UnderstudyContractModel
import UnderstudyCore

/// The requests that an upstream got lately, and how many more its `rate` allows.
struct RateWindow: Sendable {
  let requestCountMax: Int
  let period: Duration
  /// When each was sent, by the clock's `elapsed`, in order: those of earlier runs, then of this
  /// one.
  private var starts: [Duration]

  /// - Parameter starts: of earlier runs, in any order.
  private init(requestCountMax: Int, period: Duration, after starts: [Duration]) {
    self.requestCountMax = max(1, requestCountMax)
    self.period = max(.milliseconds(1), period)
    self.starts = starts.sorted()
  }

  /// `nil` when the upstream limits only how many are sent at the same time.
  init?(of rate: RateBudget?, after starts: [Duration]) {
    guard let count = rate?.requestCountMax, let period = rate?.period else { return nil }
    self.init(requestCountMax: count, period: period, after: starts)
  }

  /// When one more may be sent.
  func next(after now: Duration) -> Duration {
    guard starts.count >= requestCountMax else { return now }
    return max(now, starts[starts.count - requestCountMax] + period)
  }

  /// Reserves the time for one more, which is `next`.
  mutating func add(_ start: Duration) { starts.append(start) }

  /// How many more may be sent until a deadline; counting stops once there are enough.
  func room(after now: Duration, until deadline: Duration, enough: Int = .max) -> Int {
    // A request starts no earlier than one period after the one that many before it.
    func count(from start: Duration) -> Int {
      start > deadline ? 0 : min(1 << 40, Int(clamping: (deadline - start) / period)) + 1
    }
    let recent = starts.suffix(requestCountMax)
    var room = (requestCountMax - recent.count) * count(from: now)
    for start in recent {
      if room >= enough { break }
      room += count(from: max(now, start + period))
    }
    return room
  }
}
