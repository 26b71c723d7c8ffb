@testable import UnderstudyTool

extension HelpPageTests {
  static let history = """
    Shows when live cases were last verified, and since when they drift.

    Usage: understudy history [OPTIONS] [GLOB...]

    Of each live case: its state on the last night that asked (well, changed,
    drifting, out when it could not be checked, unasked), when it was last verified,
    since when it is in that state, and how its latency went. A night on which it
    could not be checked does not verify, and does not end a drift: "out, drifting"
    since the drift began. A drift begins on the first night that failed. What broke
    in some answers only has not ended until three nights have passed without it:
    "well, drifting".

    With --max-age a contract of which a live case was not verified for longer, or
    never, is a finding. Upstreams that are retired or have no baseURL do not count.

    With --format json one object is printed. Its keys: cases, an array of objects
    with contract, case, state, lastVerified, since, driftingSince (also of one that
    is out), latencyMilliseconds (an array, the oldest first) and findings of the
    last night (severity, type, message, file, line, column, path, diff, fix);
    findings of --max-age; brokenLines of the history, with line and message. Times
    are spelled as 2026-11-20T22:55:36Z; what is not there is null.

    Arguments:
      GLOB  Only these cases: joke, dog-ceo/random-images#ok, '*#reset'. May be
            given more than once.

    Options:
          --contracts PATH  A folder of contracts, one of its upstreams, or a
                            contract. Without it: Contracts. May be given more than
                            once.
          --history FILE    Read this history. Without it:
                            .understudy/drift/history.jsonl.
          --max-age AGE     Fail when a live contract was not verified for longer,
                            such as 7d or 36h.
          --format FORMAT   How to print the result. One of text or json. Without
                            it: text.
      -h, --help            Show this help.

    Examples:
      understudy history
          Show all live cases.
      understudy history --max-age 7d
          Fail when a live contract was not verified for a week.

    Exit codes:
      0  The history is shown, and with --max-age every live contract was verified.
      1  A live contract was not verified for longer than --max-age.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, or a history that cannot be read.

    """
}
