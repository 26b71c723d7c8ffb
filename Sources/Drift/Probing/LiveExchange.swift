package import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyDrafting
package import UnderstudyFindings

/// Why nothing can be said about an API.
package struct Inconclusive: Hashable, Sendable {
  package let reason: String
  package let cause: Check.Cause?

  package init(_ reason: String, _ cause: Check.Cause? = nil) {
    self.reason = reason
    self.cause = cause
  }
}

/// A request to a live API, and what came of it.
package struct LiveExchange: Sendable {
  package enum Outcome: Sendable {
    case answer(LiveAnswer)
    case failure(TransportError)
    /// It was not sent.
    case withheld(Inconclusive)
  }

  /// By name.
  package let upstream: String
  package let method: String
  /// Beneath the base URL, or the address a redirect led to elsewhere.
  package let target: String
  package let request: HTTPRequest
  package let outcome: Outcome
  /// Those that led here, the first first.
  package let redirects: [LiveExchange]
  /// Whether a redirect led it away from where the secrets of its upstream are sent.
  let lacksSecrets: Bool

  package init(
    upstream: String, method: String, target: String, request: HTTPRequest, outcome: Outcome,
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

  package var answer: LiveAnswer? { if case .answer(let answer) = outcome { answer } else { nil } }
}

extension LiveExchange {
  /// `nil` when the API has answered.
  ///
  /// - Parameter status: the one that is asked for, which is an answer whatever it is.
  func obstacle(expecting status: Int?) -> Inconclusive? {
    guard let obstacle = outcome.obstacle(expecting: status), !redirects.isEmpty else {
      return outcome.obstacle(expecting: status)
    }
    let isExplained = lacksSecrets && obstacle.cause == .refused
    return Inconclusive(
      "redirected to \(request.address): \(obstacle.reason)"
        + (isExplained ? "; its secrets were not sent there" : ""), obstacle.cause)
  }
}

extension LiveExchange.Outcome {
  func obstacle(expecting status: Int?) -> Inconclusive? {
    switch self {
    case .withheld(let obstacle): return obstacle
    case .failure(let error): return Inconclusive("no answer: \(error)", .away)
    case .answer(let answer):
      guard answer.status != status, let (words, cause) = answer.refusal else { return nil }
      let pause = cause == .refused ? nil : answer.retryPause
      return Inconclusive(
        "\(words): found status \(answer.status)" + (pause.map { ", \($0.words)" } ?? ""), cause)
    }
  }
}

extension LiveAnswer {
  /// The headers that another answer may have too.
  var lasting: [HeaderField] { headers.filter { $0.name.lowercased() != "set-cookie" } }

  /// What its status says of the upstream instead of an answer.
  fileprivate var refusal: (words: String, cause: Check.Cause)? {
    switch status {
    case 429: ("asked too often", .limited)
    case 403 where retryPause != nil: ("asked too often", .limited)
    case 401, 403: ("not allowed", .refused)
    case 500...599: ("the upstream is out of order", .away)
    default: nil
    }
  }
}
