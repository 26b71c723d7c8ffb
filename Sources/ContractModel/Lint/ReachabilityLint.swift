import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds contracts and cases that can never be played, and contracts of equal precedence.
struct ReachabilityLint {
  let upstream: Upstream
  let batch: Batch

  /// A path without the names of its parameters.
  private struct Shape: Hashable {
    let method: String
    /// `nil` for a parameter.
    var segments: [ExactText?]

    init(_ contract: Contract, by template: PathTemplate) {
      method = contract.request.method
      segments = template.segments.map {
        if case .literal(let text) = $0 { ExactText(text) } else { nil }
      }
    }
  }

  func check() {
    var groups: [Shape: [Rival]] = [:]
    var shapes: [Shape] = []
    for contract in upstream.contracts {
      checkConditions(of: contract)
      checkCases(of: contract)
      for template in contract.request.paths {
        let shape = Shape(contract, by: template)
        if groups[shape] == nil { shapes.append(shape) }
        groups[shape, default: []].append(Rival(contract, by: template))
      }
    }
    for shape in shapes {
      let rivals = groups[shape] ?? []
      for rival in rivals { checkLiterals(instead: rival, shape, groups) }
      if rivals.count > 1 { checkPairs(of: rivals) }
    }
  }

  /// Reports a contract whose values for a path parameter are all literals of other contracts.
  private func checkLiterals(instead rival: Rival, _ shape: Shape, _ groups: [Shape: [Rival]]) {
    for (place, segment) in shape.segments.enumerated() where segment == nil {
      let condition = rival.conditions[Rival.key(ofSegment: place)]
      guard let values = condition?.test.namedValues, !values.isEmpty else { continue }
      let winners = values.map { value in
        var literal = shape
        literal.segments[place] = ExactText(value)
        return groups[literal]?.first { rival.implies($0) }
      }
      guard let winner = winners[0], winners.allSatisfy({ $0 != nil }) else { continue }
      complainOfDefeat(of: rival.contract, by: winner.contract)
    }
  }

  /// Compares contracts for one path, skipping pairs that plainly never overlap, so a thousand
  /// contracts for a thousand values of one parameter stay cheap.
  private func checkPairs(of rivals: [Rival]) {
    var places: [ExactText: [ExactText: [Int]]] = [:]
    for (index, rival) in rivals.enumerated() {
      for (key, values) in rival.namedValues {
        for value in Set(values.map(ExactText.init)) {
          places[key, default: [:]][value, default: []].append(index)
        }
      }
    }
    let best =
      places.max { ($0.value.count, $1.key.text) < ($1.value.count, $0.key.text) }?.value ?? [:]
    let named = Set(best.values.joined())
    let others = rivals.indices.filter { !named.contains($0) }
    var isBeaten = [Bool](repeating: false, count: rivals.count)
    func compare(_ left: Int, _ right: Int) {
      let index = max(left, right)
      guard !isBeaten[index] else { return }
      isBeaten[index] = complain(rivals[index], rivals[min(left, right)])
    }
    for value in best.keys.sorted(by: { $0.text < $1.text }) {
      let bucket = best[value] ?? []
      for (count, index) in bucket.enumerated() {
        for rival in bucket[..<count] { compare(index, rival) }
      }
    }
    for other in others {
      for index in rivals.indices where index < other || named.contains(index) {
        compare(index, other)
      }
    }
  }

  /// Whether the two are ambiguous, or one always wins.
  private func complain(_ rival: Rival, _ earlier: Rival) -> Bool {
    let (own, other) = (rival.contract.request, earlier.contract.request)
    if own.conditionCount == other.conditionCount {
      if rival.excludes(earlier) { return false }
      complainOfTie(rival.contract, earlier.contract)
      return true
    }
    let (weak, strong) =
      own.conditionCount < other.conditionCount ? (rival, earlier) : (earlier, rival)
    guard weak.implies(strong) else { return false }
    complainOfDefeat(of: weak.contract, by: strong.contract)
    return true
  }

  private func complainOfDefeat(of contract: Contract, by winner: Contract) {
    batch.complaints(for: contract.file).add(
      .unreachable, at: contract.source["request"] ?? contract.source,
      "found a contract that \(winner.id) always wins against",
      fix: "require something that \(winner.name) does not, or remove one of the two")
  }

  private func complainOfTie(_ contract: Contract, _ rival: Contract) {
    guard contract.name != rival.name else {
      batch.complaints(for: contract.file).add(
        .ambiguous, at: contract.source["request"]?["also"] ?? contract.source,
        "found the same path twice", fix: "remove one of the two")
      return
    }
    batch.complaints(for: contract.file).add(
      .ambiguous, at: contract.source["request"] ?? contract.source,
      "found a request that \(rival.id) also answers, and neither takes precedence",
      fix: "add a condition to one of them, or make them cases of one contract")
  }

  private func checkConditions(of contract: Contract) {
    let complaints = batch.complaints(for: contract.file)
    var seen: Set<ExactText> = []
    for condition in contract.request.parameters {
      if !seen.insert(ExactText(condition.lookupKey)).inserted {
        complaints.add(
          .duplicateKey, at: condition.source,
          "found conditions on \"\(condition.key)\" a second time",
          fix: "header names ignore case: combine the conditions")
      }
    }
    let conditions =
      contract.request.parameters + contract.cases.flatMap { $0.when?.request ?? [] }
    checkPathParameters(conditions, in: contract, complaints)
  }

  private func checkPathParameters(
    _ conditions: [Condition], in contract: Contract, _ complaints: Complaints
  ) {
    let names = contract.request.paths.flatMap(\.parameterNames)
    let known = Set(names)
    for condition in conditions where condition.part == .path && !known.contains(condition.name) {
      complaints.add(
        .unknownParameter, at: condition.source,
        "found \"\(condition.key)\", which is not in any path of this request",
        fix: Spelling.nearest(to: condition.name, among: names.prefix(candidateCountMax)).map {
          "did you mean \"path.\($0)\"?"
        } ?? "add {\(condition.name)} to the path, or remove this condition")
    }
  }

  private func checkCases(of contract: Contract) {
    let complaints = batch.complaints(for: contract.file)
    let own = Dictionary(
      contract.request.parameters.map { (ExactText($0.lookupKey), $0) },
      uniquingKeysWith: { first, _ in first })
    var seen: [ExactText: String] = [:]
    for played in contract.cases {
      guard let when = played.when, let source = played.source["when"] else { continue }
      let key = ExactText(String(decoding: source.compact, as: UTF8.self))
      if let other = seen[key] {
        complaints.add(
          .unreachable, at: source,
          "found a case for the same requests and state as \"\(other)\", which comes first",
          fix: "change one \"when\", or remove it and choose the case by hand")
      }
      seen[key] = played.name
      for condition in when.request {
        guard let own = own[ExactText(condition.lookupKey)], own.excludes(condition) else {
          continue
        }
        complaints.add(
          .unreachable, at: condition.source,
          "found a condition that contradicts the request's own on \"\(condition.key)\"",
          fix: "the request expects \(own.test.expectation)")
      }
    }
  }
}
