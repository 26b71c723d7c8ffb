import Synchronization
import UnderstudyClient

/// Responses stored with their `ETag`, so that unchanged ones need not be sent again.
///
/// Small on purpose: the oldest are dropped first, and long bodies are not stored. Thread-safe.
final class Revalidation: Sendable {
  private static let countMax = 64
  private static let bodyByteCountMax = 1 << 20

  private struct Kept {
    let tag: String
    let response: ClientResponse
  }

  private struct State {
    var kept: [String: Kept] = [:]
    /// Oldest first.
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// The tag to send, and the response to use if nothing has changed.
  func kept(for url: WebURL) -> (tag: String, response: ClientResponse)? {
    state.withLock { $0.kept[url.text].map { ($0.tag, $0.response) } }
  }

  func keep(_ response: ClientResponse, for url: WebURL) {
    guard let tag = response.headers["ETag"], response.body.count <= Self.bodyByteCountMax else {
      return
    }
    state.withLock { state in
      if state.kept.updateValue(Kept(tag: tag, response: response), forKey: url.text) == nil {
        state.order.append(url.text)
      }
      if state.order.count > Self.countMax { state.kept[state.order.removeFirst()] = nil }
    }
  }
}
