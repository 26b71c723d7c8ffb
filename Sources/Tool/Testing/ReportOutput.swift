import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
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
  private let revision: Revision?

  init(_ arguments: ParsedArguments) throws(Failure) {
    format = try arguments.value(of: OutputFormat.option)
    requests = try arguments.value(of: Self.reports)
    let printed =
      (format == .json ? ["--format json"] : [])
      + requests.filter(\.isPrintedForProgram).map { "--report \($0)" }
    listsAll = try arguments.value(of: Self.verbose)
    revision = Revision(around: ".", environment: arguments.environment)
    guard printed.count < 2 else { throw .printedTogether(printed) }
    isForProgram = !printed.isEmpty
  }

  /// Frames are for screens: a log has the place, to which editors and CI systems jump.
  func detail(on terminal: Terminal, _ history: History = History()) -> ConsoleDetail {
    guard terminal.isOutputShown else {
      return ConsoleDetail(listsAll: listsAll, history: history)
    }
    let lines = SourceLines()
    return ConsoleDetail(listsAll: listsAll, history: history) { lines.line(of: $0) }
  }

  /// Writes text for people.
  func writeText(to terminal: inout Terminal, _ write: (inout TextStream) -> Void) {
    if isForProgram { write(&terminal.errors) } else { write(&terminal.output) }
  }

  /// - Parameters:
  ///   - library: the contracts of the report, if known; some formats show them.
  ///   - context: what a drift run knows besides.
  ///   - isOfHere: whether it is of the checkout around the working folder.
  func publish(
    _ report: Report, of library: ContractLibrary? = nil, context: ReportContext = ReportContext(),
    isOfHere: Bool = true, to terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    let report = named(report, terminal.tool, isOfHere)
    switch format {
    case .text:
      let detail = detail(on: terminal, context.history)
      writeText(to: &terminal) { ConsoleReport.write(report, detail, to: &$0) }
    case .json: terminal.output.write(json: report.json)
    }
    try writeRequested(report, of: library, context, to: &terminal)
    if format == .json, report.result != .pass {
      terminal.errors.write(line: report.summary)
    }
    return ExitCode(rawValue: report.exitCode) ?? .findings
  }

  /// Writes only the reports of `--report`; without any, none is made.
  func write(
    _ report: @autoclosure () -> Report, of library: ContractLibrary?, to terminal: inout Terminal
  ) throws(Failure) {
    if requests.isEmpty { return }
    try writeRequested(
      named(report(), terminal.tool, true), of: library, ReportContext(), to: &terminal)
  }

  private func named(_ report: Report, _ tool: ToolName, _ isOfHere: Bool) -> Report {
    report.naming(tool).of(isOfHere ? revision : nil)
  }

  private func writeRequested(
    _ report: Report, of library: ContractLibrary?, _ context: ReportContext,
    to terminal: inout Terminal
  ) throws(Failure) {
    var context = context
    if let library {
      context.contractText = { file in
        library.contracts.first { $0.file == file }
          .map { String(decoding: $0.source.document.bytes, as: UTF8.self) }
      }
    }
    for request in requests {
      context.path = request.path
      try write(report, as: request, in: context, to: &terminal)
    }
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
