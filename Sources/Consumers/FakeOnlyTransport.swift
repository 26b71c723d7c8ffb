import Synchronization
package import UnderstudyClient

/// A transport that reaches only addresses below a prefix, sends every request once, and applies
/// the timeout of a check. Thread-safe.
package final class FakeOnlyTransport: Transport {
  private let inner: any Transport
  private let prefix: String
  private let timeout: Duration?
  private let timedRequest: Int?
  private let requestCount = Atomic(0)
  private let refused = Mutex<[String]>([])

  /// - Parameters:
  ///   - prefix: with a trailing slash: `http://127.0.0.1:8080/~7/`.
  ///   - timedRequest: the number of the only request with the timeout, from 1; `nil` for all.
  package init(
    _ inner: any Transport, within prefix: String, timeout: Duration?, of timedRequest: Int?
  ) {
    self.inner = inner
    self.prefix = prefix
    self.timeout = timeout
    self.timedRequest = timedRequest
  }

  /// The blocked requests to other places, `GET https://dog.ceo/api`, in order.
  package var refusedRequests: [String] { refused.withLock { $0 } }

  package func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    var request = request
    let number = requestCount.wrappingAdd(1, ordering: .relaxed).newValue
    if let timeout, timedRequest ?? number == number { request.options.totalTimeout = timeout }
    return try await request.followingRedirects { request throws(TransportError) in
      try await sendOnce(request)
    }
  }

  private func sendOnce(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    guard request.url.hasPrefix(prefix) else {
      refused.withLock { $0.append(request.place) }
      throw TransportError(.cannotConnect, "\(request.place) leads away from the fake")
    }
    var request = request
    request.options.goesOnce = true
    request.options.redirectCountMax = 0
    do throws(TransportError) {
      return try await inner.send(request)
    } catch {
      // Ports and sessions differ from run to run, but reports should not.
      throw TransportError(
        error.kind, error.message.replacing(prefix, with: "/"), curlCode: error.curlCode)
    }
  }
}
