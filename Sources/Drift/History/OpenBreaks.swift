package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

extension History {
  /// A finding for each of these cases that broke something in only some responses and has not had
  /// three clean runs since.
  ///
  /// One clean run does not prove that an intermittent break is fixed.
  package func openBreaks(
    of cases: [(contract: Contract, liveCase: Case)], _ caseIDs: Set<String>
  ) -> [Finding] {
    cases.compactMap { contract, liveCase in
      let id = "\(contract.id)#\(liveCase.name)"
      guard caseIDs.contains(id) else { return nil }
      let past = self[id]
      guard past.state != .drifting, let run = past.openBreak else { return nil }
      let errors = run.findings.filter { $0.severity == .error }
      let names = Set(errors.map(\.type.rawValue)).sorted().joined(separator: ", ")
      let seen = errors.compactMap(\.frequency).first.map { " \($0)" } ?? ""
      // No count of runs, so the text stays the same until something changes.
      return Finding(
        .error, .intermittent,
        "\(id) was broken\(seen) on \(run.at.date) (\(names)) and not"
          + " since; this closes after \(CaseHistory.cleanRunCount) clean runs",
        at: Place(contract.file, liveCase.source.position),
        fix: "compare more responses to see it again: understudy drift \(id) --samples 10")
    }
  }
}
