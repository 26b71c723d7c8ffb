package import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyDrafting
package import UnderstudyFindings

/// The reason why an API could not be checked.
package struct Inconclusive: Hashable, Sendable {
  package let reason: String
  package let cause: Check.Cause?

  package init(_ reason: String, _ cause: Check.Cause? = nil) {
    self.reason = reason
    self.cause = cause
  }
}

/// A request to a live API, and its outcome.
package struct LiveExchange: Sendable {
  /// How a request ended, so that one that was not sent is never taken for one that failed.
  package enum Outcome: Sendable {
    case response(LiveResponse)
    case failure(TransportError)
    /// It was not sent.
    case withheld(Inconclusive)
  }

  /// By name.
  package let upstream: String
  package let method: String
  /// Below the base URL, or the address elsewhere that a redirect led to.
  package let target: String
  package let request: ClientRequest
  package let outcome: Outcome
  /// The redirects that led here, in order.
  package let redirects: [LiveExchange]
  /// Whether a redirect led away from the origin that gets the upstream's secrets.
  let lacksSecrets: Bool

  package init(
    upstream: String, method: String, target: String, request: ClientRequest, outcome: Outcome,
    redirects: [LiveExchange] = [], lacksSecrets: Bool = false
  ) {
    self.upstream = upstream
    self.method = method
    self.target = target
    self.request = request
    self.outcome = outcome
    self.redirects = redirects
    self.lacksSecrets = lacksSecrets
  }

  func withResponses(_ change: (LiveResponse) -> LiveResponse) -> LiveExchange {
    LiveExchange(
      upstream: upstream, method: method, target: target, request: request,
      outcome: response.map { .response(change($0)) } ?? outcome,
      redirects: redirects.map { $0.withResponses(change) }, lacksSecrets: lacksSecrets)
  }

  package var response: LiveResponse? {
    if case .response(let response) = outcome { response } else { nil }
  }

  /// Why the body of the response cannot be decoded; `nil` when it can, or without a response.
  var undecodable: String? {
    if case .failure(let error) = outcome, error.kind == .badEncoding { "\(error)" } else { nil }
  }
}

extension LiveExchange {
  /// `nil` when the API responded.
  ///
  /// - Parameter status: the expected status, which always counts as a response.
  func inconclusive(expecting status: Int?) -> Inconclusive? {
    guard let inconclusive = outcome.inconclusive(expecting: status, to: request.url) else {
      return nil
    }
    guard !redirects.isEmpty else { return inconclusive }
    let isExplained = lacksSecrets && inconclusive.cause == .refused
    return Inconclusive(
      "redirected to \(request.address): \(inconclusive.reason)"
        + (isExplained ? "; its secrets were not sent there" : ""), inconclusive.cause)
  }
}

extension LiveExchange.Outcome {
  func inconclusive(expecting status: Int?, to url: String = "") -> Inconclusive? {
    switch self {
    case .withheld(let inconclusive): return inconclusive
    // It responded, with a body that nobody can read.
    case .failure(let error) where error.kind == .badEncoding: return nil
    case .failure(let error):
      let origin = WebAddress(url).map { " from \($0.origin)" } ?? ""
      return Inconclusive("no response\(origin): \(error.reason)", .away)
    case .response(let response):
      guard response.status != status, let (words, cause) = response.refusal else { return nil }
      let pause = cause == .refused ? nil : response.retryPause
      return Inconclusive(
        "\(words): found status \(response.status)" + (pause.map { ", \($0.words)" } ?? ""), cause)
    }
  }
}

extension LiveResponse {
  /// The headers that must match for another response to be the same.
  var lasting: [HeaderField] { headers.filter { $0.key != "set-cookie" } }

  /// Why a status means that there is no response to check.
  fileprivate var refusal: (words: String, cause: Check.Cause)? {
    switch status {
    case 429: ("too many requests", .limited)
    case 403 where retryPause != nil: ("too many requests", .limited)
    case 407: ("a proxy on the way denied access", .refused)
    case 401, 403: ("access denied", .refused)
    case 500...599: ("server error", .away)
    default: nil
    }
  }
}
