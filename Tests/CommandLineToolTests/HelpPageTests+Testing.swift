@testable import CommandLineTool

extension HelpPageTests {
  static let test = """
    Runs services against every case of their contracts.

    Usage: understudy test [OPTIONS] [GLOB...]

    Starts the fake on a free port, calls every service (a "consumer") for every
    case that says under "expect" what it must make of it, and holds against the
    contract: the value, or the error and what went wrong beneath; the requests it
    sent, and how many; and that none went to another host. Each check has a session
    of its own and all run at the same time, so that the run takes as long as its
    slowest case.

    GLOB is UPSTREAM/ENDPOINT#CASE with * for any text and ? for any character;
    parts that are left out are any: joke, dog-ceo/random-images, '*#reset'. Quote
    it where a shell would take * or a leading # for its own.

    What may be the machine's fault, such as a delay it could not keep, is run again
    alone; if it still cannot be judged, that is said, and is no failure. Cases that
    nobody expects anything of are listed as not exercised.

    With --mutate the good JSON answers are damaged instead, wherever a service
    reads them: values left out, null, empty, huge or of another type, bodies cut
    off, HTML for JSON and more. A service must end in an error it declares, or give
    the same value where it does not look; "tolerates" beside an expected value says
    where else it may. All else is a finding, and so is a crash or a hang, of which
    only a process of its own dies.

    What did not pass is remembered in .understudy/last-test.json for --failed,
    until it is run again. A run of mutants changes nothing of it.

    With --format json, and --report json=PATH, one object is printed. Its keys:
    schemaVersion, verdict (pass, fail or couldNotCheck), exitCode, summary, counts
    by verdict, run, owners by upstream, findings about the run as a whole, and
    checks, an array of objects with contract, case, consumer, file, line, column,
    verdict, reason, attempts, durationNanoseconds and findings (severity, type,
    message, file, line, column, path, diff, fix). What is not there is null.

    With --max-age a contract of which a live case was not held against the live API
    for longer fails the run, as understudy history shows it: a fake that nobody
    compares any more proves little.

    Arguments:
      GLOB  Only these cases: joke, dog-ceo/random-images#ok, '*#reset'. May be
            given more than once.

    Options:
          --contracts PATH            A folder of contracts, one of its upstreams,
                                      or a contract. Without it: Contracts. May be
                                      given more than once.
          --consumer NAME             Only checks of this consumer. May be given
                                      more than once.
          --failed                    Only what did not pass when it was last run.
          --fail-fast                 Start nothing more after a failure.
          --repeat COUNT              Run each check so often, to hunt flakes.
                                      Without it: 1.
          --seed NUMBER               Where everything that is drawn at random
                                      begins. Without it: 0.
          --time-scale FACTOR         Multiplies every delay, and every time-out
                                      that a contract expects. Without it: 1.
          --jobs COUNT                How many checks are under way at the same
                                      time. Without it: 64.
          --mutate                    Damage the good answers in every way, and see
                                      that nothing wrong comes of it.
          --mutants COUNT             Only so many of the damaged answers, drawn by
                                      the seed.
          --mutant ID                 Only this damaged answer, by its id from a
                                      report. May be given more than once.
          --require-coverage PERCENT  Fail when less than this was exercised.
          --max-age AGE               Fail when a live contract was not verified for
                                      longer, such as 7d or 36h.
          --report KIND=PATH          Write a report: console, junit, json,
                                      markdown, github, sarif, tap, html, issue,
                                      badge. Without =PATH it is printed. May be
                                      given more than once.
          --format FORMAT             How to print the result. One of text or json.
                                      Without it: text.
      -h, --help                      Show this help.

    Examples:
      understudy test
          Run every check.
      understudy test joke 'dog-ceo/*#reset' --time-scale 0.1
          Run those of one upstream and some of another, ten times as fast.
      understudy test --mutate joke --mutants 1000
          Feed a service a thousand damaged answers.
      understudy test --report junit=.understudy/junit.xml --require-coverage 90
          Leave a report for CI, and fail when too little is exercised.

    Exit codes:
      0  Every check passed.
      1  A service does not do what a contract says, or nothing was exercised.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, or consumers that differ from consumers.json.
      3  Nothing failed, but something could not be judged.

    """
}
