package import UnderstudyContractModel

/// What a newly started server would do with a request, without running one.
package enum Prediction: Sendable {
  /// The case it would play, and why.
  case plays(Case, of: Contract, because: String)
  case misses(Explanation)
  /// A contract answers, but not as the request prefers; the text says why.
  case refuses(Contract, String)

  package init(of request: Request, in index: RequestIndex) {
    var request = request
    _ = request.removeSession()
    guard let route = index.route(request),
      let found = index.match(RequestParts(route.request), in: route.upstream)
    else {
      self = .misses(index.explain(request))
      return
    }
    let (contract, parts) = (found.contract, RequestParts(route.request))
    do throws(ChoiceError) {
      let choice = try Session(name: "").choose(
        contract, Preference(parts.headerValues("prefer")),
        meets: { parts.meets($0, in: found.template) },
        liveCaseIndex: { found.liveCaseIndex(for: parts) })
      self = .plays(contract.cases[choice.index], of: contract, because: choice.reason.meaning)
    } catch {
      self = .refuses(contract, error.message)
    }
  }
}

extension JournalEntry.Reason {
  /// The reason in words, to follow the case's name and a comma.
  fileprivate var meaning: String {
    switch self {
    case .preference: "as the request prefers"
    case .script: "next in the script"
    case .hand: "chosen by hand"
    case .trigger: "because its \"when\" matches"
    case .live: "because this is its live request"
    case .byDefault: "the default"
    }
  }
}
