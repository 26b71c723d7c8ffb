package import UnderstudyContractModel
package import UnderstudyFindings

/// Why a request may not be sent in this run, and when the next may.
package struct RateLimitError: Error, Hashable, Sendable {
  package let inconclusive: Inconclusive

  package init(_ reason: String, _ cause: Check.Cause? = .limited) {
    inconclusive = Inconclusive(reason, cause)
  }
}

/// Limits the requests of all checks to an upstream to what its `rate` and its answers allow.
package actor RateLimiter {
  /// The default, if the file has none.
  private static let concurrencyMax = 4

  private let name: String
  private let rate: RateBudget?
  private let clock: DriftClock
  /// By the clock's `elapsed`; nothing waits longer.
  private let deadline: Duration
  private var underWayCount = 0
  private(set) var queue: [CheckedContinuation<Void, Never>] = []
  /// Waiting repeated requests, which take precedence.
  private(set) var secondQueue: [CheckedContinuation<Void, Never>] = []
  /// The send times of the last requests, as many as fit in a period.
  private var starts: [(at: Duration, isFirstRound: Bool)] = []
  /// The last pause that the upstream asked for.
  private var stop: (until: Duration, inconclusive: Inconclusive)?

  package init(of name: String, rate: RateBudget?, clock: DriftClock, deadline: Duration) {
    self.name = name
    self.rate = rate
    self.clock = clock
    self.deadline = deadline
  }

  /// Waits until a request may be sent; each admitted caller must call `leave`.
  ///
  /// - Parameter isFirstRound: whether it is a first request; a part of the rate is reserved for
  ///   repeated ones.
  package func enter(isFirstRound: Bool = false) async throws(RateLimitError) {
    if underWayCount < rate?.concurrencyMax ?? Self.concurrencyMax {
      underWayCount += 1
    } else {
      // The place of a leaving caller is handed over.
      await withCheckedContinuation {
        if isFirstRound { queue.append($0) } else { secondQueue.append($0) }
      }
    }
    do throws(RateLimitError) {
      try await waitForTurn(isFirstRound)
    } catch {
      leave()
      throw error
    }
  }

  package func leave() {
    if !secondQueue.isEmpty {
      secondQueue.removeFirst().resume()
    } else if !queue.isEmpty {
      queue.removeFirst().resume()
    } else {
      underWayCount -= 1
    }
  }

  /// Admits no requests for this time, as the upstream asked.
  package func close(for pause: Duration, because inconclusive: Inconclusive) {
    let until = clock.elapsed() + pause
    if until > stop?.until ?? .zero { stop = (until, inconclusive) }
  }

  private func waitForTurn(_ isFirstRound: Bool) async throws(RateLimitError) {
    let start = try reserve(isFirstRound)
    while true {
      let now = clock.elapsed()
      let until = max(start, stop?.until ?? .zero)
      guard until > now else { return }
      guard until <= deadline else {
        let inconclusive = stop?.inconclusive
        throw RateLimitError(
          "\(inconclusive?.reason ?? ""); it accepts requests again at \(clock.date(at: until))",
          inconclusive?.cause)
      }
      do {
        try await clock.sleep(until - now)
      } catch {
        throw RateLimitError("the check was cancelled", nil)
      }
    }
  }

  /// The time at which the budget has room for one more.
  private func reserve(_ isFirstRound: Bool) throws(RateLimitError) -> Duration {
    let now = clock.elapsed()
    guard now <= deadline else { throw RateLimitError("the run ended before its turn") }
    guard let count = rate?.requestCountMax, let period = rate?.period else { return now }
    let start = starts.count < count ? now : max(now, starts[starts.count - count].at + period)
    guard start <= deadline else {
      throw RateLimitError(
        "the rate in upstream.json is used up: \(name) accepts requests again at"
          + " \(clock.date(at: start))")
    }
    // In the last period before the deadline an eighth, and at least one of two, is reserved.
    let kept = count > 1 ? max(1, count / 8) : 0
    let last = starts.filter { $0.at + period > deadline }
    let left = kept - min(kept, last.count { !$0.isFirstRound })
    guard !isFirstRound || last.count < count - left || start + period <= deadline else {
      throw RateLimitError(
        "the rest of the rate in upstream.json is reserved for repeated requests: check \(name)"
          + " again in another run")
    }
    starts.append((start, isFirstRound))
    if starts.count > count { starts.removeFirst() }
    return start
  }
}
