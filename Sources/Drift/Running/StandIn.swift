import UnderstudyClient
import UnderstudyContractModel
import UnderstudyDrafting

/// Gives one response to the request of a case. Other requests get their live response, or that of
/// the fake.
struct StandIn: ResponseSource {
  /// Which requests get the response.
  enum Scope: Sendable {
    /// The requests that resemble the live request of the case.
    case request
    /// The requests that a fake serves the case for while the case is forced.
    case forced
  }

  let scope: Scope
  let isMasked: Bool
  private let response: LiveResponse
  private let liveCase: PlannedCase
  private let index: RequestIndex
  private let others: [LiveExchange]

  init(
    _ response: LiveResponse, for liveCase: PlannedCase, _ index: RequestIndex,
    others: [LiveExchange],
    scope: Scope = .request, isMasked: Bool = false
  ) {
    self.scope = scope
    self.isMasked = isMasked
    self.response = response
    self.liveCase = liveCase
    self.index = index
    self.others = others
  }

  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    let exchange = LiveExchange(
      upstream: upstream.name, method: request.method.rawValue, target: target, request: request,
      outcome: .withheld(Inconclusive("no contract matches it")))
    switch scope {
    case .request: if liveCase.isAbout(exchange, index) { return .response(response) }
    case .forced: if liveCase.isServed(for: exchange, index) { return .response(response) }
    }
    let live = others.last {
      $0.upstream == exchange.upstream && $0.method == exchange.method && $0.target == target
    }
    if let live { return live.outcome }
    let parts = RequestParts(exchange)
    guard let served = index.match(parts, in: upstream.upstream)?.unsteeredCase(for: parts),
      served.kind == .good, served.response != nil
    else { return exchange.outcome }
    return .response(LiveResponse(of: served))
  }
}

extension LiveResponse {
  /// Whether it is equal, apart from the time.
  func isSame(as other: LiveResponse) -> Bool {
    status == other.status && body == other.body && headers == other.headers
  }

  /// The response of the fake, without the values of templates.
  init(of served: Case) {
    self.init(
      status: served.status ?? 200, headers: served.response?.sentHeaders ?? [],
      body: served.bodyBytes, latency: .zero)
  }
}
