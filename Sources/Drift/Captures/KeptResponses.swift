import Synchronization
package import UnderstudyClient
import UnderstudySecrets

/// Responses as one consumer got them in one round of an earlier run. The last of several responses
/// to the same request repeats. Thread-safe.
package final class KeptResponses: ResponseSource {
  private let outcomes: [String: [LiveExchange.Outcome]]
  private let mask: SecretMask
  private let counts = Mutex<[String: Int]>([:])

  init(_ exchanges: [KeptExchange], _ mask: SecretMask) {
    var outcomes: [String: [LiveExchange.Outcome]] = [:]
    for exchange in exchanges {
      let key = Self.key(exchange.method, exchange.upstream, exchange.target)
      outcomes[key, default: []].append(
        exchange.cutFromByteCount == nil
          ? exchange.outcome
          : .withheld(
            Inconclusive(
              "the response was too large to be kept whole, so it cannot be checked again"))
      )
    }
    self.outcomes = outcomes
    self.mask = mask
  }

  package var isMasked: Bool { true }

  private static func key(_ method: String, _ upstream: String, _ target: String) -> String {
    "\(method) \(upstream) \(target)"
  }

  package func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    let key = Self.key(request.method.rawValue, upstream.name, mask.masked(target))
    guard let kept = outcomes[key], let last = kept.last else {
      return .withheld(Inconclusive("the run being replayed did not send this request"))
    }
    let index = counts.withLock { counts in
      defer { counts[key, default: 0] += 1 }
      return counts[key] ?? 0
    }
    return kept.indices ~= index ? kept[index] : last
  }
}
