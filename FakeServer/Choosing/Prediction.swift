package import UnderstudyContractModel

/// What a newly started server would do with a request, without running one.
package enum Prediction: Sendable {
  /// The case it would serve, and why.
  case serves(Case, of: Contract, because: String)
  case unmatched(Explanation)
  /// A contract responds, but not as the request prefers; the text says why.
  case refuses(Contract, String)

  package init(of request: Request, in index: RequestIndex) {
    var request = request
    _ = request.removeSession()
    let route = index.route(request)
    let parts = RequestParts(route?.request ?? request)
    let preference = Preference(parts.headerValues("prefer"))
    let found = route.flatMap { route in
      index.match(parts, in: route.upstream) { candidate, fields in
        preference != nil || candidate.unsteeredCase(for: fields) != nil
      }
    }
    guard let found else {
      self = .unmatched(index.explain(request))
      return
    }
    let contract = found.contract
    let facts = RequestFacts(parts, found, at: .epoch, baseURL: { _ in nil })
    let session = Session(name: "", starting: StartingState(index.upstreams))
    do throws(ChoiceError) {
      guard let choice = try session.choose(contract, preference, for: facts) else {
        self = .unmatched(index.explain(request))
        return
      }
      self = .serves(contract.cases[choice.index], of: contract, because: choice.reason.meaning)
    } catch {
      self = .refuses(contract, error.message)
    }
  }
}

extension JournalRecord.Reason {
  /// The reason in words, to follow the case's name and a comma.
  fileprivate var meaning: String {
    switch self {
    case .preference: "as the request prefers"
    case .script: "next in the script"
    case .hand: "chosen by hand"
    case .when: "because its \"when\" matches"
    case .live: "because this is its live request"
    case .mode: "set by its mode"
    case .undeclared: "as its host is undeclared"
    case .byDefault: "the default"
    }
  }
}
