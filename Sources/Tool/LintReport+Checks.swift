import Glibc
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

extension ContractLibrary {
  /// A check for each case, failed by whatever lint says of a line of it, and one for each file that
  /// has something wrong elsewhere: `joke/random-joke#file`.
  func lintReport(by toolVersion: String) -> Report {
    var rest = Dictionary(grouping: findings, by: \.file)
    var checks: [Check] = []
    for contract in contracts {
      let cases = contract.cases.sorted { $0.source.position < $1.source.position }
      var own = rest.removeValue(forKey: contract.file) ?? []
      for (index, one) in cases.enumerated() {
        let end = index + 1 < cases.count ? cases[index + 1].source.position : nil
        let isInside = { (finding: Finding) in
          finding.position.map { position in
            position >= one.source.position && end.map { position < $0 } ?? true
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
      let name = file.split(separator: "/").suffix(2).joined(separator: "/")
      let contract = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
      checks.append(
        .judged(
          Check.Identity(contract, "file", consumer: nil), at: Place(file), findings: findings,
          failsOn: .warning))
    }
    let run = Run(
      command: "understudy lint", toolVersion: toolVersion, plannedCount: checks.count,
      failsOn: .warning, startedAt: CivilTime(unixSeconds: time(nil)).rfc3339(), duration: .zero)
    return Report(run, checks: checks)
  }
}
