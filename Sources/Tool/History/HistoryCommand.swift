import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// `understudy history` shows the results of live checks.
///
/// It only reads what runs of `drift` have kept, and sends no request. A line that is not a record
/// is left out with a warning. `HistoryListing` is the list, for people and for programs.
enum HistoryCommand {
  private static let file = Parameter.option(
    "history", "FILE", .path, "The history file. Default: \(HistoryFile.standardPath).")

  static let maxAge = Parameter.option(
    "max-age", "AGE", .age,
    "Fail when a live contract was not checked within this time, such as 7d or 36h.")

  static let command = command { .now }

  static func command(clock: @escaping @Sendable () -> Moment) -> Command {
    Command(
      name: "understudy history",
      summary: "Shows when live cases were last checked, and since when they have drifted",
      discussion: """
        For each live case: its state on the last run it was checked (passing, changed, drifting, \
        unreachable, not run), when it was last checked, since when it has been in that state, and \
        its recent latency. A run on which a case could not be checked neither verifies it nor \
        ends a drift: "unreachable, drifting" since the drift began. A drift begins on the first \
        run that failed. A drift seen in some responses only ends after three runs without it; \
        until then: "passing, drifting".

        With --max-age, a contract with a live case that was not checked within this time, or \
        never, is a finding. Upstreams that are retired or have no baseURL do not count.
        """,
      parameters: [
        Selection.words.declaration, Selection.folder.declaration, file.declaration,
        maxAge.declaration, OutputFormat.option.declaration,
      ],
      jsonOutput: """
        An object: cases, an array of objects with contract, case, state, lastChecked, since, \
        driftingSince (also if unreachable), latencyMilliseconds (an array, the oldest first) and \
        findings of the last run (severity, type, message, file, line, column, path, diff, fix, \
        page); requests, an array with the last run of each upstream (upstream, at, sent, failed); \
        findings of --max-age; and brokenLines of the history, with line and message. Times look \
        like 2026-11-20T22:55:36Z.
        """,
      examples: [
        "understudy history": "Show all live cases.",
        "understudy history --max-age 7d":
          "Fail when a live contract was not checked within a week.",
      ],
      exitCodes: [
        .pass: "The history is shown; with --max-age, every live contract was checked in time.",
        .findings: "A live contract was not checked within --max-age.",
        .couldNotRun:
          "Could not run: wrong usage, contracts with errors, names that match nothing, or a history"
          + " that cannot be read.",
      ],
      run: { arguments, terminal throws(Failure) in
        let format = try arguments.value(of: OutputFormat.option)
        let (library, globs) = try Selection(arguments).loadAll(for: .reading, &terminal)
        let path = try arguments.value(of: file)
        let source = HistoryFile(path: path ?? HistoryFile.standardPath)
        let now = clock()
        let (history, brokenLines) = try read(source, now: now, &terminal)
        if let path, !source.isThere {
          throw Failure(
            message: "no history at \(path)",
            fix: "name a file written by understudy drift")
        }
        let cases = library.liveCases.filter { contract, liveCase in
          globs.selects(contract, liveCase)
        }
        let stale =
          try arguments.value(of: maxAge).map {
            history.staleness(of: cases, ageMax: $0, now: now)
              .map { $0.naming(terminal.tool) }
          } ?? []
        let listing = HistoryListing(
          history, of: cases, stale: stale, brokenLines: brokenLines, now: now)
        switch format {
        case .text: listing.writeText(to: &terminal.output)
        case .json: listing.writeJSON(to: &terminal.output)
        }
        return stale.isEmpty ? .pass : .findings
      })
  }

  /// A missing history is empty. Warns about lines that are not records.
  static func read(
    _ file: HistoryFile, now: Moment = .now, _ terminal: inout Terminal
  ) throws(Failure) -> (history: History, brokenLines: [HistoryFile.BrokenLine]) {
    let (history, brokenLines) = try file.read(now: now)
    for line in brokenLines { warn(of: line, in: file, &terminal) }
    return (history, brokenLines)
  }

  static func warn(
    of line: HistoryFile.BrokenLine, in file: HistoryFile, _ terminal: inout Terminal
  ) {
    terminal.errors.write(
      line: "understudy: warning: \(file.path):\(line.number): ignored, since it is not a record:"
        + " \(line.message)")
  }
}
