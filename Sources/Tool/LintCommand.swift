import UnderstudyContractModel
import UnderstudyCore

/// `understudy lint` holds contracts against the rules of the format and against themselves.
enum LintCommand {
  static let command = Command(
    name: "understudy lint",
    summary: "Checks contracts for mistakes",
    discussion: [
      "Holds each contract against the rules of the format and against itself: whether a body"
        + " fulfils its own schema, whether \"like\" and \"expect\" name what exists, whether two"
        + " contracts claim the same request. Every finding says where, what was expected there"
        + " and how to mend it, and ends in the name of its rule.",
      "Warnings are findings too, but stop no other command. One that is meant to be is waived in its"
        + " contract, or in upstream.json for all contracts there, with the reason: \"waive\": {"
        + " \"RULE\": \"REASON\" }.",
      "--report writes the same reports as understudy test: a check for each case with what is wrong"
        + " in it, and one for each file that has something wrong elsewhere.",
      "With --format json one object is printed. Its keys: files, upstreams, contracts, cases,"
        + " errors and warnings are numbers; diagnostics is an array of objects with severity"
        + " (error or warning), rule, file, line, column, message and fix. line, column and fix are"
        + " null where there is none.",
    ],
    parameters: [
      ContractPaths.argument.declaration, OutputFormat.option.declaration,
      TestOptions.reports.declaration,
    ],
    examples: [
      Command.Example(line: "understudy lint", meaning: "Check all contracts below ./Contracts."),
      Command.Example(
        line: "understudy lint Contracts/dog-ceo", meaning: "Check those of one upstream."),
      Command.Example(
        line: "understudy lint --report sarif=lint.sarif",
        meaning: "Leave the findings for code scanning."),
      Command.Example(
        line: "understudy lint --format json", meaning: "Print the findings for another program."),
    ],
    exitCodes: [
      .pass: "No findings.",
      .findings: "Findings, be they errors or warnings.",
      .couldNotRun: "Could not run: wrong usage, or a path where there are no contracts.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let library = try ContractPaths.load(arguments)
      let report = LintReport(library)
      try ReportOutput(arguments).write(
        library.lintReport(by: UnderstudyVersion.text), of: library, to: &terminal)
      switch format {
      case .text: report.writeText(to: &terminal.output)
      case .json: report.writeJSON(to: &terminal.output)
      }
      guard report.findings.isEmpty else {
        terminal.errors.write("\(report.summary)\n")
        return .findings
      }
      if format == .text { terminal.output.write("\(report.summary)\n") }
      return .pass
    })
}
