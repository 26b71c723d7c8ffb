import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyHTTP

/// The pause that an upstream asks for.
struct RetryPause: Hashable, Sendable {
  enum Wait: Hashable, Sendable {
    case seconds(Int)
    case until(Moment)
  }

  let wait: Wait

  /// Longer than any run, and short enough not to overflow.
  private static let secondsMax = 366 * 86_400

  func seconds(now: Moment) -> Int {
    switch wait {
    case .seconds(let count): min(count, Self.secondsMax)
    case .until(let moment): min(max(0, moment.unixSeconds - now.unixSeconds), Self.secondsMax)
    }
  }

  /// `it asks to wait 60 seconds`, `it asks to wait until 2026-11-21T22:00:00Z`
  var words: String {
    switch wait {
    case .seconds(let count) where count > Self.secondsMax: "it asks to wait more than a year"
    case .seconds(let count): "it asks to wait \(count) second\(count == 1 ? "" : "s")"
    case .until(let moment):
      "it asks to wait until \(moment.rfc3339)"
    }
  }
}

extension LiveResponse {
  /// The pause by `Retry-After`, or by an exhausted limit (GitHub's `X-RateLimit-…`).
  var retryPause: RetryPause? {
    if let text = header("retry-after") {
      if let moment = Moment(httpDate: text) { return RetryPause(wait: .until(moment)) }
      if let seconds = RetryPolicy.seconds(text, now: .epoch) {
        return RetryPause(wait: .seconds(seconds))
      }
    }
    guard header("x-ratelimit-remaining") == "0", let reset = header("x-ratelimit-reset"),
      let moment = Int(reset), moment > 0
    else { return nil }
    // Some use seconds from now, some milliseconds since 1970.
    switch moment {
    case ..<1_000_000_000: return RetryPause(wait: .seconds(moment))
    case 100_000_000_000...: return RetryPause(wait: .until(Moment(unixSeconds: moment / 1000)))
    default: return RetryPause(wait: .until(Moment(unixSeconds: moment)))
    }
  }
}
