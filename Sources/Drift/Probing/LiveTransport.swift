import Synchronization
package import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyRecording

/// The transport of one live check: reaches only the upstreams of the run and their redirects, and
/// records every exchange. Thread-safe.
package final class LiveTransport: Transport {
  private struct Notes {
    var exchanges: [LiveExchange] = []
    var foreign: [String] = []
    var unsafe: [String] = []
    var refusal: Inconclusive?
    var isExhausted = false
  }

  /// The maximum number of requests of one service call, since paging might never end.
  static let exchangeCountMax = 500

  private let source: any ResponseSource
  private let upstreams: [LiveUpstream]
  /// The status of the checked case.
  private let caseUpstream: String
  private let status: Int?
  private let isSafe: Bool
  /// Whether no cache on the way may return the first response again, as for repeated requests.
  private let bypassesCaches: Bool
  private let headers: HeaderReads
  private let notes = Mutex(Notes())

  /// - Parameters:
  ///   - status: the status of the checked case.
  ///   - isSafe: whether requests that could change something may be sent.
  ///   - headers: records which headers of the responses are read.
  package init(
    _ source: any ResponseSource, upstreams: [LiveUpstream], caseUpstream: String, status: Int?,
    isSafe: Bool, bypassesCaches: Bool, headers: HeaderReads = HeaderReads()
  ) {
    self.headers = headers
    self.source = source
    self.upstreams = upstreams
    self.caseUpstream = caseUpstream
    self.status = status
    self.isSafe = isSafe
    self.bypassesCaches = bypassesCaches
  }

  var isMasked: Bool { source.isMasked }

  package var exchanges: [LiveExchange] { notes.withLock { $0.exchanges } }

  /// The blocked requests to other places, `GET https://dog.ceo/api`, in order.
  package var foreignRequests: [String] { notes.withLock { $0.foreign } }

  /// The requests that could have changed something.
  package var unsafeRequests: [String] { notes.withLock { $0.unsafe } }

  /// Whether the limit of requests was reached.
  var isExhausted: Bool { notes.withLock { $0.isExhausted } }

  /// Why a redirect was not followed although the sender follows redirects.
  var refusal: Inconclusive? { notes.withLock { $0.refusal } }

  package func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    var redirects: [LiveExchange] = []
    var response = try await request.followingRedirects(where: isFollowed) {
      request throws(TransportError) in
      let exchange = try await exchange(request, after: redirects)
      notes.withLock { $0.exchanges.append(exchange) }
      redirects.append(exchange)
      switch exchange.outcome {
      case .response(let response): return response.response(url: request.url)
      case .failure(let error): throw error
      case .withheld(let inconclusive):
        throw TransportError(.cannotConnect, "\(request.place): \(inconclusive.reason)")
      }
    }
    response.headers.recorder = headers
    return response
  }

  private func isFollowed(_ request: ClientRequest, to next: ClientRequest) -> Bool {
    guard let reason = request.refusal(toFollow: next) else { return true }
    let refusal = Inconclusive("redirected to \(next.address), which is not followed: \(reason)")
    notes.withLock { $0.refusal = $0.refusal ?? refusal }
    return false
  }

  private func exchange(
    _ request: ClientRequest, after redirects: [LiveExchange]
  ) async throws(TransportError) -> LiveExchange {
    let isExhausted = notes.withLock { notes in
      notes.isExhausted = notes.exchanges.count >= Self.exchangeCountMax
      return notes.isExhausted
    }
    guard !isExhausted else {
      throw TransportError(
        .cannotConnect, "\(request.place): \(Self.exchangeCountMax) requests were sent before it")
    }
    guard let (upstream, target) = owner(of: request, after: redirects.first) else {
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
    // Its turn may come late; its timeout starts then.
    request.options.deadline = nil
    if bypassesCaches, request.headers["Cache-Control"] == nil {
      request.headers.append("Cache-Control", "no-cache")
    }
    // For other requests, the matching response is unknown.
    let expected = upstream.name == caseUpstream ? status : nil
    let outcome = await source.outcome(
      of: request, to: upstream, target: target, expecting: expected)
    return LiveExchange(
      upstream: upstream.name, method: request.method.rawValue, target: target, request: request,
      outcome: outcome, redirects: redirects,
      lacksSecrets: upstream.secrets.isEmpty
        && upstreams.contains { $0.name == upstream.name && !$0.secrets.isEmpty })
  }

  /// The redirecting upstream is responsible for the target, unless another upstream owns it.
  private func owner(
    of request: ClientRequest, after first: LiveExchange?
  ) -> (upstream: LiveUpstream, target: String)? {
    let owner = upstreams.owner(of: request.url)
    guard let name = first?.upstream, owner?.upstream.name != name else { return owner }
    if let owner { return (owner.upstream.unknown, owner.target) }
    guard let origin = WebAddress(request.url)?.origin else { return nil }
    let query = request.url.prefix { $0 != "#" }.drop { $0 != "?" }
    return upstreams.first { $0.name == name }.map {
      ($0.beyond(at: origin), request.address + query)
    }
  }
}
