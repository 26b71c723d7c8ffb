import Synchronization
package import UnderstudyContractModel
package import UnderstudyCore

/// A request that was forwarded, and the response of the other server.
package struct RelayedExchange: Sendable {
  /// Its number in the request log.
  package let sequence: UInt64
  package let upstreamName: String
  /// Of the server that responded.
  package let baseURL: WebURL
  /// As received, with a path relative to the base URL.
  package let request: Request
  package let response: RelayedResponse

  fileprivate var byteCount: Int {
    let fields = (request.headers + response.headers).reduce(0) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
    return request.body.count + response.body.count + request.path.utf8.count + fields
  }
}

/// What was forwarded for the clients of each session, to be recorded: the newest up to a limit.
///
/// Any thread may use it.
final class RelayedExchanges: Sendable {
  private static let countMax = 10_000
  private static let byteCountMax = 64 << 20

  private struct State {
    /// By their numbers here, in order of the responses.
    var kept: [Int: (session: String, exchange: RelayedExchange)] = [:]
    var first = 0
    var next = 0
    var byteCount = 0
    /// By session: the number in the request log of the last one that was dropped.
    var dropped: [String: UInt64] = [:]
  }

  private let state = Mutex(State())

  func keep(_ exchange: RelayedExchange, session: String) {
    state.withLock { state in
      state.kept[state.next] = (session, exchange)
      state.next += 1
      state.byteCount += exchange.byteCount
      while state.byteCount > Self.byteCountMax || state.kept.count > Self.countMax,
        state.first < state.next
      {
        if let (session, old) = state.kept.removeValue(forKey: state.first) {
          state.byteCount -= old.byteCount
          state.dropped[session] = max(state.dropped[session] ?? 0, old.sequence)
        }
        state.first += 1
      }
    }
  }

  /// In order of arrival.
  ///
  /// - Parameter sequence: the number of the last request before them.
  func found(of session: String, after sequence: UInt64) -> KeptExchanges {
    state.withLock { state in
      let found = state.kept.values.filter {
        $0.session == session && $0.exchange.sequence > sequence
      }
      return KeptExchanges(
        all: found.map(\.exchange).sorted { $0.sequence < $1.sequence },
        isWhole: (state.dropped[session] ?? 0) <= sequence)
    }
  }

  /// Removes those of a session, or all; of these only those with certain numbers.
  func remove(session: String?, _ numbers: Set<UInt64>? = nil) {
    state.withLock { state in
      state.kept = state.kept.filter { _, value in
        let isMeant =
          (session.map { $0 == value.session } ?? true)
          && (numbers?.contains(value.exchange.sequence) ?? true)
        if isMeant { state.byteCount -= value.exchange.byteCount }
        return !isMeant
      }
      guard numbers == nil else { return }
      if let session { state.dropped[session] = nil } else { state.dropped = [:] }
    }
  }
}

/// What was forwarded for the clients of a session.
package struct KeptExchanges: Sendable {
  package let all: [RelayedExchange]
  /// Whether none was dropped for the limit of memory.
  package let isWhole: Bool
}

extension KeptExchanges {
  /// Why some are missing.
  package static let limit =
    "the oldest requests are missing: at most 10000 are kept, with 64 MiB in all"
}
