import ContractModel
import Findings

/// What became of each check when it was last run, kept beside the contracts' folder for `--failed`.
enum LastRun {
  private static let path = ".understudy/last-test.json"

  /// Forgets nothing that the run did not come to: neither what it was not about, nor what was still
  /// to be checked when it ended.
  ///
  /// - Parameters:
  ///   - planned: what it was to check.
  ///   - isWhole: whether it was about all there is; what is not in it is there no more.
  static func keep(
    _ report: Report, planned: some Sequence<Check.Identity>, isWhole: Bool
  ) throws(CommandLineError) {
    try OutputFile.write(
      updated(by: report, planned: Set(planned), isWhole: isWhole).json, to: path)
  }

  /// Of a file that is not there, or cannot be read any more, there is nothing to keep.
  private static func former() -> [Check] {
    do throws(CommandLineError) {
      return FileSystem.kind(of: path) == nil ? [] : try ReportFile.read(path).checks
    } catch {
      return []
    }
  }

  private static func updated(
    by report: Report, planned: Set<Check.Identity>, isWhole: Bool
  ) -> Report {
    // Mostly nothing of it is kept, and it is not read then.
    lazy var former = former()
    lazy var known = Dictionary(
      former.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
    var checks = report.checks.map { check in
      let isOpen = check.verdict == .notExercised && planned.contains(check.identity)
      return isOpen ? known[check.identity] ?? check : check
    }
    if !isWhole {
      let own = Set(checks.map(\.identity))
      checks += former.filter { !own.contains($0.identity) }
    }
    let run = report.run
    return Report(
      Run(
        command: run.command, toolVersion: run.toolVersion, seed: run.seed,
        plannedCount: checks.count, failsOn: run.failsOn, startedAt: run.startedAt,
        duration: run.duration),
      checks: checks, findings: report.findings)
  }

  /// The checks that failed or could not be judged.
  static func open() throws(CommandLineError) -> Set<Check.Identity> {
    guard FileSystem.kind(of: path) != nil else {
      throw CommandLineError(
        message: "found no last run in \(path)", fix: "run without --failed first")
    }
    let report: Report
    do throws(CommandLineError) {
      report = try ReportFile.read(path)
    } catch {
      throw CommandLineError(message: error.message, fix: "run without --failed")
    }
    let open = report.checks(.fail) + report.checks(.couldNotCheck)
    guard !open.isEmpty else { throw nothingFailed }
    return Set(open.map(\.identity))
  }

  static let nothingFailed = CommandLineError(
    message: "found nothing in \(path) that failed, so there is nothing to run again",
    fix: "run without --failed")
}
