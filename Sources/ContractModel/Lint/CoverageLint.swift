import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Warns of cases that a contract lacks although its endpoint could produce them.
struct CoverageLint {
  let contract: Contract
  /// Of its upstream.
  let waivers: [Waiver]
  let complaints: Complaints

  /// Returns the violated rules, waived ones included.
  func check(settableStates: Set<StateValue>) -> Set<String> {
    var broken: [(rule: FindingType, place: JSONValue, message: String, fix: String)] = []
    let place = contract.source["cases"] ?? contract.source
    for (rule, message, fix) in missingKinds() { broken.append((rule, place, message, fix)) }
    for played in contract.cases {
      for state in played.when?.state ?? [] where !state.value.isEmpty {
        guard !settableStates.contains(state) else { continue }
        broken.append(
          (
            .unsetState, played.source["when"] ?? played.source,
            "found state \"\(state.name)\": \"\(state.value)\", which no case or scenario sets",
            "set it in a \"then\", or waive this if it is set by hand"
          ))
      }
    }
    for (rule, place, message, fix) in broken where !isWaived(rule) {
      complaints.add(rule, at: place, message, fix: fix)
    }
    let rules = Set(broken.map(\.rule.rawValue))
    Self.check(contract.waivers, areNeededBy: rules, complaints)
    return rules
  }

  static func check(
    _ waivers: [Waiver], areNeededBy rules: Set<String>, _ complaints: Complaints
  ) {
    for waiver in waivers where !rules.contains(waiver.rule) {
      complaints.add(
        .unusedWaiver, at: waiver.source,
        "found a waiver of \"\(waiver.rule)\", but that rule is not broken",
        fix: "remove it")
    }
  }

  private func isWaived(_ rule: FindingType) -> Bool {
    (contract.waivers + waivers).contains { $0.rule == rule.rawValue }
  }

  private func missingKinds() -> [(rule: FindingType, message: String, fix: String)] {
    let cases = contract.cases
    let hasBody = cases.contains { $0.response.map { !$0.bodyBytes.isEmpty } ?? false }
    var missing: [(rule: FindingType, message: String, fix: String)] = []
    func require(_ rule: FindingType, _ isThere: Bool, _ what: String, _ fix: String) {
      guard !isThere else { return }
      missing.append(
        (rule, "found no \(what) among the cases", "\(fix), or waive \"\(rule.rawValue)\""))
    }
    require(
      .no404Case, cases.contains { $0.status == 404 }, "404",
      "add a case with \"status\": 404")
    require(
      .noMalformedCase, !hasBody || cases.contains { $0.kind == .malformed }, "malformed answer",
      "add a case with \"malform\"")
    require(
      .noSlowCase, cases.contains { $0.kind == .slow }, "slow answer", "add a case with \"delay\"")
    require(
      .noBrokenCase, cases.contains { $0.kind == .broken }, "answer that breaks on the wire",
      "add a case with \"fault\"")
    let successes = cases.filter { $0.kind == .good && (200..<300).contains($0.status ?? 0) }
    let collections = successes.compactMap { $0.response?.collection }
    require(
      .noEmptyCase, collections.isEmpty || collections.contains(true), "empty collection",
      "add a case whose array is empty")
    return missing
  }
}

extension Response {
  /// Whether the JSON body is an empty collection; `nil` when it is neither an array nor an object
  /// with an array in it.
  fileprivate var collection: Bool? {
    guard case .json(let body) = body else { return nil }
    if body.kind == .array { return body.count == 0 }
    let arrays = body.members.map(\.value).filter { $0.kind == .array }
    return arrays.isEmpty ? nil : arrays.allSatisfy { $0.count == 0 }
  }
}
