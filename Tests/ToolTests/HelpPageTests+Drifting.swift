@testable import UnderstudyTool

extension HelpPageTests {
  static let drift = """
    Compares the live APIs with the contracts.

    Usage: understudy drift [OPTIONS] [GLOB...]

    Sends the requests of all cases that have "live" to the live APIs, by the
    services that expect something of them and otherwise by itself, and says what
    has changed, how badly, on which line of which contract, and whether the
    services still work. A service is judged by kind: a value, or which error.

    ERR is a change that a service reads and that has broken it; WARN one that it
    reads and has survived, or of which nobody knows who reads it; INFO one that
    nobody reads, and whatever is only new.

    What seems to have changed is asked again. Values that change from answer to
    answer are no change; types, fields, headers or a status that only some answers
    have are intermittent, and are reported with how often they were seen. What
    broke a service in some answers stays a finding until three nights have passed
    without it. --samples asks more often.

    An upstream that is away, asks to be left alone or refuses access is no change:
    the check could not be made. "rate" of upstream.json is kept, and what an
    upstream says about when it may be asked again; nothing waits longer than
    --deadline. Of the last period of a rate before the deadline an eighth, and at
    least one of two requests, is left for asking again.

    What has an ETag is asked for by it: as long as it holds, which a 304 says, the
    answer kept of an earlier run stands for it. Second answers are always sent, and
    every answer once a week; a service that has conditions of its own is sent what
    it asks for.

    A redirect is no change: what it leads to is judged, and the redirect told. A
    service follows as its own requests say. Up to five are followed, none from
    https to http, from a public name to a bare address or a local name, or with a
    request that could change something on another host. One that is not followed is
    a change, and a service that would have followed it could not be checked.

    Secrets come from the environment, by the names in upstream.json, and go to the
    address that file declares and nowhere else. Without one that is needed, a case
    is not exercised. What is printed, kept or written shows none of them, however
    an answer spells it; one of less than four bytes is not looked for.

    --accepted names a file of drift that is known: [{ "contract": "github/repo",
    "case": "ok", "type": "SCHEMA_FIELD_REMOVED", "path": "/language", "reason":
    "…", "until": "2027-01-31" }]. "case" and "path" may be left out; in a path, *
    is any key or index, and an index any index. What it names is shown as INFO
    until that day is over.

    The answers are kept in .understudy/drift/evidence, secrets redacted, those of
    the last 30 runs; --replay judges those of one run again, but for services that
    fail and read what was redacted. What each check came to is a line in
    .understudy/drift/history.jsonl, which `understudy history` shows; what an
    upstream asked by --base-url came to is none, unless --history names a file.

    --update writes what has changed into schema and example of the contracts by the
    smallest edit, and into the values that services are expected to make of that;
    it says what it leaves and why, and which checks of understudy test no longer
    hold. What was accepted stays as it is, and so does a file that somebody has
    edited meanwhile. With --dry-run it prints a diff for `git apply` instead. The
    exit code is that of the run, or 2 when a file could not be updated.

    --add-cases leaves schema and example as they are, and writes each answer that
    has changed into its contract as a case of its own, named by the day, with what
    the services make of it now: a test of what an API once did. With --replay it
    does so for an earlier run.

    SIGINT, SIGTERM or SIGHUP ends a run early: what had answered by then is kept
    and reported, and the rest could not be checked. A second signal ends it at
    once.

    Arguments:
      GLOB  Only these cases: joke, dog-ceo/random-images#ok, '*#reset'. May be
            given more than once.

    Options:
          --contracts PATH       A folder of contracts, one of its upstreams, or a
                                 contract. Without it: Contracts. May be given more
                                 than once.
          --base-url NAME=URL    Ask an upstream there instead of at its live API,
                                 and without its secrets. May be given more than
                                 once.
          --require-secrets      Fail when a secret that an upstream needs is not
                                 set.
          --timeout TIME         How long each request may take. Without it: 30s.
          --fail-on SEVERITY     The mildest finding that fails the run. One of ERR,
                                 WARN or INFO. Without it: ERR.
          --confirm TIME         After how long what seems to have changed is asked
                                 again. Without it: 30s.
          --samples COUNT        How many answers of a case are compared; the last
                                 is asked for only if one of the others shows a
                                 change. Without it: 2.
          --deadline TIME        When the run is over, whatever upstreams ask it to
                                 wait for. Without it: 600s.
          --outage-nights COUNT  After so many nights on which an upstream, or a
                                 case of it, could not be checked it is a finding.
                                 Without it: 3.
          --accepted FILE        Drift that is known, with a reason and the day
                                 until which it may stay.
          --update               Write what has changed into the contracts, and
                                 nothing else.
          --add-cases            Add the answers that have changed to the contracts,
                                 as cases of their own.
          --dry-run              With --update or --add-cases: print the changes as
                                 a diff instead of making them.
          --replay DIR           Judge the answers of an earlier run again, and ask
                                 nobody.
          --history FILE         Keep the history there, also of upstreams asked by
                                 --base-url. Without it:
                                 .understudy/drift/history.jsonl.
          --report KIND=PATH     Write a report: console, junit, json, markdown,
                                 github, sarif, tap, html, issue, badge. Without
                                 =PATH it is printed. May be given more than once.
          --format FORMAT        How to print the result. One of text or json.
                                 Without it: text.
      -h, --help                 Show this help.

    Examples:
      understudy drift
          Compare every live case.
      understudy drift joke --base-url joke=http://127.0.0.1:8080/joke --confirm 0s
          Ask a server of your own for the jokes.
      understudy drift --update --dry-run
          See what the contracts would have to say.
      understudy drift --add-cases --dry-run
          See what has changed as cases of their own.
      understudy drift --require-secrets --fail-on WARN --report junit=drift.xml
          Be strict, and leave a report for CI.

    Exit codes:
      0  The live APIs answer as the contracts say.
      1  Something has changed, or nothing was exercised.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, a broken file of accepted drift, or another run that is under way.
      3  Nothing has changed, as far as is known, but something could not be
         checked.

    """
}
