import Synchronization
package import Transport

/// A transport that reaches nothing but what lies beneath one address, sends every request once, and
/// keeps the time-out of a check. Any thread may use it.
package final class FencedTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let prefix: String
  private let timeout: Duration?
  private let refused = Mutex<[String]>([])

  /// - Parameter prefix: with a slash at its end: `http://127.0.0.1:8080/~7/`.
  package init(_ inner: any HTTPTransport, within prefix: String, timeout: Duration?) {
    self.inner = inner
    self.prefix = prefix
    self.timeout = timeout
  }

  /// The requests that were to go elsewhere, `GET https://dog.ceo/api`, in order.
  package var refusedRequests: [String] { refused.withLock { $0 } }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    if let timeout { request.options.totalTimeout = timeout }
    return try await request.followingRedirects { request throws(TransportError) in
      try await sendOnce(request)
    }
  }

  private func sendOnce(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard request.url.hasPrefix(prefix) else {
      refused.withLock { $0.append(request.place) }
      throw TransportError(.cannotConnect, "\(request.place) leads away from the fake")
    }
    var request = request
    request.options.goesOnce = true
    request.options.redirectCountMax = 0
    return try await inner.send(request)
  }
}
