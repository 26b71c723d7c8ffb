import Synchronization
import UnderstudyContractModel
import UnderstudyFakeServer

/// What became of all requests of a server, counted while they come: a journal forgets the oldest.
///
/// Any thread may use it.
final class Tally: Sendable {
  struct Counts: Sendable {
    var requestCount = 0
    /// By `dog-ceo/random-images#slow`.
    var playCounts: [String: Int] = [:]
    /// The first of each that differs, in the order they came.
    var misses: [(explanation: Explanation, count: Int)] = []
    /// Why the server could not answer in words, and how often.
    var refusals: [(words: String, count: Int)] = []
  }

  /// What a client that goes mad cannot exceed.
  private static let distinctCountMax = 50

  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }

  func add(_ exchanges: [Exchange]) {
    state.withLock { counts in
      for exchange in exchanges { Self.add(exchange, to: &counts) }
    }
  }

  private static func add(_ exchange: Exchange, to counts: inout Counts) {
    counts.requestCount += 1
    switch exchange.source {
    case .played(let contract, let played):
      counts.playCounts["\(contract)#\(played)", default: 0] += 1
    case .miss(let explanation):
      let complaint = explanation.complaint
      if let index = counts.misses.firstIndex(where: { $0.explanation.complaint == complaint }) {
        counts.misses[index].count += 1
      } else if counts.misses.count < distinctCountMax {
        counts.misses.append((explanation, 1))
      }
    case .server(let words):
      guard exchange.status ?? 500 >= 400 else { return }
      if let index = counts.refusals.firstIndex(where: { $0.words == words }) {
        counts.refusals[index].count += 1
      } else if counts.refusals.count < distinctCountMax {
        counts.refusals.append((words, 1))
      }
    }
  }
}
