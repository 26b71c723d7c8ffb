import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// What lint found, in numbers and one by one.
struct LintReport {
  let fileCount: Int
  let upstreamCount: Int
  let contractCount: Int
  let caseCount: Int
  /// In the order in which they are shown.
  let diagnostics: [Diagnostic]

  /// With `severity`, of the findings only those that are as bad.
  init(_ library: ContractLibrary, only severity: Diagnostic.Severity? = nil) {
    fileCount = library.fileCount
    upstreamCount = library.upstreams.count
    contractCount = library.contracts.count
    caseCount = library.contracts.reduce(0) { $0 + $1.cases.count }
    diagnostics = library.diagnostics.filter { severity == nil || $0.severity == severity }
  }

  var errorCount: Int { diagnostics.count { $0.severity == .error } }
  var warningCount: Int { diagnostics.count - errorCount }

  /// `3 errors, 1 warning in 27 files`, or that there is none in all of these.
  var summary: String {
    guard !diagnostics.isEmpty else {
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

  /// The findings in the form compilers use, so that editors and CI systems can jump to the place.
  func writeText(to stream: inout TextStream) {
    for diagnostic in diagnostics {
      let place = diagnostic.position.map { "\(diagnostic.file):\($0)" } ?? diagnostic.file
      stream.write(inLine: "\(place): ", .bold)
      stream.write(
        "\(diagnostic.severity.rawValue):", diagnostic.severity == .error ? .red : .yellow)
      stream.write(inLine: " \(diagnostic.message) ")
      stream.write("[\(diagnostic.rule)]", .dim)
      stream.write("\n")
      if let fix = diagnostic.fix { stream.write(line: "  fix: \(fix)") }
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
      writer.key("diagnostics")
      writer.array { writer in
        for diagnostic in diagnostics { Self.write(diagnostic, to: &writer) }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  static func write(_ diagnostic: Diagnostic, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("severity", diagnostic.severity.rawValue)
      writer.member("rule", diagnostic.rule)
      writer.member("file", diagnostic.file)
      writer.member("line", diagnostic.position?.line)
      writer.member("column", diagnostic.position?.column)
      writer.member("message", diagnostic.message)
      writer.member("fix", diagnostic.fix)
    }
  }
}
