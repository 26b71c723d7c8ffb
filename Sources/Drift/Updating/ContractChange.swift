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
    /// All differences between the two.
    let findings: [Finding]
    /// The findings to be applied.
    let wanted: [Finding]
  }

  /// As it was.
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
    for sample in samples where !sample.wanted.isEmpty {
      func leave(_ findings: [Finding], _ reason: String) {
        leftOver.append(
          ContractUpdate.Remainder(
            caseID: "\(contract.id)#\(sample.name)", findings: findings, reason: reason))
      }
      for finding in sample.wanted {
        if let reason = finding.type.decision { leave([finding], reason) }
      }
      let wanted = sample.wanted.filter { $0.type.decision == nil }
      guard !wanted.isEmpty, !done.contains(sample.name) else { continue }
      do throws(Refusal) {
        try take(sample, wanted)
      } catch {
        let culprit = error.finding ?? wanted.first { $0.path != nil && $0.path == error.pointer }
        leave((culprit.map { [$0] } ?? []) + wanted.filter { $0 != culprit }, error.reason)
      }
    }
    return leftOver
  }

  private mutating func take(_ sample: Sample, _ wanted: [Finding]) throws(Refusal) {
    if isOver() { throw .late }
    let hasBody = wanted.contains { !$0.type.isOfHead }
    let isAccepted = sample.findings.contains {
      !$0.type.isOfHead && $0.type.decision == nil && !sample.wanted.contains($0)
    }
    if hasBody, isAccepted {
      throw Refusal("a part of the same body is accepted drift, which stays out of the contract")
    }
    var names: Set<String> = [sample.name]
    // Edits of other cases may have added differences.
    let brought = news(of: sample, from: contract, to: current)
    var next = try patched(
      hasBody ? wrapped(sample) : current, sample, wanted + brought,
      takesBody: !isUnlike(sample, in: contract) && isUnlike(sample, in: current))
    for other in samples
    where other.name != sample.name && isTouched(other, from: current, to: next) {
      let findings = isOpen(other) ? other.wanted : []
      do throws(Refusal) {
        next = try patched(
          next, other, findings + differences(of: other, in: next), isOwn: true,
          takesBody: isUnlike(other, in: next))
      } catch {
        if error.reason == Refusal.late.reason { throw error }
        throw Refusal("the response for `\(other.name)` would no longer match: \(error.reason)")
      }
      names.insert(other.name)
    }
    let document = current.withOffsets(in: next.source.document)
    if let problem = current.problem(broughtBy: document) { throw Refusal(problem) }
    guard let result = current.edited(document) else { throw Self.unreadable }
    let known = differences(of: sample, in: contract)
    let rest = differences(of: sample, in: result).first { rest in
      hasBody && !rest.type.isOfHead || !known.contains { $0.isLike(rest) }
        || wanted.contains { $0.isLike(rest) }
    }
    if let rest {
      throw Refusal("no edit makes the contract match this response: \(rest.message)", of: rest)
    }
    let other = samples.first { other in
      other.name != sample.name && (names.contains(other.name) || !isOpen(other))
        && isWorse(other, from: current, to: result)
    }
    if let other { throw Refusal("the response for `\(other.name)` would no longer match") }
    current = result
    done.formUnion(names)
  }

  private static let unreadable = Refusal("the file could not be read after the change")

  private func patched(
    _ contract: Contract, _ sample: Sample, _ wanted: [Finding], isOwn: Bool = false,
    takesBody: Bool = false
  ) throws(Refusal) -> Contract {
    let patch = try ContractPatch(
      of: contract, case: sample.name, to: sample.response,
      wanted.filter { $0.type.decision == nil },
      isOwn: isOwn, takesBody: takesBody, now: now, isOver: isOver)
    guard let edited = contract.edited(patch.document) else { throw Self.unreadable }
    return edited
  }

  /// The contract with its bodies where the response has them, if it has put them into something else.
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

  /// Whether an edit leaves a case that matched its response with another response, or with an example
  /// that does not match its schema.
  private func isTouched(_ other: Sample, from old: Contract, to new: Contract) -> Bool {
    if hasBrokenExample(other, in: new) { return true }
    return !isOpen(other)
      && (isWorse(other, from: old, to: new)
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

  private func isWorse(_ sample: Sample, from old: Contract, to new: Contract) -> Bool {
    !news(of: sample, from: old, to: new).isEmpty
  }

  /// The differences that an edit brought.
  private func news(of sample: Sample, from old: Contract, to new: Contract) -> [Finding] {
    let known = differences(of: sample, in: old)
    return differences(of: sample, in: new).filter { found in
      !known.contains { $0.isLike(found) }
    }
  }

  private func differences(of sample: Sample, in contract: Contract) -> [Finding] {
    guard let served = contract.case(named: sample.name) else { return [] }
    return Comparison(sample.response, to: served, of: contract, readers: [], now: now).findings
      .filter { $0.type.decision == nil }
  }
}

extension Finding {
  fileprivate func isLike(_ other: Finding) -> Bool {
    type == other.type && path == other.path && header == other.header
  }
}
