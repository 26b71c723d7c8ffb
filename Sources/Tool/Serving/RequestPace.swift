import UnderstudyCore
import UnderstudyFakeServer

/// Decides how the requests of a server appear on a terminal: each on a line of its own while
/// people can read them, otherwise counted by what responded.
///
/// Times are passed in, since nothing here waits.
struct RequestPace {
  typealias Instant = ContinuousClock.Instant

  /// How many requests of one second are shown each.
  private static let shownMax = 200

  /// What becomes of a request.
  enum Appearance {
    case shown
    /// Kept until the end of the second.
    case counted
  }

  /// What is left to print of a second.
  enum Rest {
    case nothing
    /// The second had few enough to show each.
    case each([Exchange])
    /// By what responded, most frequent first.
    case summary([(words: String, count: Int)])
  }

  /// The end of the current second.
  private var end: Instant?
  private var shownCount = 0
  /// The end of the last second, if it had too many to show.
  private var floodEnd: Instant?
  /// Whether that was just before this second. Then its requests wait for its end, so that a steady
  /// flood is not interrupted by single lines.
  private var isFlooded = false
  private var waiting: [Exchange] = []
  private var countedCount = 0
  /// By the number of the served case.
  private var servedCounts: [Int] = []
  private var cases: ServedCases?
  private var otherCounts: [String: Int] = [:]

  /// When a second with counted requests ends.
  var deadline: Instant? { countedCount > 0 ? end : nil }

  /// Begins a second for the requests to come, unless one is in progress. Call `finish` first.
  mutating func begin(_ now: Instant) {
    guard end == nil else { return }
    end = now + .seconds(1)
    isFlooded = floodEnd.map { now < $0 + .seconds(1) } ?? false
  }

  /// Ends the second if it is over, or if nothing follows.
  mutating func finish(_ now: Instant, isLast: Bool = false) -> Rest {
    guard let end, now >= end || isLast else { return .nothing }
    let hasFlood = shownCount + countedCount > Self.shownMax
    let rest: Rest
    if countedCount == 0 {
      rest = .nothing
    } else if hasFlood {
      var counts = otherCounts
      for (number, count) in servedCounts.enumerated() where count > 0 {
        if let served = cases?[number] { counts["\(served)", default: 0] += count }
      }
      rest = .summary(
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) })
    } else {
      rest = .each(waiting)
    }
    self = RequestPace()
    floodEnd = hasFlood ? end : nil
    return rest
  }

  mutating func meet(_ entry: ExchangeBatch.Entry, of batch: ExchangeBatch) -> Appearance {
    if isShown() { return .shown }
    switch entry {
    case .brief(let brief):
      if isWaiting { waiting.append(batch.exchange(brief)) }
      cases = batch.cases
      while servedCounts.count <= brief.served { servedCounts.append(0) }
      servedCounts[brief.served] += 1
    case .whole(let exchange):
      if isWaiting { waiting.append(exchange) }
      otherCounts[Self.words(for: exchange.source), default: 0] += 1
    }
    return .counted
  }

  private static func words(for source: Exchange.Source) -> String {
    switch source {
    case .served(let served): "\(served)"
    case .unmatched: "no contract"
    case .server: "served by the server itself"
    case .mode(let words): words
    }
  }

  private mutating func isShown() -> Bool {
    guard !isFlooded, shownCount < Self.shownMax else {
      countedCount += 1
      return false
    }
    shownCount += 1
    return true
  }

  /// Whether the second may still turn out to have few requests.
  private var isWaiting: Bool { isFlooded && countedCount <= Self.shownMax }
}
