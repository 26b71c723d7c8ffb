package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

extension History {
  /// A finding for each of these cases that broke something in only some answers and has not had
  /// three clean nights since.
  ///
  /// One clean night does not prove that an intermittent break is fixed.
  package func openBreaks(
    of cases: [(contract: Contract, probe: Case)], _ caseIDs: Set<String>
  ) -> [Finding] {
    cases.compactMap { contract, probe in
      let id = "\(contract.id)#\(probe.name)"
      guard caseIDs.contains(id) else { return nil }
      let past = self[id]
      guard past.state != .drifting, let night = past.openBreak else { return nil }
      let errors = night.findings.filter { $0.severity == .error }
      let names = Set(errors.map(\.type.rawValue)).sorted().joined(separator: ", ")
      let seen = errors.compactMap(\.frequency).first.map { " \($0)" } ?? ""
      // No count of nights, so the text stays the same until something changes.
      return Finding(
        .error, .intermittent,
        "found \(id) broken\(seen) on \(night.at.date) (\(names)) and not"
          + " since; this closes after \(CaseHistory.cleanNightCount) clean nights",
        at: Place(contract.file, probe.source.position),
        fix: "compare more answers to see it again: understudy drift \(id) --samples 10")
    }
  }
}
