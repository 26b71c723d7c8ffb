@testable import UnderstudyTool

extension HelpPageTests {
  static let run = """
    Runs a command beside a fake, and judges what it asked for.

    Usage: understudy run [OPTIONS] COMMAND...

    For tests in any language. The command finds the fake by its environment:
    UNDERSTUDY_URL is the address of all upstreams, UNDERSTUDY_URL_DOG_CEO the base
    URL of the upstream dog-ceo, and so on. The port is any that is free.

    Findings are: a request that no contract answers, with those that come nearest;
    no request at all; a case of --require that was not asked for; a command that
    exits with anything but 0 or is ended by a signal; and one that is still running
    after --timeout, which is ended with all it has started. A command with a time
    limit reads nothing on stdin.

    Tests that run at the same time take a session each: a client whose base URL is
    $UNDERSTUDY_URL/~worker-3/dog-ceo/api has cases, scripts and state of its own.
    While the command runs, a test chooses the case it needs by the admin API, in
    either of these ways:

      curl -X PUT -d '{"case": "not-found"}' \\
        $UNDERSTUDY_URL/~worker-3/__understudy/contracts/dog-ceo/random-images/case
      understudy use --session worker-3 dog-ceo/random-images=not-found

    POST /__understudy/reset forgets what was chosen, GET /__understudy/journal
    lists the requests, and GET /__understudy/openapi.json describes the rest.
    --case and --script choose what is played from the start.

    With --each-case the command also finds UNDERSTUDY_CASE, such as
    dog-ceo/random-images#not-found, and each run has a fake of its own. It has to
    ask for the case and exit with 0 if it took it well. A star stands for any
    letters; dog-ceo means every case of the upstream, dog-ceo/random-images every
    case of the contract.

    With --consumer the command is run once for each case that says under "expect"
    how the consumer of this name must end, with the case in force: with which exit
    code, what it must have printed, and how many requests it sends. What an
    "expect" does not speak of is listed as not exercised; --each-case leaves out
    all other cases. The verdict is a report as of "understudy test", for programs
    too.

    --report writes the verdict on each case with --consumer and with --each-case.
    SIGINT, SIGTERM or SIGHUP goes on to the command and ends the run with a report
    of what is known.

    What the command prints stays as it is; the verdict follows on stderr. With
    --format json one object is printed on stdout, and the command prints on stderr.
    With --consumer its keys are those "understudy test --help" names. Without, they
    are: command, problems, requests, interrupted (a signal), runs, an array of
    objects with case, exitCode, signal, requests and findings (message, fix and
    nearest); missing, the cases of --require nobody asked for; and asked, how often
    each case was played. What is not there is null.

    Arguments:
      COMMAND  The command, and what it is given; after --, so that its options are
               its own. May be given more than once.

    Options:
          --contracts PATH          A folder of contracts, one of its upstreams, or
                                    a contract; without it, Contracts. May be given
                                    more than once.
          --require CASES           Cases the command has to ask for:
                                    'dog-ceo/random-*', '*#not-found'. May be given
                                    more than once.
          --each-case CASES         Run the command once for each of these cases,
                                    with the case in force. May be given more than
                                    once.
          --consumer NAME           Hold the command against what contracts expect
                                    of this one of consumers.json.
          --case CONTRACT=CASE      Play this case: dog-ceo/random-images=malformed.
                                    May be given more than once.
          --script CONTRACT=SCRIPT  Play this script of a contract. May be given
                                    more than once.
          --time-scale FACTOR       Multiplies every delay; 0 leaves them out.
                                    Without it: 1.
          --seed NUMBER             Where everything that is drawn at random begins.
                                    Without it: 0.
          --timeout TIME            How long the command may take each time.
                                    Default: 5m with --each-case, 30s after the
                                    answer with --consumer, else no limit.
          --report KIND=PATH        Write a report: console, junit, json, markdown,
                                    github, sarif, tap, html, issue, badge. Without
                                    =PATH it is printed. May be given more than
                                    once.
          --format FORMAT           How to print the result. One of text or json.
                                    Without it: text.
      -h, --help                    Show this help.

    Examples:
      understudy run -- ./test-client
          Run a test beside a fake of the contracts below ./Contracts.
      understudy run --require 'dog-ceo/*#ok' -- ./test-client
          The same, and it has to ask for these cases.
      understudy run --each-case dog-ceo --time-scale 0 -- ./test-client
          Run it once for each way the upstream may answer, without delays.
      understudy run --each-case dog-ceo --report junit=run.xml -- ./test-client
          The same with all delays, and leave a report for CI.
      understudy run --consumer dogs-cli -- ./test-client
          Hold a command against what contracts expect of it, case by case.

    Exit codes:
      0  No findings, and the command exited with 0, each time.
      1  Findings, of which the command's own failure is one.
      2  Could not run: wrong usage, contracts with errors, or a command that cannot
         be started.
      3  No findings until a signal ended the command early, or something could not
         be judged.

    """
}
