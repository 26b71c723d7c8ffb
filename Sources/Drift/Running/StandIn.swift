import UnderstudyClient
import UnderstudyContractModel
import UnderstudyDrafting

/// Gives one answer to the request of a case. Other requests get their live answer, or that of the
/// fake.
struct StandIn: AnswerSource {
  /// Which requests get the answer.
  enum Scope: Sendable {
    /// Those like the live request of the case.
    case request
    /// Those that a fake answers with the case while it is forced.
    case forced
  }

  let scope: Scope
  let isMasked: Bool
  private let answer: LiveAnswer
  private let probe: PlannedProbe
  private let index: RequestIndex
  private let others: [LiveExchange]

  init(
    _ answer: LiveAnswer, for probe: PlannedProbe, _ index: RequestIndex, others: [LiveExchange],
    scope: Scope = .request, isMasked: Bool = false
  ) {
    self.scope = scope
    self.isMasked = isMasked
    self.answer = answer
    self.probe = probe
    self.index = index
    self.others = others
  }

  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    let exchange = LiveExchange(
      upstream: upstream.name, method: request.method.rawValue, target: target, request: request,
      outcome: .withheld(Inconclusive("no contract answers it")))
    switch scope {
    case .request: if probe.isAbout(exchange, index) { return .answer(answer) }
    case .forced: if probe.answers(exchange, index) { return .answer(answer) }
    }
    let live = others.last {
      $0.upstream == exchange.upstream && $0.method == exchange.method && $0.target == target
    }
    if let live { return live.outcome }
    let parts = RequestParts(exchange)
    guard let played = index.match(parts, in: upstream.upstream)?.unsteeredCase(for: parts),
      played.kind == .good, played.response != nil
    else { return exchange.outcome }
    return .answer(LiveAnswer(of: played))
  }
}

extension LiveAnswer {
  /// Whether it is equal, apart from the time.
  func isSame(as other: LiveAnswer) -> Bool {
    status == other.status && body == other.body && headers == other.headers
  }

  /// The answer of the fake, without the values of templates.
  init(of played: Case) {
    self.init(
      status: played.status ?? 200, headers: played.response?.sentHeaders ?? [],
      body: played.bodyBytes, latency: .zero)
  }
}
