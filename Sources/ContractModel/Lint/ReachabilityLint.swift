import Diagnostics
import JSON

/// Finds contracts and cases that can never be played, and contracts between which nothing decides.
struct ReachabilityLint {
  let upstream: Upstream
  let batch: Batch

  private struct Shape: Hashable {
    let method: String
    let segments: [String?]
  }

  func check() {
    var groups: [Shape: [Contract]] = [:]
    var shapes: [Shape] = []
    for contract in upstream.contracts {
      checkConditions(of: contract)
      checkCases(of: contract)
      for template in contract.request.paths {
        let shape = Shape(
          method: contract.request.method,
          segments: template.segments.map {
            if case .literal(let text) = $0 { text } else { nil }
          })
        if groups[shape] == nil { shapes.append(shape) }
        groups[shape, default: []].append(contract)
      }
    }
    for shape in shapes { checkRivals(groups[shape] ?? []) }
  }

  /// Among contracts for one path, complains once about each that ties with an earlier one or
  /// never wins against it.
  private func checkRivals(_ contracts: [Contract]) {
    var seenValues: [String: Contract] = [:]
    var others: [Contract] = []
    for contract in contracts {
      if let key = contract.request.exactValuesKey {
        if let rival = seenValues[key] {
          complainOfTie(contract, rival)
          continue
        }
        seenValues[key] = contract
      }
      others.append(contract)
    }
    let hasOnlyExactValues = others.allSatisfy {
      $0.request.exactValuesKey != nil && $0.request.exactKeys == others.first?.request.exactKeys
    }
    if hasOnlyExactValues { return }
    for (index, contract) in others.enumerated() {
      for rival in others[..<index] {
        if complain(contract, rival) { break }
      }
    }
  }

  private func complain(_ contract: Contract, _ rival: Contract) -> Bool {
    let (own, other) = (contract.request, rival.request)
    if own.conditionCount == other.conditionCount {
      guard !own.excludes(other) else { return false }
      complainOfTie(contract, rival)
      return true
    }
    let (weak, strong) = own.conditionCount < other.conditionCount ? (contract, rival) : (rival, contract)
    guard weak.request.implies(strong.request) else { return false }
    batch.complaints(for: weak.file).add(
      .unreachable, at: weak.source["request"] ?? weak.source,
      "found a contract that \(strong.id) always wins against",
      fix: "ask for something that \(strong.name) does not, or remove one of the two")
    return true
  }

  private func complainOfTie(_ contract: Contract, _ rival: Contract) {
    guard contract.id != rival.id else {
      batch.complaints(for: contract.file).add(
        .ambiguous, at: contract.source["request"]?["also"] ?? contract.source,
        "found the same path twice", fix: "remove one of the two")
      return
    }
    batch.complaints(for: contract.file).add(
      .ambiguous, at: contract.source["request"] ?? contract.source,
      "found a request that \(rival.id) answers as well, and nothing decides between the two",
      fix: "add a condition to one of them, or make them cases of one contract")
  }

  private func checkConditions(of contract: Contract) {
    let complaints = batch.complaints(for: contract.file)
    var seen: Set<String> = []
    for condition in contract.request.parameters {
      let key = condition.part == .header ? condition.key.lowercased() : condition.key
      if !seen.insert(key).inserted {
        complaints.add(
          .duplicateKey, at: condition.source, "found conditions on \"\(key)\" a second time",
          fix: "header names are the same in any case: make it one condition")
      }
      if case .oneOf(let values) = condition.test, values.isEmpty {
        complaints.add(
          .unreachable, at: condition.source, "found one of no values, which nothing can be",
          fix: "name a value, or remove the condition")
      }
    }
  }

  private func checkCases(of contract: Contract) {
    let complaints = batch.complaints(for: contract.file)
    var seen: [String: String] = [:]
    for probe in contract.cases {
      guard let when = probe.when, let source = probe.source["when"] else { continue }
      let key = String(decoding: source.compact, as: UTF8.self)
      if let other = seen[key] {
        complaints.add(
          .unreachable, at: source,
          "found a case that belongs to the same requests and state as \"\(other)\", which comes first",
          fix: "change one \"when\", or remove it and choose the case by hand")
      }
      seen[key] = probe.name
      for condition in when.request { check(condition, in: contract, complaints) }
    }
  }

  private func check(
    _ condition: Condition, in contract: Contract, _ complaints: Complaints
  ) {
    let names = contract.request.paths.flatMap(\.parameterNames)
    if condition.part == .path, !names.contains(condition.name) {
      complaints.add(
        .unknownParameter, at: condition.source,
        "found \"\(condition.key)\", which is in no path of this request",
        fix: spellingSuggestion(for: condition.name, among: names, noun: "its parameters"))
    }
    guard let own = contract.request.parameters.first(where: { $0.key == condition.key }),
      own.test.excludes(condition.test)
    else { return }
    complaints.add(
      .unreachable, at: condition.source,
      "found a condition that contradicts the request's own on \"\(condition.key)\"",
      fix: "the request asks for \(own.test.expectation)")
  }
}
