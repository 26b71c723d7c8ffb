@testable import UnderstudyTool

extension HelpPageTests {
  static let test = """
    Runs services and commands against every case of their contracts.

    Usage: understudy test [OPTIONS] [SELECTION...]

    Starts the fake on a free port, calls every service and runs every command (a
    "consumer") for every case that gives its outcome under "expect", and compares
    with the contract: the value, or the error and its cause; of a command the exit
    code and the output; the requests sent, and their number; and that none went to
    another host. Each check has its own session and all run in parallel, so the run
    takes as long as its slowest case.

    SELECTION is UPSTREAM/ENDPOINT#CASE with * for any text and ? for any character;
    omitted parts match anything: joke, dog-ceo/random-images, '*#reset'. Quote it
    if the shell would interpret * or a leading #.

    Services are called in a separate process. If it crashes, or all its threads are
    busy for 30 s longer than a case takes, the checks that were running are
    repeated, each in its own process: a check that does it again has failed, and
    all others continue. The output of services goes to stderr. SIGINT, SIGTERM or
    SIGHUP ends the run early with a report of the results so far; the remaining
    checks could not be checked.

    A command is run as consumers.json declares it: without a shell or input, in the
    folder that the contracts folder is in. UNDERSTUDY_URL_DOG_CEO is the base URL
    of the upstream dog-ceo, UNDERSTUDY_URL the address of all, UNDERSTUDY_CASE the
    case. Of other variables it gets PATH, HOME and the like, and those that
    consumers.json names; no credentials. After 30 s more than the response takes,
    or the contract's "timeout", it is stopped with all that it started.

    A failure that may be the machine's fault, such as a delay it could not keep, is
    run again alone; if it still cannot be checked, it is reported but not a
    failure. Cases without an expectation are listed as not exercised.

    With --mutate the good JSON responses are mutated wherever a service reads them:
    values left out, null, empty, huge or of another type, bodies cut off, HTML for
    JSON and more. A service must end with an error it declares, or with the same
    value if it does not read the mutated part; "tolerates" beside an expected value
    lists exceptions. Anything else is a finding, including a crash or a hang, which
    affects only a separate process.

    With --shard 2/8 only the second of eight shards is run. All machines divide the
    run in the same way, by the delays in the contracts or by --durations, which
    must be the same file on all; "understudy merge" joins their reports. --shard
    auto takes the shard from UNDERSTUDY_SHARD=2/8; from CI_NODE_INDEX and
    CI_NODE_TOTAL of GitLab; from CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL; from
    BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT; or, in an indexed Job
    of Kubernetes, from JOB_COMPLETION_INDEX, which also needs
    UNDERSTUDY_SHARD_COUNT. Without --shard these variables are ignored.

    Checks that did not pass are stored in .understudy/last-test.json for --failed,
    until they are run again. Runs with --mutate do not change it.

    With --format json, and --report json=PATH, one object is printed. Its keys:
    schemaVersion, result (pass, fail or couldNotCheck), exitCode, summary, counts
    by result, run, owners by upstream, findings on the run as a whole, and checks,
    an array of objects with contract, case, consumer, file, line, column, result,
    reason, attempts, durationNanoseconds and findings (severity, type, message,
    file, line, column, path, diff, fix). Missing values are null.

    With --max-age the run fails if a live case of a contract was not checked
    against the live API within this time, as understudy history shows: a fake that
    is no longer compared proves little.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), a
                 case (joke/random-joke#ok), with * for any text; or a path.
                 Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER          The folder of contracts. Default: Contracts.
                                      Also read from UNDERSTUDY_CONTRACTS.
          --consumer NAME             Only the checks of this consumer. Repeatable.
          --failed                    Only checks that did not pass in their last
                                      run.
          --fail-fast                 Start no more checks after a failure.
          --repeat COUNT              Run each check this often, to find flaky ones.
                                      Default: 1.
          --seed NUMBER               The seed of all random choices. Default: 0.
          --time-scale FACTOR         Multiplies every delay, and every timeout that
                                      a contract expects. Default: 1.
          --jobs COUNT                How many checks run at the same time. Default:
                                      64.
          --mutate                    Mutate the good responses, and check that
                                      services handle that.
          --mutants COUNT             Only this many mutated responses, chosen at
                                      random by the seed.
          --mutant ID                 Only this mutated response, by its id from a
                                      report. Repeatable.
          --shard SHARD               Only one machine's shard: 2/8, or auto to read
                                      it from the environment.
          --durations PATH            Divide into shards by the durations in this
                                      JSON report.
          --require-coverage PERCENT  Fail when less than this was exercised.
          --max-age AGE               Fail when a live contract was not checked
                                      within this time, such as 7d or 36h.
          --report KIND=PATH          Write a report: console, junit, json,
                                      markdown, github, sarif, tap, html, issue,
                                      badge. Without =PATH it is printed.
                                      Repeatable.
      -v, --verbose                   Also list what was not exercised, and why.
          --format FORMAT             How to print the result. One of text or json.
                                      Default: text.
          --color WHEN                When to print in colour. One of auto, always
                                      or never. Default: auto.
      -h, --help                      Show this help, or with -h its beginning.

    Examples:
      understudy test
          Run every check.
      understudy test joke 'dog-ceo/*#reset' --time-scale 0.1
          Run those of one upstream and some of another, ten times as fast.
      understudy test --mutate joke --mutants 1000
          Give a service a thousand mutated responses.
      understudy test --report junit=.understudy/junit.xml --require-coverage 90
          Write a report for CI, and fail when too little is exercised.
      understudy test --shard 2/8 --report json=shards/2.json
          Run an eighth, and write a report for "understudy merge".

    Exit codes:
      0  Every check passed.
      1  A consumer does not meet a contract's expectation, or nothing was
         exercised.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, or consumers that differ from consumers.json.
      3  Nothing failed, but something could not be checked, or a signal ended the
         run.

    """

  static let merge = """
    Joins the reports of all shards of a test run into one result.

    Usage: understudy merge [OPTIONS] REPORT...

    Takes the reports that "understudy test --shard" wrote with --report json=PATH
    on each machine, and prints what a single machine would have printed. Folders
    are searched for .json files, recursively.

    It is a failure if a shard's report is missing or duplicated, if no shard or
    several shards ran a check, or if shards divided the run differently. Reports of
    different runs are refused.

    With --format json, and --report json=PATH, one object is printed, with the keys
    listed in "understudy help test". It contains the duration of every check, for
    --durations of the next run.

    Arguments:
      REPORT  The JSON report of a shard, or a folder of them. Repeatable.

    Options:
          --require-coverage PERCENT  Fail when less than this was exercised.
          --report KIND=PATH          Write a report: console, junit, json,
                                      markdown, github, sarif, tap, html, issue,
                                      badge. Without =PATH it is printed.
                                      Repeatable.
      -v, --verbose                   Also list what was not exercised, and why.
          --format FORMAT             How to print the result. One of text or json.
                                      Default: text.
          --color WHEN                When to print in colour. One of auto, always
                                      or never. Default: auto.
      -h, --help                      Show this help, or with -h its beginning.

    Examples:
      understudy merge shards
          Join all reports in a folder.
      understudy merge shards --report json=.understudy/durations.json
          Store the durations of checks, to divide the next run by them.

    Exit codes:
      0  Every check of every shard passed.
      1  A check failed, or a shard is missing, duplicated or divided differently.
      2  Could not run: wrong usage, or a report that is missing, broken or of
         another run.
      3  Nothing failed, but something could not be checked.

    """
}
