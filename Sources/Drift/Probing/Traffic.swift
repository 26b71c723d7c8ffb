import UnderstudyCore
import UnderstudyFindings

/// What a run sent to an upstream, and what failed.
package struct Traffic: Sendable {
  package let upstream: String
  private(set) package var sentCount = 0
  /// How many were sent in which second, by the clock's `elapsed`, in order.
  private var batches: [RequestRecord.Batch] = []
  /// How often a request failed, by what went wrong.
  private(set) package var failures: [String: Int] = [:]
  /// Whether it let so many requests time out that it got no more.
  package internal(set) var isGivenUp = false
  /// The origins that responded over HTTPS, those of redirects included.
  private(set) var secureOrigins: Set<WebURL> = []
  /// When their certificates end, as far as known; of several for one origin, the earliest.
  private(set) var certificateEnds: [WebURL: Moment] = [:]

  package init(upstream: String) { self.upstream = upstream }

  package var failedCount: Int { failures.values.reduce(0, +) }

  mutating func countRequest(at elapsed: Duration) {
    sentCount += 1
    let second = Int(elapsed.components.seconds)
    if let last = batches.last, last.second == second {
      batches[batches.count - 1] = RequestRecord.Batch(second: second, count: last.count + 1)
    } else {
      batches.append(RequestRecord.Batch(second: second, count: 1))
    }
  }

  mutating func noteResponse(from origin: WebURL, certificateEnd: Moment?) {
    guard origin.scheme == "https" else { return }
    secureOrigins.insert(origin)
    if let certificateEnd {
      certificateEnds[origin] = min(certificateEnd, certificateEnds[origin] ?? certificateEnd)
    }
  }

  mutating func countFailure(_ words: String) { failures[words, default: 0] += 1 }

  /// The record for the history; `nil` when nothing was sent.
  ///
  /// - Parameter start: of the run, by the clock's `elapsed`.
  func record(at moment: Moment, since start: Duration) -> RequestRecord? {
    guard sentCount > 0 else { return nil }
    let first = Int(start.components.seconds)
    return RequestRecord(
      at: moment, upstream: upstream,
      batches: batches.map {
        RequestRecord.Batch(second: max(0, $0.second - first), count: $0.count)
      },
      failedCount: failedCount)
  }
}
