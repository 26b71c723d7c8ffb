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
      for (member, end) in zip(cases, Self.ends(of: cases, in: root)) {
        guard let one = contract.case(named: member.key) else { continue }
        let lines = member.keyPosition..<end
        let isInside = { (finding: Finding) in finding.position.map(lines.contains) ?? false }
        checks.append(
          .checked(
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
        .checked(
          Check.Identity(contract, "file", consumer: nil), at: Place(file), findings: findings,
          failsOn: .warning))
    }
    let run = Run(
      command: "understudy lint", toolVersion: toolVersion, plannedCount: checks.count,
      failsOn: .warning, startedAt: Moment.now.rfc3339, duration: .zero)
    return Report(run, checks: checks)
  }

  /// Where the text of each case ends: at the next case, or at what follows them all.
  private static func ends(of cases: [JSONMember], in root: JSONValue) -> [SourcePosition] {
    let positions = cases.map(\.keyPosition)
    guard let last = positions.last else { return [] }
    let next = root.members.lazy.map(\.keyPosition).first { $0 > last }
    return positions.dropFirst() + [next ?? SourcePosition(line: .max, column: 1)]
  }
}
