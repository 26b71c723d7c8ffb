import UnderstudyContractModel
import UnderstudyFindings

extension ContractUpdate {
  /// The checks of a result, with fixes that do not advise to update what an update leaves as it is.
  func checks(of result: LiveCaseResult, failsOn severity: Finding.Severity) -> [Check] {
    let caseID = result.liveCase.identity.caseID
    guard let own = result.checks.first,
      let refusal = leftOver.last(where: { $0.caseID == caseID && $0.isRefused })?.reason
    else { return result.checks }
    let findings = result.differences.map {
      $0.finding(in: result.liveCase.contract, refusal: refusal)
    }
    return [own.with(findings: findings, failsOn: severity)] + result.checks.dropFirst()
  }
}

extension ContractUpdate.Remainder {
  /// Whether another run would leave it as well.
  fileprivate var isRefused: Bool {
    reason != Refusal.late.reason && findings.contains { $0.type.decision == nil }
  }
}
