import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

extension ContractLibrary {
  /// A check for each case, with the findings on its lines, and one for each file with findings
  /// elsewhere: `Contracts/joke/random-joke#file`.
  func lintReport(by toolVersion: String) -> Report {
    var rest = Dictionary(grouping: findings, by: \.file)
    var checks: [Check] = []
    for contract in contracts {
      var own = rest.removeValue(forKey: contract.file) ?? []
      let root = contract.source.document.root
      let cases = root["cases"].map { Array($0.members) } ?? []
      let starts = (Array(root.members) + cases).map(\.keyPosition).sorted()
      for member in cases {
        guard let one = contract.case(named: member.key) else { continue }
        let end = starts.first { $0 > member.keyPosition }
        let isInside = { (finding: Finding) -> Bool in
          finding.position.map { position in
            position >= member.keyPosition && end.map { position < $0 } ?? true
          } ?? false
        }
        checks.append(
          .judged(
            Check.Identity(contract.id, one.name, consumer: nil),
            at: Place(contract.file, one.source.position), findings: own.filter(isInside),
            failsOn: .warning))
        own.removeAll(where: isInside)
      }
      rest[contract.file] = own.isEmpty ? nil : own
    }
    for (file, findings) in rest.sorted(by: { $0.key < $1.key }) {
      let contract = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
      checks.append(
        .judged(
          Check.Identity(contract, "file", consumer: nil), at: Place(file), findings: findings,
          failsOn: .warning))
    }
    let run = Run(
      command: "understudy lint", toolVersion: toolVersion, plannedCount: checks.count,
      failsOn: .warning, startedAt: Moment.now.rfc3339, duration: .zero)
    return Report(run, checks: checks)
  }
}
