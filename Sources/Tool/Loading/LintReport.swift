import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyReports

/// The findings of lint and their counts.
struct LintReport {
  let fileCount: Int
  let upstreamCount: Int
  let contractCount: Int
  let caseCount: Int
  /// In the order in which they are shown.
  let findings: [Finding]

  /// With `severity`, only the findings at least that severe.
  init(_ library: ContractLibrary, only severity: Finding.Severity? = nil) {
    fileCount = library.fileCount
    upstreamCount = library.upstreams.count
    contractCount = library.contracts.count
    caseCount = library.contracts.reduce(0) { $0 + $1.cases.count }
    findings = library.findings.filter { severity == nil || $0.severity == severity }
  }

  var errorCount: Int { findings.count { $0.severity == .error } }
  var warningCount: Int { findings.count - errorCount }

  /// `3 errors, 1 warning in 27 files`, or the counts followed by `no problems`.
  var summary: String {
    guard !findings.isEmpty else {
      let counts = [
        fileCount.of("file"), upstreamCount.of("upstream"), contractCount.of("contract"),
        caseCount.of("case"),
      ]
      return counts.joined(separator: ", ") + ": no problems"
    }
    let counts = [(errorCount, "error"), (warningCount, "warning")]
      .filter { $0.0 > 0 }.map { $0.0.of($0.1) }
    return "\(counts.joined(separator: ", ")) in \(fileCount.of("file"))"
  }

  /// The findings in the format of compilers, so that editors and CI systems can jump to the place.
  func writeText(
    _ detail: ConsoleDetail = ConsoleDetail(), to stream: inout TextStream
  ) {
    for finding in findings {
      stream.write(inLine: "\(finding.place.map { "\($0)" } ?? "-"): ", .bold)
      stream.write(
        "\(finding.severity.rawValue):", finding.severity == .error ? .red : .yellow)
      stream.write(inLine: " \(finding.message) ")
      stream.write("[\(finding.type.rawValue)]", .dim, leadingTo: finding.type.page)
      stream.write("\n")
      detail.frame(at: finding.place)?.write(to: &stream, indent: 2)
      if let fix = finding.fix { stream.write(line: "  fix: \(fix)") }
    }
  }

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("files", fileCount)
      writer.member("upstreams", upstreamCount)
      writer.member("contracts", contractCount)
      writer.member("cases", caseCount)
      writer.member("errors", errorCount)
      writer.member("warnings", warningCount)
      writer.diagnostics(findings)
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }
}
