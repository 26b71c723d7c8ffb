import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// One contract file, updated case by case.
struct ContractChange {
  /// The response for a live case.
  struct Sample {
    let name: String
    let response: LiveResponse
    /// What is to be applied, the worst first.
    let wanted: [Difference]
    /// What stays out of the contract.
    var accepted: [Difference] = []
    /// What differs between the response and the contract as it was, and as it is now.
    fileprivate(set) var known: [Difference] = []
    fileprivate(set) var left: [Difference] = []
  }

  /// The contract as it was before all changes.
  let contract: Contract
  /// All live cases that were checked, without findings, too: an edit of one may concern others.
  var samples: [Sample] = []
  private let now: Moment
  private let isOver: () -> Bool
  private var current: Contract
  /// The cases that have become what was served for them.
  private var done: Set<String> = []

  init(of contract: Contract, now: Moment, isOver: @escaping () -> Bool) {
    self.contract = contract
    self.now = now
    self.isOver = isOver
    current = contract
  }

  var file: ContractUpdate.File? {
    let (old, new) = (contract.source.document.bytes, current.source.document.bytes)
    guard old != new else { return nil }
    return ContractUpdate.File(path: contract.file, original: old, bytes: new)
  }

  /// Returns what remains.
  mutating func run() -> [ContractUpdate.Remainder] {
    var leftOver: [ContractUpdate.Remainder] = []
    let hasTurn = !isOver() && samples.contains { $0.wanted.contains { $0.type.decision == nil } }
    for place in samples.indices where hasTurn {
      samples[place].known = differences(of: samples[place], in: contract)
      samples[place].left = samples[place].known
    }
    for place in samples.indices {
      let sample = samples[place]
      func leave(_ differences: [Difference], _ reason: String) {
        leftOver.append(
          ContractUpdate.Remainder(
            caseID: "\(contract.id)#\(sample.name)",
            findings: differences.map { $0.finding(in: contract) }, reason: reason))
      }
      for difference in sample.wanted {
        if let reason = difference.type.decision { leave([difference], reason) }
      }
      let wanted = sample.wanted.filter { $0.type.decision == nil }
      guard !wanted.isEmpty, !done.contains(sample.name) else { continue }
      do throws(Refusal) {
        try take(place, wanted)
      } catch {
        let culprit =
          error.difference
          ?? error.pointer.flatMap { pointer in wanted.first { $0.pointers.first == pointer } }
        leave((culprit.map { [$0] } ?? []) + wanted.filter { $0 != culprit }, error.reason)
      }
    }
    return leftOver
  }

  /// Applies the changes of a sample and, where they concern other cases, of those, or none of them.
  ///
  /// - Parameter place: of the sample.
  private mutating func take(_ place: Int, _ wanted: [Difference]) throws(Refusal) {
    if isOver() { throw .late }
    let sample = samples[place]
    let hasBody = wanted.contains { !$0.isOfHead }
    if hasBody, sample.accepted.contains(where: { !$0.isOfHead && $0.type.decision == nil }) {
      throw Refusal("a part of the same body is accepted drift, which stays out of the contract")
    }
    // Edits of other cases may have added differences.
    let own = try patched(
      hasBody ? wrapped(sample) : current, sample, wanted + sample.left.unlike(sample.known),
      takesBody: !isUnlike(sample, in: contract) && isUnlike(sample, in: current))
    let (next, names) = try withOthers(than: sample, own)
    let document = current.withOffsets(in: next.source.document)
    if let problem = current.problem(broughtBy: document) { throw Refusal(problem) }
    guard let result = current.edited(document) else { throw Self.unreadable }
    let left = samples.map { differences(of: $0, in: result) }
    try check(left, after: place, wanted, names)
    current = result
    for place in samples.indices { samples[place].left = left[place] }
    done.formUnion(names)
  }

  /// Refuses an edit after which a response that it concerns does not match.
  ///
  /// - Parameter left: what is then left of the differences of each sample.
  private func check(
    _ left: [[Difference]], after place: Int, _ wanted: [Difference], _ names: Set<String>
  ) throws(Refusal) {
    let sample = samples[place]
    let hasBody = wanted.contains { !$0.isOfHead }
    let rest = left[place].first { rest in
      hasBody && !rest.isOfHead || !sample.known.contains { $0.isLike(rest) }
        || wanted.contains { $0.isLike(rest) }
    }
    if let rest {
      let message = rest.finding(in: contract).message
      throw Refusal("no edit makes the contract match this response: \(message)", of: rest)
    }
    for (other, left) in zip(samples, left)
    where other.name != sample.name && (names.contains(other.name) || !isOpen(other))
      && !left.unlike(other.left).isEmpty
    {
      throw Self.unmatched(other)
    }
  }

  /// The contract with the changes of the other cases that an edit of one concerns, and the names
  /// of all of them.
  private func withOthers(
    than sample: Sample, _ edited: Contract
  ) throws(Refusal) -> (Contract, names: Set<String>) {
    var (next, names) = (edited, Set([sample.name]))
    for other in samples where other.name != sample.name {
      let found = differences(of: other, in: next)
      guard isTouched(other, found, from: current, to: next) else { continue }
      let own = isOpen(other) ? other.wanted : []
      do throws(Refusal) {
        next = try patched(
          next, other, own + found, isOwn: true, takesBody: isUnlike(other, in: next))
      } catch {
        throw error.reason == Refusal.late.reason ? error : Self.unmatched(other, error.reason)
      }
      names.insert(other.name)
    }
    return (next, names)
  }

  private static func unmatched(_ other: Sample, _ reason: String? = nil) -> Refusal {
    Refusal(
      "the response for `\(other.name)` would no longer match\(reason.map { ": \($0)" } ?? "")")
  }

  private static let unreadable = Refusal("the file could not be read after the change")

  private func patched(
    _ contract: Contract, _ sample: Sample, _ wanted: [Difference], isOwn: Bool = false,
    takesBody: Bool = false
  ) throws(Refusal) -> Contract {
    let patch = try ContractPatch(
      of: contract, case: sample.name, to: sample.response,
      wanted.filter { $0.type.decision == nil },
      isOwn: isOwn, takesBody: takesBody, now: now, isOver: isOver)
    guard let edited = contract.edited(patch.document) else { throw Self.unreadable }
    return edited
  }

  /// The contract with its bodies where the response has them, if it has put them into something
  /// else.
  private func wrapped(_ sample: Sample) throws(Refusal) -> Contract {
    guard let body = WrappedBody(of: sample.name, in: current, sample.response, now: now) else {
      return current
    }
    guard let edited = (try? body.document()).flatMap(current.edited) else {
      throw Self.unreadable
    }
    return edited
  }

  // MARK: - Other cases

  /// Whether a case has changes to apply, and its turn is yet to come.
  private func isOpen(_ sample: Sample) -> Bool {
    !sample.wanted.isEmpty && !done.contains(sample.name)
  }

  /// Whether an edit leaves a case that matched its response with another response, or with an
  /// example that does not match its schema.
  ///
  /// - Parameter found: what differs between its response and the new contract.
  private func isTouched(
    _ other: Sample, _ found: [Difference], from old: Contract, to new: Contract
  ) -> Bool {
    if hasBrokenExample(other, in: new) { return true }
    return !isOpen(other)
      && (!found.unlike(other.left).isEmpty
        || !isUnlike(other, in: old) && isUnlike(other, in: new))
  }

  /// Whether its response has other members or kinds of values than its example, even if the schema
  /// allows both.
  private func isUnlike(_ sample: Sample, in contract: Contract) -> Bool {
    guard case .json(let example)? = contract.case(named: sample.name)?.response?.body,
      let found = JSONDocument(valid: sample.response.body)?.root
    else { return false }
    var comparison = ShapeComparison(reported: [], addedMax: 1, place: nil)
    let view = SchemaView(nil)
    comparison.compare(
      Shape(view, of: example, isTemplated: false), Shape(view, of: found, isTemplated: false))
    return !comparison.differences.isEmpty
  }

  private func hasBrokenExample(_ sample: Sample, in contract: Contract) -> Bool {
    guard let response = contract.case(named: sample.name)?.response,
      case .json(let body) = response.body, let schema = response.schema,
      !response.templatedParts.contains(.body)
    else { return false }
    return !schema.schema.accepts(body)
  }

  private func differences(of sample: Sample, in contract: Contract) -> [Difference] {
    guard let served = contract.case(named: sample.name) else { return [] }
    return Comparison(sample.response, to: served, of: contract, readers: [], now: now).differences
      .filter { $0.type.decision == nil }
  }
}

extension [Difference] {
  /// The differences that resemble none of the others.
  fileprivate func unlike(_ others: [Difference]) -> [Difference] {
    filter { found in !others.contains { $0.isLike(found) } }
  }
}
