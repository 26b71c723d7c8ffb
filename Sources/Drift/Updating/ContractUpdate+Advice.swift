import UnderstudyFindings

extension ContractUpdate {
  /// The checks with fixes that do not advise to update what an update leaves as it is.
  func advising(_ checks: [Check], failsOn severity: Finding.Severity) -> [Check] {
    var reasons: [String: String] = [:]
    for rest in leftOver where rest.isRefused {
      reasons[rest.caseID] = rest.reason
    }
    guard !reasons.isEmpty else { return checks }
    return checks.map { check in
      guard check.identity.consumer == nil, let reason = reasons[check.identity.caseID] else {
        return check
      }
      return check.with(
        findings: check.findings.map { $0.advising(against: reason) }, failsOn: severity)
    }
  }
}

extension ContractUpdate.Remainder {
  /// Whether another run would leave it as well.
  fileprivate var isRefused: Bool {
    reason != Refusal.late.reason && findings.contains { $0.type.decision == nil }
  }
}

extension Finding {
  fileprivate func advising(against reason: String) -> Finding {
    guard let fix, fix.contains(Difference.update) else { return self }
    let words = "change the contract by hand, since \(reason)"
    return Finding(
      severity, type, message, at: place, path: path, header: header, diff: diff,
      fix: fix.replacing("\(Difference.update) to apply it", with: words)
        .replacing(Difference.update, with: words),
      frequency: frequency)
  }
}
