/// How a `StubTransport` answers one request.
public struct StubAnswer: Sendable {
  let result: Result<HTTPResponse, TransportError>
  var isHeld = false
  var check: (@Sendable (HTTPRequest) -> Void)?

  public static func response(
    _ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) -> StubAnswer {
    StubAnswer(result: .success(HTTPResponse(status: status, headers: headers, body: body)))
  }

  /// A response with this text as its body, declared as JSON whether it is or not.
  public static func json(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> StubAnswer {
    var headers = headers
    headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
    return response(status, headers: headers, body: Array(text.utf8))
  }

  public static func failure(_ kind: TransportError.Kind) -> StubAnswer {
    StubAnswer(result: .failure(TransportError(kind, "answered by a stub")))
  }

  /// The same, but only once the test releases it; see `StubTransport.nextHeld()`.
  public var held: StubAnswer {
    var answer = self
    answer.isHeld = true
    return answer
  }

  /// The same, with a look at the request it is given to. That the closure ran is itself checked by
  /// `StubTransport.finish()`.
  public func checking(_ check: @escaping @Sendable (HTTPRequest) -> Void) -> StubAnswer {
    var answer = self
    answer.check = check
    return answer
  }
}

/// A request whose answer waits for the test.
public struct HeldRequest: Sendable {
  public let request: HTTPRequest
  let result: Result<HTTPResponse, TransportError>
  let resume: @Sendable (Result<HTTPResponse, TransportError>) -> Bool

  /// Lets the answer go, once; `false` when nobody waits for it any more.
  @discardableResult
  public func release() -> Bool { resume(result) }

  /// Answers otherwise than the stub was told.
  @discardableResult
  public func release(with answer: StubAnswer) -> Bool { resume(answer.result) }
}
