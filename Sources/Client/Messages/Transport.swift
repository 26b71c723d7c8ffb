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
