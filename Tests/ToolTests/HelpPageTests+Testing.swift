@testable import UnderstudyTool

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

    Services are called in a process of their own. When one crashes, or keeps every
    thread busy for 30 s longer than its case takes, what was under way is run
    again, each check in a process by itself: the check that does it again has
    failed, and all others go on. What services print goes to stderr. SIGINT,
    SIGTERM or SIGHUP ends the run early with a report of what is known; what was
    still to come could not be checked.

    What may be the machine's fault, such as a delay it could not keep, is run again
    alone; if it still cannot be judged, that is said, and is no failure. Cases that
    nobody expects anything of are listed as not exercised.

    With --mutate the good JSON answers are damaged instead, wherever a service
    reads them: values left out, null, empty, huge or of another type, bodies cut
    off, HTML for JSON and more. A service must end in an error it declares, or give
    the same value where it does not look; "tolerates" beside an expected value says
    where else it may. All else is a finding, and so is a crash or a hang, of which
    only a process of its own dies.

    With --shard 2/8 only the second of eight machines' shares is run. All machines
    divide alike, by the delays in the contracts, or by --durations, which has to be
    the same file on all; "understudy merge" joins their reports. --shard auto takes
    the number from UNDERSTUDY_SHARD=2/8; from CI_NODE_INDEX and CI_NODE_TOTAL of
    GitLab; from CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL; from
    BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT; or in an indexed Job of
    Kubernetes from JOB_COMPLETION_INDEX, where UNDERSTUDY_SHARD_COUNT has to be set
    beside it. Without --shard these variables change nothing.

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
          --shard SHARD               Only the share of one of several machines:
                                      2/8, or auto for what the environment says.
          --durations PATH            Divide into shards by how long checks took in
                                      this JSON report.
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
      understudy test --shard 2/8 --report json=shards/2.json
          Run an eighth, and leave a report for "understudy merge".

    Exit codes:
      0  Every check passed.
      1  A service does not do what a contract says, or nothing was exercised.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, or consumers that differ from consumers.json.
      3  Nothing failed, but something could not be judged, or a signal ended the
         run.

    """

  static let merge = """
    Joins the reports of all shards of a test run into one verdict.

    Usage: understudy merge [OPTIONS] REPORT...

    Takes what "understudy test --shard" wrote with --report json=PATH on each
    machine, and prints what one machine would have printed. Of a folder it takes
    every .json file in it and in its folders.

    A shard whose report is missing is a failure, and so is one that is there twice,
    a check that no shard ran or several did, and shards that divided the run
    differently. Reports of different runs are refused.

    With --format json, and --report json=PATH, one object is printed, with the keys
    that "understudy help test" names. It has how long every check took, so it is
    what --durations of the next run takes.

    Arguments:
      REPORT  The JSON report of a shard, or a folder of them. May be given more
              than once.

    Options:
          --require-coverage PERCENT  Fail when less than this was exercised.
          --report KIND=PATH          Write a report: console, junit, json,
                                      markdown, github, sarif, tap, html, issue,
                                      badge. Without =PATH it is printed. May be
                                      given more than once.
          --format FORMAT             How to print the result. One of text or json.
                                      Without it: text.
      -h, --help                      Show this help.

    Examples:
      understudy merge shards
          Join all reports in a folder.
      understudy merge shards --report json=.understudy/durations.json
          Keep how long each check took, to divide the next run by it.

    Exit codes:
      0  Every check of every shard passed.
      1  A check failed, or a shard is missing, is there twice or was divided
         otherwise.
      2  Could not run: wrong usage, no report, a broken one, or one of another run.
      3  Nothing failed, but something could not be judged.

    """
}
