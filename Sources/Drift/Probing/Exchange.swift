package import Transport

/// A request to a live API, and what came of it.
package struct Exchange: Sendable {
  package enum Outcome: Sendable {
    case answer(LiveAnswer)
    case failure(TransportError)
    /// It was not sent; says why.
    case withheld(String)
  }

  /// By name.
  package let upstream: String
  package let method: String
  /// Beneath the base URL, or the address a redirect led to elsewhere, without its query.
  package let target: String
  package let request: HTTPRequest
  package let outcome: Outcome
  /// Those that led here, the first first.
  package let redirects: [Exchange]

  package init(
    upstream: String, method: String, target: String, request: HTTPRequest, outcome: Outcome,
    redirects: [Exchange] = []
  ) {
    self.upstream = upstream
    self.method = method
    self.target = target
    self.request = request
    self.outcome = outcome
    self.redirects = redirects
  }

  package var answer: LiveAnswer? { if case .answer(let answer) = outcome { answer } else { nil } }
}

extension Exchange {
  /// Why nothing can be said about the API from this; `nil` when it has answered.
  func obstacle(expecting status: Int?) -> String? {
    outcome.obstacle(expecting: status).map {
      redirects.isEmpty ? $0 : "redirected to \(request.address): \($0)"
    }
  }
}

extension Exchange.Outcome {
  /// Why nothing can be said about the API from this; `nil` when it has answered.
  ///
  /// - Parameter status: the one that is asked for, which is an answer whatever it is.
  func obstacle(expecting status: Int?) -> String? {
    switch self {
    case .withheld(let reason): return reason
    case .failure(let error): return "no answer: \(error)"
    case .answer(let answer):
      guard answer.status != status else { return nil }
      let pause = answer.retryPause
      switch answer.status {
      case 429: return "asked too often: found status 429" + (pause.map { ", \($0.words)" } ?? "")
      case 403 where pause != nil:
        return "asked too often: found status 403" + (pause.map { ", \($0.words)" } ?? "")
      case 401, 403: return "not allowed: found status \(answer.status)"
      case 500...599:
        return "the upstream is out of order: found status \(answer.status)"
          + (pause.map { ", \($0.words)" } ?? "")
      default: return nil
      }
    }
  }
}
