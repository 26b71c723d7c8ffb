// `Client` sends requests and says what became of them. Read this file and the messages beside it
// first: `ClientRequest` with its options, `HTTPHeaders`, `ClientResponse`, `TransportError`. They
// are values without I/O. `HeaderReads` is the exception: copies of a response share one, which
// notes what a consumer looked at.
//
// Then come the transports: `Curl` for the network, `Stub` for unit tests, and `RetryingTransport`
// around another one. `ClientRequest+Redirecting` follows redirects, as far as a request asks for
// it, by sending further requests.
//
// An error's kind is what callers branch on; curl's codes differ by version and are only reported.

/// Sends a request to an upstream and returns the response.
///
/// Any status is a response; an error means that there was none. A cancelled task gets
/// ``TransportError/Kind/cancelled`` at once. Write clients against this protocol, and tests can
/// give them a ``StubTransport``.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole response.
  func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse
}

/// A transport made from a closure, such as one that adds a header and calls another transport.
public struct ClosureTransport: Transport {
  private let closure: @Sendable (ClientRequest) async throws(TransportError) -> ClientResponse

  /// Makes a transport that calls this closure for every request.
  public init(
    _ closure: @escaping @Sendable (ClientRequest) async throws(TransportError) -> ClientResponse
  ) {
    self.closure = closure
  }

  /// Calls the closure.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    try await closure(request)
  }
}
