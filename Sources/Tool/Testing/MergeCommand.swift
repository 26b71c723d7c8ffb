import UnderstudyCore
import UnderstudyFindings

/// `understudy merge` joins the reports of a run's shards.
enum MergeCommand {
  private static let paths = Parameter.arguments(
    "REPORT", .path, isRequired: true, "The JSON report of a shard, or a folder of them.")

  static let command = Command(
    name: "understudy merge",
    summary: "Joins the reports of all shards of a test run into one result",
    discussion: """
      Takes the reports that "understudy test --shard" wrote with --report json=PATH on each \
      machine, and prints what a single machine would have printed. Folders are searched for .json \
      files, recursively.

      It is a failure if a shard's report is missing or duplicated, if no shard or several shards \
      ran a check, or if shards divided the run differently. Reports of different runs are \
      refused.
      """,
    parameters: [
      paths.declaration, TestOptions.requiredCoverage.declaration, ReportOutput.reports.declaration,
      ReportOutput.verbose.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      The object of understudy test. It has the duration of every check, for --durations of the \
      next run.
      """,
    examples: [
      "understudy merge shards": "Join all reports in a folder.",
      "understudy merge shards --report json=.understudy/durations.json":
        "Store the durations of checks, to divide the next run by them.",
    ],
    exitCodes: [
      .pass: "Every check of every shard passed.",
      .findings: "A check failed, or a shard is missing, duplicated or divided differently.",
      .couldNotRun:
        "Could not run: wrong usage, or a report that is missing, broken or of another run.",
      .couldNotCheck: "Nothing failed, but something could not be checked.",
    ],
    run: { arguments, terminal throws(Failure) in
      let output = try ReportOutput(arguments)
      let percent = try arguments.value(of: TestOptions.requiredCoverage)
      var shards: [(file: String, report: Report)] = []
      for file in try ReportFile.files(try arguments.value(of: paths)) {
        shards.append((file, try ReportFile.read(file)))
      }
      let report = try Report.joining(shards: shards)
      return try output.publish(
        report.requiring(percent: percent), isOfHere: false, to: &terminal)
    })
}
