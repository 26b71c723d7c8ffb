import UnderstudyCore
import UnderstudyFindings

/// `understudy merge` joins what the shards of a run have found.
enum MergeCommand {
  private static let paths = Parameter<[FilePath]>.requiredArguments(
    "REPORT", "The JSON report of a shard, or a folder of them.")

  static let command = Command(
    name: "understudy merge",
    summary: "Joins the reports of all shards of a test run into one verdict",
    discussion: [
      "Takes what \"understudy test --shard\" wrote with --report json=PATH on each machine, and"
        + " prints what one machine would have printed. Of a folder it takes every .json file in it"
        + " and in its folders.",
      "A shard whose report is missing is a failure, and so is one that is there twice, a check"
        + " that no shard ran or several did, and shards that divided the run differently. Reports"
        + " of different runs are refused.",
      "With --format json, and --report json=PATH, one object is printed, with the keys that"
        + " \"understudy help test\" names. It has how long every check took, so it is what"
        + " --durations of the next run takes.",
    ],
    parameters: [
      paths.declaration, TestOptions.requiredCoverage.declaration, TestOptions.reports.declaration,
      OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy merge shards", meaning: "Join all reports in a folder."),
      Command.Example(
        line: "understudy merge shards --report json=.understudy/durations.json",
        meaning: "Keep how long each check took, to divide the next run by it."),
    ],
    exitCodes: [
      .pass: "Every check of every shard passed.",
      .findings: "A check failed, or a shard is missing, is there twice or was divided otherwise.",
      .couldNotRun:
        "Could not run: wrong usage, no report, a broken one, or one of another run.",
      .couldNotCheck: "Nothing failed, but something could not be judged.",
    ],
    run: { arguments, terminal throws(Failure) in
      let output = try ReportOutput(arguments)
      let percent = try arguments.value(of: TestOptions.requiredCoverage)?.value
      var shards: [(file: String, report: Report)] = []
      for file in try ReportFile.files(try arguments.value(of: paths).map(\.argument)) {
        shards.append((file, try ReportFile.read(file)))
      }
      let report = try Report.joining(shards: shards)
      return try output.publish(report.requiring(percent: percent), to: &terminal)
    })
}
