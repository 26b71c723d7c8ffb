@testable import UnderstudyTool

extension HelpPageTests {
  static let history = """
    Shows when live cases were last checked, and since when they have drifted.

    Usage: understudy history [OPTIONS] [SELECTION...]

    For each live case: its state on the last run it was checked (passing, changed,
    drifting, unreachable, not run), when it was last checked, since when it has
    been in that state, and its recent latency. A run on which a case could not be
    checked neither verifies it nor ends a drift: "unreachable, drifting" since the
    drift began. A drift begins on the first run that failed. A drift seen in some
    responses only ends after three runs without it; until then: "passing,
    drifting".

    With --max-age, a contract with a live case that was not checked within this
    time, or never, is a finding. Upstreams that are retired or have no baseURL do
    not count.

    With --format json one object is printed. Its keys: cases, an array of objects
    with contract, case, state, lastChecked, since, driftingSince (also if
    unreachable), latencyMilliseconds (an array, the oldest first) and findings of
    the last run (severity, type, message, file, line, column, path, diff, fix);
    requests, an array with the last run of each upstream (upstream, at, sent,
    failed); findings of --max-age; brokenLines of the history, with line and
    message. Times look like 2026-11-20T22:55:36Z. Missing values are null.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), a
                 case (joke/random-joke#ok), with * for any text; or a path.
                 Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --history FILE      The history file. Default:
                              .understudy/drift/history.jsonl.
          --max-age AGE       Fail when a live contract was not checked within this
                              time, such as 7d or 36h.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy history
          Show all live cases.
      understudy history --max-age 7d
          Fail when a live contract was not checked within a week.

    Exit codes:
      0  The history is shown; with --max-age, every live contract was checked in
         time.
      1  A live contract was not checked within --max-age.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, or a history that cannot be read.

    """
}
