import Synchronization
import UnderstudyContractModel
import UnderstudyFakeServer

/// Counts the outcomes of all requests of a server as they come, since a journal drops the oldest.
///
/// Thread-safe.
final class Tally: Sendable {
  struct Counts: Sendable {
    var requestCount = 0
    /// By id: `dog-ceo/random-images#slow`.
    var playCounts: [String: Int] = [:]
    /// The first of each kind, in the order received.
    var misses: [(explanation: Explanation, count: Int)] = []
    /// Reasons why the server could not answer, with their counts.
    var refusals: [(words: String, count: Int)] = []
  }

  /// A limit for misbehaving clients.
  private static let distinctCountMax = 50

  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }

  func add(_ exchanges: ExchangeBatch) {
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
    case .mode: return
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
