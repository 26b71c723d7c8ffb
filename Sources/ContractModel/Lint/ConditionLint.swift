import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Finds conditions that contradict or repeat each other, and cases that can never be served.
struct ConditionLint {
  /// What sums of shares are off by, as numbers are kept in binary.
  private static let tolerance = 1e-9

  let contract: Contract
  let complaints: Complaints

  func check() {
    checkConditions()
    checkCases()
  }

  private func checkConditions() {
    var seen: Set<ExactText> = []
    for condition in contract.request.parameters {
      if !seen.insert(ExactText(condition.lookupKey)).inserted {
        complaints.add(
          .duplicateKey, at: condition.source,
          "conditions on \"\(condition.key)\" are given twice",
          fix: "header names ignore case: combine the conditions")
      }
    }
    checkPathParameters(contract.request.parameters)
    for served in contract.cases {
      if let when = served.when { checkPathParameters(when.request) }
    }
  }

  private func checkPathParameters(_ conditions: [Condition]) {
    for condition in conditions
    where condition.part == .path
      && !contract.request.hasPathParameter(condition.name)
    {
      let names = contract.request.paths.flatMap(\.parameterNames)
      complaints.add(
        .unknownParameter, at: condition.source,
        "\"\(condition.key)\" is not in any path of this request",
        fix: Spelling.nearest(to: condition.name, among: names.prefix(candidateCountMax)).map {
          "did you mean \"path.\($0)\"?"
        } ?? "add {\(condition.name)} to the path, or remove this condition")
    }
  }

  private func checkCases() {
    let whenCount = contract.cases.count { $0.when != nil }
    guard whenCount > 0 else {
      if contract.defaultCaseIndex == nil, let source = contract.source["default"] {
        complaints.add(
          .unreachable, at: source,
          "no default case and no case with a \"when\": the contract matches nothing",
          fix: "add a \"when\" to a case, or name a default")
      }
      return
    }
    let own = Dictionary(
      contract.request.parameters.map { (ExactText($0.lookupKey), $0) },
      uniquingKeysWith: { first, _ in first })
    var taken: [ExactText: (share: Double, caseName: String)] = [:]
    for served in contract.cases {
      guard let when = served.when, let source = served.source["when"] else { continue }
      if whenCount > 1 { checkShare(of: served, when, source, &taken) }
      for condition in when.request {
        guard let own = own[ExactText(condition.lookupKey)], own.excludes(condition) else {
          continue
        }
        complaints.add(
          .unreachable, at: condition.source,
          "this contradicts the request's own condition on \"\(condition.key)\"",
          fix: "the request expects \(own.expectation)")
      }
    }
  }

  /// Reports a case that earlier cases leave no requests, or fewer than its share. A case without a
  /// share takes what is left.
  private func checkShare(
    of served: Case, _ when: When, _ source: JSONValue,
    _ taken: inout [ExactText: (share: Double, caseName: String)]
  ) {
    let rest = source.members.filter { $0.key != "share" }
    let key = ExactText(
      rest.map { "\($0.key):\(String(decoding: $0.value.compact, as: UTF8.self))" }.joined(
        separator: ","))
    let earlier = [taken[key], rest.isEmpty ? nil : taken[ExactText("")]].compactMap { $0 }
    let before = earlier.reduce(0) { $0 + $1.share }
    let left = 1 - before
    if left <= Self.tolerance, let other = earlier.first {
      return complaints.add(
        .unreachable, at: source,
        "this case is never served: \"\(other.caseName)\" comes first, with the same requests and state",
        fix: "change one \"when\", or remove it and choose the case by hand")
    }
    taken[key] = ((taken[key]?.share ?? 0) + (when.share ?? left), served.name)
    if let share = when.share, share > left + Self.tolerance, let place = source["share"] {
      complaints.add(
        .badValue, at: place,
        "found share \(place.number?.text ?? ""), expected at most \((left * 1_000_000).rounded() / 1_000_000): the cases before it have the rest",
        fix: "lower the shares: those of the same requests add up to 1 at most")
    }
  }
}
