import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// Counts the outcomes of all requests of a server as they come, since a journal drops the oldest.
///
/// Thread-safe.
final class Tally: Sendable {
  struct Counts: Sendable {
    var requestCount = 0
    /// How many went to hosts that no upstream declares.
    var passedCount = 0
    /// By id: `dog-ceo/random-images#slow`.
    var servedCounts: [String: Int] = [:]
    /// The first of each kind, in the order received.
    var unmatched: [(explanation: Explanation, count: Int)] = []
    /// Reasons why the server could not respond, with their counts.
    var refusals: [(words: String, fix: String?, count: Int)] = []
    /// Those that did not get the response that their contracts expect, the first of each kind.
    var callbacks: [(served: ServedCase, name: String, complaint: Failure, count: Int)] = []
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

  func add(_ served: ServedCase, _ attempt: CallbackAttempt) {
    guard let complaint = attempt.complaint else { return }
    state.withLock { counts in
      let index = counts.callbacks.firstIndex {
        $0.served == served && $0.complaint.message == complaint.message
      }
      if let index {
        counts.callbacks[index].count += 1
      } else if counts.callbacks.count < Self.distinctCountMax {
        counts.callbacks.append((served, attempt.name, complaint, 1))
      }
    }
  }

  private static func add(_ exchange: Exchange, to counts: inout Counts) {
    if exchange.record.outcome == .passedThrough {
      counts.passedCount += 1
      return
    }
    if !exchange.isOfHandshake, !exchange.hasLeftOnItsWay { counts.requestCount += 1 }
    switch exchange.source {
    case .served(let served):
      counts.servedCounts["\(served)", default: 0] += 1
    case .unmatched(let explanation):
      let complaint = explanation.complaint
      if let index = counts.unmatched.firstIndex(where: { $0.explanation.complaint == complaint }) {
        counts.unmatched[index].count += 1
      } else if counts.unmatched.count < distinctCountMax {
        counts.unmatched.append((explanation, 1))
      }
    case .mode: return
    case .server(let words, let fix):
      guard exchange.record.status ?? 500 >= 400, !exchange.hasLeftOnItsWay else { return }
      if let index = counts.refusals.firstIndex(where: { $0.words == words }) {
        counts.refusals[index].count += 1
      } else if counts.refusals.count < distinctCountMax {
        counts.refusals.append((words, fix, 1))
      }
    }
  }
}

extension Exchange {
  /// Whether it notes a TLS handshake, which has neither a number nor a status, and no request.
  fileprivate var isOfHandshake: Bool { record.sequence == 0 && record.status == nil }

  /// Whether its client left, or the server was closed, before it had passed through.
  fileprivate var hasLeftOnItsWay: Bool { record.reason == .undeclared && record.status == nil }
}
