import Synchronization
package import Transport

/// The transport of one check against live: reaches nothing but the upstreams of the run, and notes
/// every exchange. Any thread may use it.
package final class LiveTransport: HTTPTransport {
  private struct Notes {
    var exchanges: [Exchange] = []
    var foreign: [String] = []
    var unsafe: [String] = []
  }

  private let source: any AnswerSource
  private let upstreams: [LiveUpstream]
  /// Of the case that is checked.
  private let caseUpstream: String
  private let status: Int?
  private let isSafe: Bool
  /// For second answers: no cache on the way shall give the first again.
  private let bypassesCaches: Bool
  private let notes = Mutex(Notes())

  /// - Parameters:
  ///   - status: what the case that is checked answers with.
  ///   - isSafe: whether requests may be sent that could change something.
  package init(
    _ source: any AnswerSource, upstreams: [LiveUpstream], caseUpstream: String, status: Int?,
    isSafe: Bool, bypassesCaches: Bool
  ) {
    self.source = source
    self.upstreams = upstreams
    self.caseUpstream = caseUpstream
    self.status = status
    self.isSafe = isSafe
    self.bypassesCaches = bypassesCaches
  }

  package var exchanges: [Exchange] { notes.withLock { $0.exchanges } }

  /// The requests that were to go elsewhere, `GET https://dog.ceo/api`, in order.
  package var foreignRequests: [String] { notes.withLock { $0.foreign } }

  /// The requests that could have changed something.
  package var unsafeRequests: [String] { notes.withLock { $0.unsafe } }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await request.followingRedirects { request throws(TransportError) in
      try await sendOnce(request)
    }
  }

  private func sendOnce(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let (upstream, target) = upstreams.owner(of: request.url) else {
      notes.withLock { $0.foreign.append(request.place) }
      throw TransportError(
        .cannotConnect, "\(request.place) leads away from the upstreams of the contracts")
    }
    guard isSafe || [.get, .head].contains(request.method) else {
      notes.withLock { $0.unsafe.append(request.place) }
      throw TransportError(.invalidRequest, "\(request.place) could change something")
    }
    var request = request
    request.options.redirectCountMax = 0
    if bypassesCaches, request.headers["Cache-Control"] == nil {
      request.headers.append("Cache-Control", "no-cache")
    }
    // Of the answers to other requests nobody knows which is meant.
    let expected = upstream.name == caseUpstream ? status : nil
    let outcome = await source.outcome(
      of: request, to: upstream, target: target, expecting: expected)
    let exchange = Exchange(
      upstream: upstream.name, method: request.method.rawValue, target: target, request: request,
      outcome: outcome)
    notes.withLock { $0.exchanges.append(exchange) }
    switch outcome {
    case .answer(let answer): return answer.response(url: request.url)
    case .failure(let error): throw error
    case .withheld(let reason): throw TransportError(.cannotConnect, "\(request.place): \(reason)")
    }
  }
}
