/// Whatever carries a request to an upstream and brings the answer back.
///
/// Any status is an answer; an error says that there was none. A cancelled task gets
/// `TransportError.Kind.cancelled` at once.
public protocol HTTPTransport: Sendable {
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// A transport made from a closure, such as one that changes requests on their way to another.
public struct ClosureTransport: HTTPTransport {
  private let closure: @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

  public init(
    _ closure: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  ) {
    self.closure = closure
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await closure(request)
  }
}
