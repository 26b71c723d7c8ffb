import ContractModel
import Findings

/// The report of the last run, kept beside the contracts' folder for `--failed`.
enum LastRun {
  private static let path = ".understudy/last-test.json"

  static func keep(_ report: Report) throws(CommandLineError) {
    try OutputFile.write(report.json, to: path)
  }

  /// The checks that failed or could not be judged.
  static func open() throws(CommandLineError) -> Set<Check.Identity> {
    guard FileSystem.kind(of: path) != nil else {
      throw CommandLineError(
        message: "found no last run in \(path)", fix: "run without --failed first")
    }
    let report: Report
    do {
      report = try Report(parsing: try FileSystem.read(path).get(), file: path)
    } catch let error as FindingsError {
      throw CommandLineError(message: error.message, fix: "run without --failed")
    } catch {
      throw CommandLineError(message: "cannot read \(path)", fix: "run without --failed")
    }
    let open = report.checks(.fail) + report.checks(.couldNotCheck)
    guard !open.isEmpty else {
      throw CommandLineError(
        message: "found nothing in \(path) that failed, so there is nothing to run again",
        fix: "run without --failed")
    }
    return Set(open.map(\.identity))
  }
}
