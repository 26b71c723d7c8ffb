import ContractModel
import Diagnostics
import Findings
import Reports

/// Where the command line wants the report of a run, and in which form.
struct ReportOutput {
  private let format: OutputFormat
  private let requests: [ReportRequest]

  init(_ arguments: ParsedArguments) throws(CommandLineError) {
    format = try arguments.value(of: OutputFormat.option)
    requests = try arguments.value(of: TestOptions.reports).map(\.request)
  }

  /// - Parameter history: where the history is that some forms look back on; the usual place if `nil`.
  func publish(
    _ report: Report, of library: ContractLibrary, history: String? = nil,
    to terminal: inout Terminal
  ) throws(CommandLineError) -> ExitCode {
    switch format {
    case .text: ConsoleReport.write(report, to: &terminal.output)
    case .json: terminal.output.write(bytes: report.json)
    }
    let context =
      requests.contains { $0.format.looksBack }
      ? ReportContext(library, try HistoryCommand.read(history).history) : ReportContext()
    for request in requests { try write(report, as: request, in: context, to: &terminal) }
    if format == .json, report.verdict != .pass { terminal.errors.write("\(report.summary)\n") }
    return ExitCode(rawValue: report.exitCode) ?? .findings
  }

  private func write(
    _ report: Report, as request: ReportRequest, in context: ReportContext,
    to terminal: inout Terminal
  ) throws(CommandLineError) {
    let bytes = Array(request.format.text(of: report, in: context).utf8)
    if let path = request.path {
      try OutputFile.write(bytes, to: path)
    } else {
      terminal.output.write(bytes: bytes)
    }
  }
}
