import UnderstudyContractModel
import UnderstudyFindings

extension ContractUpdate {
  /// The reasons why any update leaves something of a case as it is, by the case's id.
  func refusals() -> [String: String] {
    Dictionary(
      leftOver.filter(\.isRefused).map { ($0.caseID, $0.reason) }, uniquingKeysWith: { $1 })
  }

  /// The checks of a result, with fixes that do not advise to update what an update leaves as it
  /// is.
  static func checks(
    of result: LiveCaseResult, _ refusals: [String: String], failsOn severity: Finding.Severity
  ) -> [Check] {
    guard let own = result.checks.first,
      let refusal = refusals[result.liveCase.identity.caseID]
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
