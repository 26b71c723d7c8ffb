import UnderstudyContractModel
import UnderstudyJSON

extension ContractDraft {
  /// Removes expectations of consumers that are not declared, and live cases without a live API;
  /// returns the reasons.
  mutating func dropUnservable(isLive: Bool, _ consumers: Set<String>) -> [String] {
    var reasons: [String] = []
    func note(_ reason: String) {
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    for index in cases.indices {
      if !isLive, cases[index].members["live"] != nil {
        cases[index].members["live"] = nil
        note("upstream.json has no \"baseURL\": the contract comes without \"live\"")
      }
      let expected = Array((cases[index].members["expect"]?.root ?? .null).members)
      let known = expected.filter { consumers.contains($0.key) }
      guard known.count < expected.count else { continue }
      for member in expected where !consumers.contains(member.key) {
        let reason = "consumers.json does not declare \(member.key)"
        note("\(reason): the contract comes without what it expects")
      }
      cases[index].members["expect"] =
        known.isEmpty ? nil : .object(known.map { ($0.key, .value($0.value)) })
    }
    return reasons
  }
}
