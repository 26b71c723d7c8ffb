import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyReports

/// Writes the report of a run to the places and in the formats given on the command line.
///
/// What is printed for a program stands alone on standard output: text for people is then written
/// to standard error.
struct ReportOutput {
  static let verbose = Parameter.flag(
    "verbose", short: "v", "Also list what was not exercised, and why.")
  static let reports = Parameter.options(
    "report", "KIND=PATH", .report,
    "Write a report: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")). Without"
      + " =PATH it is printed.")
  static let group = Command.OptionGroup(
    title: "Output",
    options: [reports.declaration, verbose.declaration, OutputFormat.option.declaration])

  let format: OutputFormat
  private let requests: [ReportRequest]
  /// Whether something is printed for a program.
  let isForProgram: Bool
  private let listsAll: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    format = try arguments.value(of: OutputFormat.option)
    requests = try arguments.value(of: Self.reports)
    let printed =
      (format == .json ? ["--format json"] : [])
      + requests.filter(\.isPrintedForProgram).map { "--report \($0)" }
    listsAll = try arguments.value(of: Self.verbose)
    guard printed.count < 2 else { throw .printedTogether(printed) }
    isForProgram = !printed.isEmpty
  }

  /// Frames are for screens: a log has the place, to which editors and CI systems jump.
  func detail(on terminal: Terminal) -> ConsoleDetail {
    guard terminal.isOutputShown else { return ConsoleDetail(listsAll: listsAll) }
    let lines = SourceLines()
    return ConsoleDetail(listsAll: listsAll) { lines.line(of: $0) }
  }

  /// Writes text for people.
  func writeText(to terminal: inout Terminal, _ write: (inout TextStream) -> Void) {
    if isForProgram { write(&terminal.errors) } else { write(&terminal.output) }
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
    case .text:
      let detail = detail(on: terminal)
      writeText(to: &terminal) { ConsoleReport.write(report, detail, to: &$0) }
    case .json: terminal.output.write(json: report.json)
    }
    try write(report, of: library, history: history, to: &terminal)
    if format == .json, report.result != .pass {
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
    } else if request.isPrintedForProgram {
      terminal.output.write(bytes: bytes)
    } else {
      writeText(to: &terminal) { $0.write(bytes: bytes) }
    }
  }
}

extension ReportRequest {
  /// GitHub's commands are lines of the log, among the text for people.
  fileprivate var isPrintedForProgram: Bool {
    path == nil && ![.console, .github].contains(format)
  }
}

extension Failure {
  fileprivate static func printedTogether(_ options: [String]) -> Self {
    Self(
      message: "\(options.joined(separator: " and ")) would be printed together",
      fix: "write all but one to files, such as --report junit=junit.xml")
  }
}
