import UnderstudyCore

/// What a request leads to: the contract that responds to it, or the nearest ones.
package struct Explanation: Sendable {
  package private(set) var request: Request
  /// `nil` when neither path nor `Host` leads to an upstream.
  package let upstream: Upstream?
  /// The required start of a path that names an upstream but misses its base path: `/github/api`.
  var missedStart: String?
  let candidate: RequestIndex.Candidate?
  /// Nearest first; empty when a contract responds.
  package let nearMisses: [NearMiss]

  /// The one that responds.
  package var contract: Contract? { candidate?.contract }

  /// What is wrong when no contract matches: a sentence without a full stop. Programs print it as
  /// it is.
  package var complaint: String { words.visible }

  /// The explanation for a client whose port stands for an upstream: it has not written the name.
  package func withoutName(_ name: String?) -> Explanation {
    guard let name, request.path.hasPrefix("/\(name)/") else { return self }
    var explanation = self
    explanation.request.path = String(request.path.dropFirst("/\(name)".count))
    return explanation
  }

  private var words: String {
    guard upstream == nil else {
      let complaint = "no contract for \(request.method) \(request.path)"
      guard let method = request.preflightedMethod else { return complaint }
      return "\(complaint), by which a browser asks whether a page may send \(method): allow it"
        + " with --cors"
    }
    let expected = missedStart.map { "with \"\($0)\"" } ?? "with its name"
    return "no upstream in \"\(request.path)\", expected a path that starts \(expected)"
  }
}

extension Explanation {
  /// Explains the request by other contracts, too.
  ///
  /// - Parameter isBefore: whether these are asked before the others, rather than with them.
  package func joined(
    with other: Explanation, isBefore: Bool, countMax: Int = 3
  ) -> Explanation {
    let found: RequestIndex.Candidate?
    if !isBefore, let candidate, let otherCandidate = other.candidate {
      found = candidate.precedes(otherCandidate) ? candidate : otherCandidate
    } else {
      found = candidate ?? other.candidate
    }
    let near = (found == nil ? nearMisses + other.nearMisses : []).sorted { left, right in
      left.distance != right.distance || isBefore
        ? left.distance < right.distance : left.contract.id < right.contract.id
    }
    return Explanation(
      request: request, upstream: upstream ?? other.upstream,
      missedStart: missedStart ?? other.missedStart, candidate: found,
      nearMisses: Array(near.prefix(countMax)))
  }
}

extension RequestIndex {
  /// Explains a request as it would be sent to the fake, with the upstream's name in its path.
  ///
  /// If the path names no upstream, it is compared with the contracts of all upstreams.
  package func explain(_ request: Request, countMax: Int = 3) -> Explanation {
    explain(request, along: route(request), countMax: countMax)
  }

  /// Explains a request that leads to an upstream, which need not have contracts here, or to none.
  ///
  /// - Parameter hidden: the numbers of contracts that match nothing.
  package func explain(
    _ request: Request, along route: Route?, hiding hidden: NumberSet? = nil, countMax: Int = 3
  ) -> Explanation {
    guard let route else {
      let parts = RequestParts(request)
      let near = upstreams.flatMap {
        nearMisses(to: parts, in: $0, hiding: hidden, countMax: countMax)
      }
      let nearest = near.sorted { $0.distance < $1.distance }.prefix(countMax)
      let named = upstream(named: request.behindName.name)
      return Explanation(
        request: request, upstream: nil, missedStart: named.map { "/\($0.name)\($0.basePath)" },
        candidate: nil, nearMisses: Array(nearest))
    }
    // Nothing for an upstream that is not here.
    let parts = RequestParts(route.request)
    let candidate = match(parts, in: route.upstream, hiding: hidden)
    return Explanation(
      request: request, upstream: route.upstream, candidate: candidate,
      nearMisses: candidate != nil
        ? []
        : nearMisses(to: parts, in: route.upstream, hiding: hidden, countMax: countMax))
  }
}
