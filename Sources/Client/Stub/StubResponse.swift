/// How a `StubTransport` responds to one request.
public struct StubResponse: Sendable {
  let result: Result<ClientResponse, TransportError>
  var isHeld = false
  var check: (@Sendable (ClientRequest) -> Void)?

  /// A response with this status.
  public static func response(
    _ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) -> StubResponse {
    StubResponse(result: .success(ClientResponse(status: status, headers: headers, body: body)))
  }

  /// A response with this text as its body, declared as JSON whether valid or not.
  public static func json(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> StubResponse {
    var headers = headers
    headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
    return response(status, headers: headers, body: Array(text.utf8))
  }

  /// No response, but this failure.
  public static func failure(_ kind: TransportError.Kind) -> StubResponse {
    StubResponse(result: .failure(TransportError(kind, "a stub responded")))
  }

  /// This response, but only when the test releases it; see ``StubTransport/nextHeld()``.
  public var held: StubResponse {
    var response = self
    response.isHeld = true
    return response
  }

  /// This response, after passing the request to a closure that checks it.
  /// ``StubTransport/finish()`` reports a closure that never ran.
  public func checking(_ check: @escaping @Sendable (ClientRequest) -> Void) -> StubResponse {
    var response = self
    response.check = check
    return response
  }
}

/// A request whose response waits for the test.
public struct HeldRequest: Sendable {
  /// The request as it was sent.
  public let request: ClientRequest
  let result: Result<ClientResponse, TransportError>
  let resume: @Sendable (Result<ClientResponse, TransportError>) -> Bool

  /// Gives the response, once; `false` if nobody waits for it any more.
  @discardableResult
  public func release() -> Bool { resume(result) }

  /// Gives another response than the stub has.
  @discardableResult
  public func release(with response: StubResponse) -> Bool { resume(response.result) }
}
