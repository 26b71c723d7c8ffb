import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds contracts that can never be served, and contracts of equal precedence.
final class ReachabilityLint {
  private let upstream: Upstream
  private var findings: [Finding] = []
  /// Numbers of the shapes of paths, by method and segments.
  private var shapes = ByteTable()
  /// The contracts by shape, in order.
  private var groups: [[Member]] = []

  /// A contract by one of its paths.
  private struct Member {
    let contract: Contract
    let template: PathTemplate
  }

  init(upstream: Upstream) { self.upstream = upstream }

  func check() -> [Finding] {
    for contract in upstream.contracts {
      for template in contract.request.paths {
        let shape = Self.shape(contract.request.method, template)
        let number = shapes.insert(shape, in: 0, value: groups.count)
        if number == groups.count { groups.append([]) }
        groups[number].append(Member(contract: contract, template: template))
      }
    }
    for group in groups {
      for member in group { checkLiterals(instead: member) }
      if group.count > 1 { checkPairs(of: group.map { Rival($0.contract, by: $0.template) }) }
    }
    return findings
  }

  /// The bytes of a path without the names of its parameters, or with one of them as a literal.
  /// Neither byte between them is in UTF-8.
  private static func shape(
    _ method: String, _ template: PathTemplate, with literal: (place: Int, text: String)? = nil
  ) -> [UInt8] {
    var bytes = Array(method.utf8)
    for (place, segment) in template.segments.enumerated() {
      bytes.append(0xFF)
      switch segment {
      case .literal(let text): bytes += text.utf8
      case .parameter where literal?.place == place: bytes += literal?.text.utf8 ?? "".utf8
      case .parameter: bytes.append(0xFE)
      }
    }
    if template.tail != nil { bytes += [0xFF, 0xFD] }
    return bytes
  }

  private func complain(
    of contract: Contract, _ rule: FindingType, at value: JSONValue, _ message: String, fix: String
  ) {
    let complaints = Complaints(file: contract.file)
    complaints.add(rule, at: value, message, fix: fix)
    findings += complaints.findings
  }

  /// Reports a contract whose values for a path parameter are all literals of other contracts.
  private func checkLiterals(instead member: Member) {
    let request = member.contract.request
    guard request.parameters.contains(where: { $0.part == .path && $0.test.namedValues != nil })
    else { return }
    let rival = Rival(member.contract, by: member.template)
    for (place, segment) in member.template.segments.enumerated() {
      guard case .parameter = segment else { continue }
      let condition = rival.conditions[Rival.key(ofSegment: place)]
      guard let values = condition?.test.namedValues, !values.isEmpty else { continue }
      let winners = values.map { value -> Contract? in
        let shape = Self.shape(request.method, member.template, with: (place, value))
        return shapes.find(shape, in: 0).flatMap { number in
          groups[number].first { rival.implies(Rival($0.contract, by: $0.template)) }?.contract
        }
      }
      guard let winner = winners[0], winners.allSatisfy({ $0 != nil }) else { continue }
      complainOfDefeat(of: member.contract, by: winner)
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
    complain(
      of: contract, .unreachable, at: contract.source["request"] ?? contract.source,
      "this contract never matches: \(winner.id) always wins",
      fix: "require something that \(winner.name) does not, or remove one of the two")
  }

  private func complainOfTie(_ contract: Contract, _ rival: Contract) {
    guard contract.name != rival.name else {
      complain(
        of: contract, .ambiguous, at: contract.source["request"]?["also"] ?? contract.source,
        "the same path is given twice", fix: "remove one of the two")
      return
    }
    complain(
      of: contract, .ambiguous, at: contract.source["request"] ?? contract.source,
      "\(rival.id) also matches this request, and neither takes precedence",
      fix: "add a condition to one of them, or make them cases of one contract")
  }
}
