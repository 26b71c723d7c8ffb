package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

extension History {
  /// A finding for each case of these that broke something in some answers only, has not done so
  /// since, and has not had three clean nights yet.
  ///
  /// What comes and goes is not mended by one night on which it did not come.
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
      // No count of nights: the same words until something changes.
      return Finding(
        .error, .intermittent,
        "found \(id) broken\(seen) on \(night.at.date) (\(names)) and not"
          + " since; this closes after \(CaseHistory.cleanNightCount) clean nights",
        at: Place(contract.file, probe.source.position),
        fix: "ask more often to see it again: understudy drift \(id) --samples 10")
    }
  }
}
