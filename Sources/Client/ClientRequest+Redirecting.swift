package import UnderstudyCore

extension ClientRequest {
  /// Headers that may go to an origin the caller did not choose; any other could be a secret.
  private static let harmlessHeaders = [
    "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "Range",
    "User-Agent",
  ]

  /// Sends the request with a closure and follows redirects as far as its options allow.
  ///
  /// - Parameter follows: whether a redirect may turn one request into another; one that may not is
  ///   returned as the response.
  package func followingRedirects(
    where follows: (_ request: ClientRequest, _ next: ClientRequest) -> Bool = { _, _ in true },
    _ send: (ClientRequest) async throws(TransportError) -> ClientResponse
  ) async throws(TransportError) -> ClientResponse {
    guard options.redirectCountMax > 0 else { return try await send(self) }
    var request = self
    // All of them share one time limit.
    request.options.deadline = options.end(from: .now)
    var remaining = options.redirectCountMax
    while true {
      let response = try await send(request)
      guard let next = try request.redirected(by: response), follows(request, next) else {
        return response
      }
      if next.isLedAway, let address = next.closedAddress { throw .closed(address, to: next) }
      guard remaining > 0 else {
        throw TransportError(.tooManyRedirects, "\(request.place): gave up at \(next.place)")
      }
      remaining -= 1
      request = next
    }
  }

  /// The request that a redirect asks for; `nil` when the response is not a redirect, or one that
  /// would send the body to another origin.
  package func redirected(by response: ClientResponse) throws(TransportError) -> ClientRequest? {
    guard Self.redirectStatuses.contains(response.status),
      let location = response.headers["Location"]
    else { return nil }
    guard let here = WebAddress(url), let there = here.resolve(location) else {
      throw TransportError(
        .malformedResponse, "\(place): the redirect does not lead to an HTTP address")
    }
    var next = self
    next.url = there.url
    let losesBody =
      response.status == 303 ? method != .head : response.status < 303 && method == .post
    if losesBody {
      next.method = .get
      next.body = nil
      next.headers["Content-Type"] = nil
    }
    if there.origin != here.origin {
      next.isLedAway = true
      guard next.body == nil else { return nil }
      next.headers.fields.removeAll { field in
        !Self.harmlessHeaders.contains { field.isNamed($0) }
      }
    }
    return next
  }

  /// The IP address in the URL, if redirects to it are not followed. A host name's address is known
  /// only when connecting.
  package var closedAddress: IPAddress? {
    WebAddress(url).flatMap { NetworkHost($0.origin.host).address }.flatMap {
      $0.isClosedToRedirects ? $0 : nil
    }
  }
}

extension TransportError {
  fileprivate static func closed(_ address: IPAddress, to request: ClientRequest) -> TransportError
  {
    TransportError(.cannotConnect, "\(request.place): \(address.refusalOfRedirect)")
  }
}
