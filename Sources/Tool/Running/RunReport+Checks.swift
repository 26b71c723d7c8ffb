import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

extension RunReport {
  /// The runs as checks of their cases, for the same reports as those of `understudy test`. A run
  /// that is not for a case checks which cases the command requests.
  var report: Report {
    let runs = Dictionary(
      runs.compactMap { run in run.served.map { ($0.text, run) } },
      uniquingKeysWith: { first, _ in first })
    let servedCounts = servedCounts
    let checks =
      cases.isEmpty
      ? known.map { check(of: $0, isRequested: servedCounts[$0.text] != nil) }
      : cases.map { check(of: $0, runs[$0.text]) }
    let ofWhole = self.runs.filter { $0.served == nil }.flatMap(\.findings)
    let unrequested = missing.map { served in
      Finding(
        .error, .coverage, "never requested \(served.text)", at: served.place,
        fix: "let the command request it, or leave it out of --require")
    }
    // The arguments are left out, since reports are shared.
    let run = Run(
      command: "understudy run -- \(words.first ?? "")", toolVersion: UnderstudyVersion.text,
      plannedCount: checks.count, startedAt: startedAt.rfc3339, duration: duration)
    return Report(run, checks: checks, findings: ofWhole + unrequested)
  }

  private func check(of served: CaseID, _ run: CheckedRun?) -> Check {
    let identity = Check.Identity(served.contract.id, served.caseName, consumer: nil)
    if let reason = skipped[served.text] {
      return .couldNotCheck(identity, at: served.place, because: reason)
    }
    guard let run, run.interruption == nil else {
      return .couldNotCheck(
        identity, at: served.place, because: .endedRun(by: interruption),
        duration: run?.duration ?? .zero)
    }
    return .checked(identity, at: served.place, findings: run.findings, duration: run.duration)
  }

  private func check(of served: CaseID, isRequested: Bool) -> Check {
    let identity = Check.Identity(served.contract.id, served.caseName, consumer: nil)
    if interruption != nil {
      return .couldNotCheck(identity, at: served.place, because: .endedRun(by: interruption))
    }
    return isRequested
      ? .checked(identity, at: served.place)
      : .notExercised(identity, at: served.place, because: "the command did not request it")
  }
}

extension CheckedRun {
  /// The remarks, each with the nearest contract in its message.
  fileprivate var findings: [Finding] {
    remarks.map { finding, nearMisses in
      let nearest = nearMisses?.first.map { near in
        "; nearest \(near.contract.id): "
          + near.differences.map(\.description).joined(separator: "; ")
      }
      return finding.with(message: finding.message + (nearest ?? ""), fix: finding.fix)
    }
  }
}

extension String {
  /// Why a case was not checked.
  fileprivate static func endedRun(by signal: Int32?) -> Self {
    "\(signal.map(SignalWatch.name(of:)) ?? "something") interrupted the run"
  }
}

extension CaseID {
  var place: Place {
    let source = served?.source ?? contract.source
    return Place(contract.file, source.position)
  }
}
