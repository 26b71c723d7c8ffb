import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyReports

/// Writes the report of a run to the places and in the formats given on the command line.
struct ReportOutput {
  private let format: OutputFormat
  private let requests: [ReportRequest]

  init(_ arguments: ParsedArguments) throws(Failure) {
    format = try arguments.value(of: OutputFormat.option)
    requests = try arguments.value(of: TestOptions.reports).map(\.request)
  }

  /// - Parameters:
  ///   - library: the contracts of the report, if known; some formats show them.
  ///   - history: of live checks, for a drift run.
  func publish(
    _ report: Report, of library: ContractLibrary? = nil, history: History = History(),
    to terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let report = report.naming(terminal.tool)
    switch format {
    case .text: ConsoleReport.write(report, to: &terminal.output)
    case .json: terminal.output.write(json: report.json)
    }
    try write(report, of: library, history: history, to: &terminal)
    if format == .json, report.verdict != .pass {
      terminal.errors.write(line: report.summary)
    }
    return ExitCode(rawValue: report.exitCode) ?? .findings
  }

  /// Writes only the reports of `--report`; without any, none is made.
  func write(
    _ report: @autoclosure () -> Report, of library: ContractLibrary?, history: History = History(),
    to terminal: inout Terminal
  ) throws(Failure) {
    if requests.isEmpty { return }
    var context = ReportContext()
    if let library, requests.contains(where: { $0.format.looksBack }) {
      context = ReportContext(library, history)
    }
    let report = report().naming(terminal.tool)
    for request in requests { try write(report, as: request, in: context, to: &terminal) }
  }

  private func write(
    _ report: Report, as request: ReportRequest, in context: ReportContext,
    to terminal: inout Terminal
  ) throws(Failure) {
    let bytes = Array(request.format.text(of: report, in: context).utf8)
    if let path = request.path {
      try FileRoot(around: path).write(bytes, to: path)
    } else {
      terminal.output.write(bytes: bytes)
    }
  }
}
