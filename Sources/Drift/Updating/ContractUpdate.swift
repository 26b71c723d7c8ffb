import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON

/// The contract files, edited to match the live answers.
package struct ContractUpdate: Sendable {
  package struct File: Sendable {
    package let path: String
    /// As it was read.
    package let original: [UInt8]
    package internal(set) var bytes: [UInt8]

    /// As `git apply` and `patch -p1` take it.
    package var diff: String {
      TextDiff.patch(
        of: path, String(decoding: original, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
    }

    /// Leaves a file unchanged if it was edited meanwhile.
    package func write() throws(Failure) {
      let root = FileRoot(ContractLibrary.root(ofFile: path))
      guard try root.read(path) == original else {
        throw Failure(
          message: "left \(path) unchanged: it was edited since it was read",
          fix: "run the command again")
      }
      try root.write(bytes, to: path)
    }
  }

  /// A finding that remains, and the reason.
  package struct Remainder: Sendable {
    package let caseID: String
    package let finding: Finding
    package let reason: String
  }

  /// Those that change.
  package internal(set) var files: [File] = []
  package internal(set) var leftOver: [Remainder] = []
  /// The cases that are new, by id.
  package internal(set) var addedCaseIDs: Set<String> = []

  /// - Parameters:
  ///   - checks: of the results, as they are reported: accepted findings are not applied.
  ///   - now: the current time, for checks of dates.
  ///   - isOver: whether the time is up; the rest then remains.
  package init(
    of results: [ProbeResult], reportedAs checks: [Check], now: Moment,
    isOver: @escaping () -> Bool = { false }
  ) {
    var findings: [Check.Identity: [Finding]] = [:]
    for check in checks { findings[check.identity] = check.findings }
    var changes: [Change] = []
    for result in results {
      guard let answer = result.answer, let own = result.checks.first else { continue }
      let known = Set(own.findings)
      let wanted = (findings[own.identity] ?? []).filter(known.contains)
      guard !wanted.isEmpty else { continue }
      let contract = result.probe.contract
      if changes.last?.contract.file != contract.file { changes.append(Change(of: contract)) }
      leftOver += changes[changes.count - 1].take(
        wanted, of: result.probe.played.name, to: answer, now: now, isOver: isOver)
    }
    files = changes.compactMap(\.file)
  }

  /// The state of one file, updated case by case.
  private struct Change {
    /// As it was.
    let contract: Contract
    private var current: Contract
    /// The changes applied so far.
    private var taken: [(name: String, answer: LiveAnswer)] = []

    init(of contract: Contract) {
      self.contract = contract
      current = contract
    }

    var file: File? {
      let (old, new) = (contract.source.document.bytes, current.source.document.bytes)
      guard old != new else { return nil }
      return File(path: contract.file, original: old, bytes: new)
    }

    mutating func take(
      _ wanted: [Finding], of name: String, to answer: LiveAnswer, now: Moment,
      isOver: @escaping () -> Bool
    ) -> [Remainder] {
      func leave(_ finding: Finding, _ reason: String) -> Remainder {
        Remainder(caseID: "\(contract.id)#\(name)", finding: finding, reason: reason)
      }
      if isOver() { return wanted.map { leave($0, BodyEdit.late) } }
      do throws(Failure) {
        let patch = try ContractPatch(
          of: current, case: name, to: answer,
          findings: stillToTake(wanted, of: name, answer, now), now: now, isOver: isOver)
        if !patch.isEmpty {
          guard let changed = contract.libraryOfItself(with: patch.bytes).contracts.first else {
            return wanted.map { leave($0, "the file could not be read after the change") }
          }
          if let other = taken.first(where: { differsMore($0.name, $0.answer, in: changed, now) }) {
            return wanted.map { leave($0, "the answer for \(other.name) would no longer match") }
          }
          current = changed
        }
        taken.append((name, answer))
        return patch.leftOver.map { leave($0.finding, $0.reason) }
      } catch {
        return wanted.map { leave($0, error.message) }
      }
    }

    /// Whether a change of the file would add differences to an answer.
    private func differsMore(
      _ name: String, _ answer: LiveAnswer, in changed: Contract, _ now: Moment
    ) -> Bool {
      func findings(_ contract: Contract) -> Set<String> {
        guard let probe = contract.case(named: name) else { return [] }
        let comparison = Comparison(answer, to: probe, of: contract, readers: [], now: now)
        return Set(comparison.findings.map { "\($0.type.rawValue) \($0.path?.description ?? "-")" })
      }
      return !findings(changed).isSubset(of: findings(current))
    }

    /// The differences not already fixed through an earlier case with the same schema.
    private func stillToTake(
      _ wanted: [Finding], of name: String, _ answer: LiveAnswer, _ now: Moment
    ) -> [Finding] {
      guard current.source.document.bytes != contract.source.document.bytes,
        let probe = current.case(named: name)
      else { return wanted }
      return Comparison(answer, to: probe, of: current, readers: [], now: now).findings.filter {
        finding in wanted.contains { $0.type == finding.type && $0.path == finding.path }
      }
    }
  }
}
