import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Warns of cases that a contract lacks although its endpoint could produce them.
struct CoverageLint {
  let contract: Contract
  /// Whether it could all be read. What is missing otherwise may be what has errors.
  let isWhole: Bool
  /// The waivers of its upstream.
  let waivers: [Waiver]
  let complaints: Complaints

  /// Returns the violated rules, waived ones included.
  func check(settableStates: SettableStates) -> Set<String> {
    var broken: [(rule: FindingType, place: JSONValue, message: String, fix: String)] = []
    for (rule, message, fix) in missingKinds() {
      broken.append((rule, contract.source["cases"] ?? contract.source, message, fix))
    }
    for served in contract.cases {
      for state in served.when?.state ?? [] where !settableStates.canMeet(state) {
        broken.append(
          (
            .unsetState, served.source["when"] ?? served.source,
            "no case or scenario sets state \"\(state.value.name)\" to"
              + " \(state.value.expectation)",
            "set it in a \"then\", or waive this if it is set by hand"
          ))
      }
    }
    guard !broken.isEmpty || !contract.waivers.isEmpty else { return [] }
    for (rule, place, message, fix) in broken where isSaid(rule) {
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
        "the waiver of \"\(waiver.rule)\" is not needed: that rule is not broken",
        fix: "remove it")
    }
  }

  private func isSaid(_ rule: FindingType) -> Bool {
    (isWhole || rule == .unsetState)
      && !(contract.waivers + waivers).contains { $0.rule == rule.rawValue }
  }

  private func missingKinds() -> [(rule: FindingType, message: String, fix: String)] {
    let cases = contract.cases
    let hasBody = cases.contains { $0.response.map { !$0.bodyBytes.isEmpty } ?? false }
    var (hasCollection, hasEmptyCollection) = (false, false)
    for served in cases where served.kind == .good && 200..<300 ~= served.status ?? 0 {
      guard !hasEmptyCollection, let isEmpty = served.response?.collection else { continue }
      (hasCollection, hasEmptyCollection) = (true, isEmpty)
    }
    var missing: [(rule: FindingType, message: String, fix: String)] = []
    func require(
      _ rule: FindingType, _ isThere: Bool, _ what: @autoclosure () -> String,
      _ fix: @autoclosure () -> String
    ) {
      guard !isThere else { return }
      missing.append(
        (rule, "no \(what()) among the cases", "\(fix()), or waive \"\(rule.rawValue)\""))
    }
    require(
      .no404Case, cases.contains { $0.status == 404 }, "404",
      "add a case with \"status\": 404")
    require(
      .noMalformedCase, !hasBody || cases.contains { $0.kind == .malformed }, "malformed response",
      "add a case with \"malform\"")
    require(
      .noSlowCase, cases.contains { $0.kind == .slow }, "slow response", "add a case with \"delay\""
    )
    require(
      .noBrokenCase, cases.contains { $0.kind == .broken && !$0.breaksHandshake },
      "response that breaks on the wire",
      "add a case with \"fault\"")
    require(
      .noEmptyCase, !hasCollection || hasEmptyCollection, "empty collection",
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
    var areEmpty: Bool?
    for member in body.members where member.value.kind == .array {
      areEmpty = (areEmpty ?? true) && member.value.count == 0
    }
    return areEmpty
  }
}
