import UnderstudyContractModel
import UnderstudyCore

/// `understudy lint` checks contracts against the rules of the format and against each other.
enum LintCommand {
  static let command = Command(
    name: "understudy lint",
    summary: "Checks contracts for mistakes",
    discussion: """
      Checks each contract against the rules of the format and for consistency: whether a body \
      matches its own schema, whether "like" and "expect" name something that exists, whether two \
      contracts claim the same request. When a whole folder is checked, so is its accepted.json. \
      Every finding gives the place, what was expected and a fix, and ends with the name of its rule, which "understudy help RULE" explains.

      Warnings are findings too, but other commands accept them. To waive one, give a reason in \
      its contract, or in upstream.json for all its contracts: "waive": { "RULE": "REASON" }.

      --report writes the same reports as understudy test: a check for each case with its \
      findings, and one for each file with findings outside its cases.
      """,
    parameters: [
      Selection.wholeContracts.declaration, Selection.folder.declaration,
      OutputFormat.option.declaration, ReportOutput.reports.declaration,
    ],
    jsonOutput: """
      An object: files, upstreams, contracts, cases, errors and warnings are numbers; diagnostics \
      is an array of objects with severity (error or warning), rule, file, line, column, message, \
      fix and page, the address that explains the rule.
      """,
    examples: [
      "understudy lint": "Check all contracts below ./Contracts.",
      "understudy lint dog-ceo": "Check those of one upstream.",
      "understudy lint --report sarif=lint.sarif": "Write the findings for code scanning.",
      "understudy lint --format json": "Print the findings for another program.",
    ],
    exitCodes: [
      .pass: "No findings.",
      .findings: "Errors or warnings were found.",
      .couldNotRun: "Could not run: wrong usage, or a path without contracts.",
    ],
    run: { arguments, terminal throws(Failure) in
      let output = try ReportOutput(arguments)
      let library = try Selection(arguments, by: Selection.wholeContracts).loadForLint()
      let report = LintReport(library)
      try output.write(
        library.lintReport(by: UnderstudyVersion.text), of: library, to: &terminal)
      switch output.format {
      case .text:
        let detail = output.detail(on: terminal)
        output.writeText(to: &terminal) { report.writeText(detail, to: &$0) }
      case .json: report.writeJSON(to: &terminal.output)
      }
      guard report.findings.isEmpty else {
        terminal.errors.write("\(report.summary)\n")
        return .findings
      }
      if output.format == .text {
        output.writeText(to: &terminal) { $0.write("\(report.summary)\n") }
      }
      return .pass
    })
}
