@testable import UnderstudyTool

extension HelpPageTests {
  static let run = """
    Runs a command with a fake, and checks its requests.

    Usage: understudy run [OPTIONS] [SELECTION...] -- COMMAND...

    For tests in any language. The command finds the fake through its environment:
    UNDERSTUDY_URL is the address of all upstreams, UNDERSTUDY_URL_DOG_CEO the base
    URL of the upstream dog-ceo, and so on. The fake uses a free port.

    Findings are: an unmatched request, with the nearest contracts; no request at
    all; a case of --require that was not requested; a command that exits with a
    code other than 0 or is killed by a signal; and a command still running after
    --timeout, which is stopped with all its child processes. A command with a time
    limit has no stdin.

    Tests that run in parallel use one session each: a client with the base URL
    $UNDERSTUDY_URL/~worker-3/dog-ceo/api has its own cases, scripts and state.
    While the command runs, a test chooses its case through the admin API, in either
    of these ways:

      curl -X PUT -d '{"case": "not-found"}' \\
        $UNDERSTUDY_URL/~worker-3/__understudy/contracts/dog-ceo/random-images/case
      understudy use --session worker-3 dog-ceo/random-images=not-found

    POST /__understudy/reset clears the choices, GET /__understudy/journal lists the
    requests, and GET /__understudy/openapi.json describes the rest. --case and
    --script set what is served from the start.

    With --each-case, each run has its own fake, and the command also gets
    UNDERSTUDY_CASE, such as dog-ceo/random-images#not-found. It must request the
    case, and exit with 0 if it handled it well. A star matches any text; dog-ceo
    means every case of the upstream, dog-ceo/random-images every case of the
    contract.

    --report writes the same reports as understudy test. With --each-case they have
    the result on each case. Without it they have a check for each case, which
    passes if the command requested the case and is otherwise not exercised; all
    findings concern the run as a whole. SIGINT, SIGTERM or SIGHUP is forwarded to
    the command and ends the run with a report of the results so far.

    A command that consumers.json declares is run by "understudy test", case by
    case, and also checked for its exit code and output.

    The command's output is passed through; the result follows on stderr. With
    --format json, or a report that is printed, only that is on stdout, and the
    command's output goes to stderr. The keys of the object that --format json
    prints: command, problems, requests, interrupted (a signal), runs, an array of
    objects with case, exitCode, signal, requests and findings (message, fix and
    nearest); missing, the cases of --require that were not requested; and asked,
    how often each case was served. Missing values are null.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.
      COMMAND    The command and its arguments, after --. Repeatable.

    Options:
      -C, --contracts FOLDER        The folder of contracts. Default: Contracts.
                                    Also read from UNDERSTUDY_CONTRACTS.
          --require CASES           Cases the command must request:
                                    'dog-ceo/random-*', '*#not-found'. Repeatable.
          --each-case CASES         Run the command once for each of these cases,
                                    while the fake serves it. Repeatable.
          --case CONTRACT=CASE      Serve this case:
                                    dog-ceo/random-images=malformed. Repeatable.
          --script CONTRACT=SCRIPT  Serve this script of a contract. Repeatable.
          --time-scale FACTOR       Multiplies every delay; 0 leaves them out.
                                    Default: 1.
          --seed NUMBER             The seed of all random choices. Default: 0.
          --cors                    Allow pages of any site to read the responses.
          --timeout TIME            The time limit of each run. Default: 5m with
                                    --each-case, else no limit.
          --report KIND=PATH        Write a report: console, junit, json, markdown,
                                    github, sarif, tap, html, issue, badge. Without
                                    =PATH it is printed. Repeatable.
          --format FORMAT           How to print the result. One of text or json.
                                    Default: text.
          --color WHEN              When to print in colour. One of auto, always or
                                    never. Default: auto.
      -h, --help                    Show this help, or with -h its beginning.

    Examples:
      understudy run -- ./test-client
          Run a test with a fake of the contracts below ./Contracts.
      understudy run --require 'dog-ceo/*#ok' -- ./test-client
          The same; these cases must be requested.
      understudy run --each-case dog-ceo --time-scale 0 -- ./test-client
          Run it once for each case of the upstream, without delays.
      understudy run --each-case dog-ceo --report junit=run.xml -- ./test-client
          The same with all delays, and write a report for CI.

    Exit codes:
      0  No findings, and the command exited with 0, each time.
      1  There are findings, such as a failure of the command.
      2  Could not run: wrong usage, contracts with errors, or a command that cannot
         be started.
      3  No findings, but a signal ended the command early, or something could not
         be checked.

    """
}
