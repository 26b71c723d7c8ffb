import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings

/// The cases of one upstream that wait for their turn in a run, and how many have had it.
struct LiveCaseLane {
  /// The waiting cases, by their places in the plan; the one that has waited longest is last.
  private var places: [Int]
  /// How many may be requested at the same time.
  private let askingCountMax: Int
  /// The number of cases whose first requests are under way.
  var askingCount = 0
  /// The number of cases that were started and have no result yet.
  var openCount = 0
  private(set) var startedCount = 0

  fileprivate init(_ places: [Int], askingCountMax: Int) {
    self.places = places.reversed()
    self.askingCountMax = askingCountMax
  }

  var next: Int? { places.last }
  var hasRoom: Bool { askingCount < askingCountMax }

  mutating func start() {
    places.removeLast()
    askingCount += 1
    openCount += 1
    startedCount += 1
  }

  /// Takes the places that are left, in order.
  mutating func takeAll() -> [Int] {
    defer { places = [] }
    return places.reversed()
  }
}

extension DriftPlan {
  /// The places of the cases in the order of their turns: first those without one, then those whose
  /// last one is longest ago.
  package func turns(after history: History) -> [Int] {
    let turns = liveCases.map { history[$0.identity.caseID].lastTurn ?? .epoch }
    return liveCases.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
  }

  /// The lanes, by the names of their upstreams.
  func lanes(after history: History) -> [String: LiveCaseLane] {
    Dictionary(grouping: turns(after: history)) { liveCases[$0].upstream.name }.mapValues {
      places in
      let rate = places.first.flatMap { liveCases[$0].upstream.upstream.rate }
      // Where the rate may end before the cases do, each gets all its requests in one run.
      let isLimited = rate?.requestCountMax != nil
      return LiveCaseLane(
        places,
        askingCountMax: isLimited ? rate?.concurrencyMax ?? RateLimiter.concurrencyMax : .max)
    }
  }
}
