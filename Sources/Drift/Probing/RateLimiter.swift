package import UnderstudyContractModel
package import UnderstudyFindings

/// Why a request may not go out in this run, and when the next may.
package struct RateLimitError: Error, Hashable, Sendable {
  package let obstacle: Inconclusive

  package init(_ reason: String, _ cause: Check.Cause? = .limited) {
    obstacle = Inconclusive(reason, cause)
  }
}

/// Lets no more requests through to an upstream than its `rate` and its own answers allow, whichever
/// checks they belong to.
package actor RateLimiter {
  /// Where the file does not say.
  private static let concurrencyMax = 4

  private let name: String
  private let rate: RateBudget?
  private let clock: DriftClock
  /// By the clock's `elapsed`: nothing waits beyond it.
  private let deadline: Duration
  private var underWayCount = 0
  private(set) var queue: [CheckedContinuation<Void, Never>] = []
  /// Of second answers, which go before: a first may well need one more, and nobody knows by when.
  private(set) var secondQueue: [CheckedContinuation<Void, Never>] = []
  /// When the last requests went or will go out, as many as a period has room for.
  private var starts: [(at: Duration, isFirstRound: Bool)] = []
  /// What the upstream said last about when it may be asked again.
  private var stop: (until: Duration, obstacle: Inconclusive)?

  package init(of name: String, rate: RateBudget?, clock: DriftClock, deadline: Duration) {
    self.name = name
    self.rate = rate
    self.clock = clock
    self.deadline = deadline
  }

  /// Waits until a request may go out; whoever is let in has to `leave`.
  ///
  /// - Parameter isFirstRound: whether it is no second answer, for which some of the rate is kept.
  package func enter(isFirstRound: Bool = false) async throws(RateLimitError) {
    if underWayCount < rate?.concurrencyMax ?? Self.concurrencyMax {
      underWayCount += 1
    } else {
      // The place of one who leaves is handed over.
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

  /// Lets nobody in for so long, because the upstream says so.
  package func close(for pause: Duration, because obstacle: Inconclusive) {
    let until = clock.elapsed() + pause
    if until > stop?.until ?? .zero { stop = (until, obstacle) }
  }

  private func waitForTurn(_ isFirstRound: Bool) async throws(RateLimitError) {
    let start = try reserve(isFirstRound)
    while true {
      let now = clock.elapsed()
      let until = max(start, stop?.until ?? .zero)
      guard until > now else { return }
      guard until <= deadline else {
        let obstacle = stop?.obstacle
        throw RateLimitError(
          "\(obstacle?.reason ?? ""); it may be asked again at \(clock.date(at: until))",
          obstacle?.cause)
      }
      do {
        try await clock.sleep(until - now)
      } catch {
        throw RateLimitError("the check was given up", nil)
      }
    }
  }

  /// The moment at which the budget has room for one more.
  private func reserve(_ isFirstRound: Bool) throws(RateLimitError) -> Duration {
    let now = clock.elapsed()
    guard now <= deadline else { throw RateLimitError("the run was over before its turn") }
    guard let count = rate?.requestCountMax, let period = rate?.period else { return now }
    let start = starts.count < count ? now : max(now, starts[starts.count - count].at + period)
    guard start <= deadline else {
      throw RateLimitError(
        "the rate in upstream.json is used up: \(name) may be asked again at"
          + " \(clock.date(at: start))")
    }
    // Of the last period before the deadline an eighth is left, and at least one of two.
    let kept = count > 1 ? max(1, count / 8) : 0
    let last = starts.filter { $0.at + period > deadline }
    let left = kept - min(kept, last.count { !$0.isFirstRound })
    guard !isFirstRound || last.count < count - left || start + period <= deadline else {
      throw RateLimitError(
        "the rate in upstream.json is used up but for second answers: \(name) may be asked"
          + " again in another run")
    }
    starts.append((start, isFirstRound))
    if starts.count > count { starts.removeFirst() }
    return start
  }
}
