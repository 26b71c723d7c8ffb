import UnderstudyClient
package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings

/// Why a request may not be sent in this run, and when the next may.
package struct RateLimitError: Error, Hashable, Sendable {
  package let inconclusive: Inconclusive

  package init(_ reason: String, _ cause: Check.Cause? = .limited) {
    inconclusive = Inconclusive(reason, cause)
  }
}

/// Whether the requests of one more case may be sent to an upstream.
package enum Admission: Hashable, Sendable {
  case now
  /// Only once the cases that were started have a result: they may need the rest of the rate.
  case later
  /// Not in this run; with the reason.
  case never(String)
}

/// Limits the requests of all checks to an upstream to what its `rate` and its responses allow, and
/// counts them.
package actor RateLimiter {
  /// The limit of requests under way, if `upstream.json` has none.
  static let concurrencyMax = 4
  /// After this many time-outs in a row the upstream gets no more requests.
  private static let hangCountMax = 3

  private let name: String
  private let rate: RateBudget?
  private let clock: DriftClock
  /// The end of the run, by the clock's `elapsed`; nothing waits longer.
  private let deadline: Duration
  private var underWayCount = 0
  private(set) var queue: [CheckedContinuation<Void, Never>] = []
  /// Waiting repeated requests, which take precedence.
  private(set) var secondQueue: [CheckedContinuation<Void, Never>] = []
  private var window: RateWindow?
  /// The last pause that the upstream asked for.
  private var stop: (until: Duration, inconclusive: Inconclusive)?
  private(set) var traffic: Traffic
  /// The number of the last request sent before a response came.
  private var respondedNumber = 0
  private var hangCount = 0

  /// - Parameter starts: when earlier runs sent requests, by the clock's `elapsed`.
  package init(
    of name: String, rate: RateBudget?, clock: DriftClock, deadline: Duration,
    after starts: [Duration] = []
  ) {
    self.name = name
    self.rate = rate
    self.clock = clock
    self.deadline = deadline
    traffic = Traffic(upstream: name)
    window = RateWindow(of: rate, after: starts)
  }

  /// Whether to start one more case. The last part of the rate is kept for repeating requests while
  /// any case may need that.
  ///
  /// - Parameter openCount: the number of cases that were started and have no result.
  package func admission(openCount: Int) -> Admission {
    let now = clock.elapsed()
    // When the run is over, each request says so.
    guard let window, now <= deadline else { return .now }
    let count = window.requestCountMax
    let kept = count > 1 ? max(1, count / 8) : 0
    let room = window.room(after: now, until: deadline, enough: kept + openCount + 1)
    if room == 0 { return .never(rateReason(until: window.next(after: now))) }
    return room > kept + openCount || openCount == 0 ? .now : .later
  }

  /// Waits until a request may be sent; each admitted caller must call `leave`.
  ///
  /// - Parameter isFirstRound: whether it is a first request; repeated ones take precedence.
  /// - Returns: the number of the request.
  @discardableResult
  package func enter(isFirstRound: Bool = false) async throws(RateLimitError) -> Int {
    if underWayCount < rate?.concurrencyMax ?? Self.concurrencyMax {
      underWayCount += 1
    } else {
      // The place of a leaving caller is handed over.
      await withCheckedContinuation {
        if isFirstRound { queue.append($0) } else { secondQueue.append($0) }
      }
    }
    do throws(RateLimitError) {
      try await waitForTurn()
    } catch {
      leave()
      throw error
    }
    traffic.countRequest(at: clock.elapsed())
    return traffic.sentCount
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

  /// Notes how a request ended.
  ///
  /// A time-out counts only if its request was sent after the last response: an upstream that
  /// responds to every second request is not given up.
  ///
  /// - Parameters:
  ///   - failure: what went wrong, in a word; `nil` for a response.
  ///   - resentCount: how often libcurl sent it again, since the connection was lost.
  func note(_ number: Int, failure: String?, isTimeout: Bool, resentCount: Int = 0) {
    for _ in 0..<resentCount {
      traffic.countRequest(at: clock.elapsed())
      traffic.countFailure(TransportError.Kind.reset.name)
    }
    if let failure { traffic.countFailure(failure) }
    if !isTimeout {
      (respondedNumber, hangCount) = (traffic.sentCount, 0)
    } else if number > respondedNumber {
      hangCount += 1
      if hangCount >= Self.hangCountMax { traffic.isGivenUp = true }
    }
  }

  func noteResponse(from origin: WebURL, certificateEnd: Moment?) {
    traffic.noteResponse(from: origin, certificateEnd: certificateEnd)
  }

  private func waitForTurn() async throws(RateLimitError) {
    guard !traffic.isGivenUp else { throw givenUp }
    let start = try reserve()
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
      guard !traffic.isGivenUp else { throw givenUp }
    }
  }

  private var givenUp: RateLimitError {
    RateLimitError(
      "not sent: \(name) was given up after \(Self.hangCountMax) time-outs in a row", .away)
  }

  /// The time at which the budget has room for one more.
  private func reserve() throws(RateLimitError) -> Duration {
    let now = clock.elapsed()
    guard now <= deadline else { throw RateLimitError("the run ended before its turn") }
    guard let start = window?.next(after: now) else { return now }
    guard start <= deadline else { throw RateLimitError(rateReason(until: start)) }
    window?.add(start)
    return start
  }

  private func rateReason(until start: Duration) -> String {
    "the rate in upstream.json is used up: \(name) accepts requests again at"
      + " \(clock.date(at: start))"
  }
}
