import UnderstudyCore

/// What a request leads to: the contract that answers it, or the nearest ones.
package struct Explanation: Sendable {
  package let request: Request
  /// `nil` when neither path nor `Host` leads to an upstream.
  package let upstream: Upstream?
  /// The required start of a path that names an upstream but misses its base path: `/github/api`.
  var missedStart: String?
  package let contract: Contract?
  /// Nearest first; empty when a contract answers.
  package let nearMisses: [NearMiss]

  /// What is wrong when no contract answers: a sentence without a full stop. Programs print it as it
  /// is.
  package var complaint: String { words.visible }

  private var words: String {
    guard upstream == nil else {
      let complaint = "found no contract for \(request.method) \(request.path)"
      guard let method = request.preflightedMethod else { return complaint }
      return "\(complaint), by which a browser asks whether a page may send \(method): allow it"
        + " with --cors"
    }
    let expected = missedStart.map { "with \"\($0)\"" } ?? "with its name"
    return "found no upstream in \"\(request.path)\", expected a path that starts \(expected)"
  }
}

extension Explanation {
  /// The same request explained by contracts that are asked before others.
  package func joined(with other: Explanation, countMax: Int = 3) -> Explanation {
    // A contract that replaces another has its name.
    let own = Set(nearMisses.map(\.contract.id))
    let misses = (nearMisses + other.nearMisses.filter { !own.contains($0.contract.id) }).sorted {
      $0.distance < $1.distance
    }
    return Explanation(
      request: request, upstream: upstream ?? other.upstream,
      missedStart: missedStart ?? other.missedStart, contract: contract ?? other.contract,
      nearMisses: Array(misses.prefix(countMax)))
  }
}

extension RequestIndex {
  /// Explains a request as it would be sent to the fake, with the upstream's name in its path.
  ///
  /// If the path names no upstream, it is compared with the contracts of all upstreams.
  package func explain(_ request: Request, countMax: Int = 3) -> Explanation {
    guard let route = route(request) else {
      let misses = upstreams.flatMap { nearMisses(to: request, in: $0, countMax: countMax) }
      let nearest = misses.sorted { $0.distance < $1.distance }.prefix(countMax)
      let named = upstream(named: request.behindName.name)
      return Explanation(
        request: request, upstream: nil, missedStart: named.map { "/\($0.name)\($0.basePath)" },
        contract: nil, nearMisses: Array(nearest))
    }
    if let contract = contract(for: route.request, in: route.upstream) {
      return Explanation(
        request: request, upstream: route.upstream, contract: contract, nearMisses: [])
    }
    return Explanation(
      request: request, upstream: route.upstream, contract: nil,
      nearMisses: nearMisses(to: route.request, in: route.upstream, countMax: countMax))
  }
}
