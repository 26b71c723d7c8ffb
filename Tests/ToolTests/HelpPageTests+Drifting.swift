@testable import UnderstudyTool

extension HelpPageTests {
  static let drift = """
    Compares the live APIs with the contracts.

    Usage: understudy drift [OPTIONS] [SELECTION...]

    Sends the requests of all cases that have "live" to the live APIs, and reports
    what has changed, how severe it is, on which line of which contract, and whether
    the services still work. Services with expectations send their own requests;
    drift sends the others. A service is checked by kind: a value, or which error.

    error is a change that broke a service that reads it. warning is a change that a
    service reads and handles, or that may have consumers. A note is a change that
    no service reads, or an addition.

    An apparent change is requested again. Values that differ from response to
    response are not a change. Types, fields, headers or a status that only some
    responses have are intermittent, and are reported with their frequency. If some
    responses broke a service, that stays a finding until three runs have passed
    without it. --samples compares more responses.

    An upstream that is down, limits requests or refuses access is not a change: the
    case could not be checked. Requests respect "rate" in upstream.json, over all
    runs that the history has, and the pauses that an upstream asks for, and never
    wait beyond --deadline. If the rate allows fewer requests than a run needs, the
    cases that have waited longest come first, and the report says how many runs a
    round takes. The last eighth of the rate, and at least one of two requests,
    waits while a request may have to be repeated.

    An upstream gets no more requests in a run after three time-outs in a row.
    Requests that fail and succeed when repeated turn nothing red: the report says
    how many failed, as a warning from "failedPercent" in upstream.json on.

    --dry-run sends nothing and shows the requests of a run: which, to which
    upstream, how many, and how long they take at its rate. The requests of services
    are those that they send when the contracts respond. With --format json one
    object is printed. Its keys: upstreams, an array of objects with name, baseURL,
    rateRequests, ratePeriodMilliseconds, cases, casesInThisRun, runsPerRound,
    durationMilliseconds and requests (case, consumer, method, url); notRequested,
    an array of objects with case, consumer and reason. Missing values are null.

    Responses with an ETag are revalidated: after a 304, the response stored by an
    earlier run is used. Repeated requests always fetch the response, and so does
    every request once a week. A service that sends its own conditions gets the
    response to them.

    A redirect is not a change: its target is checked, and the redirect is reported.
    A service follows redirects as its own requests say. Up to five are followed,
    but none from https to http, from a public name to an IP address or a local
    name, or with a request that could change something on another host. A redirect
    that is not followed is a change, and a service that would have followed it
    could not be checked.

    Secrets come from the environment, by the names in upstream.json, which begin
    with UNDERSTUDY_ and the upstream's name, and are sent only to the address that
    file declares. Whoever can change the file can change the address: with --secret
    UNDERSTUDY_GITHUB_TOKEN=api.github.com nothing is sent if it is another one. If
    a required secret is missing, a case is not exercised. Output, captured
    responses and contracts never show a secret, however a response encodes it.
    Secrets shorter than four bytes are not masked.

    --accepted names a file of known drift: [{ "contract": "github/repo", "case":
    "ok", "type": "schema-field-removed", "path": "/language", "reason": "…",
    "until": "2027-01-31" }]. "case" and "path" are optional. In a path, * matches
    any key or index, and an index matches any index. Matching findings are notes
    until the end of that day.

    The responses of the last 30 runs are kept in .understudy/drift/captures, with
    secrets redacted. --replay checks those of one run again, except for services
    that fail after reading a redacted value. The result of each check is a line in
    .understudy/drift/history.jsonl, which `understudy history` shows. Results with
    --base-url are not recorded unless --history names a file.

    --against compares the contracts with an OpenAPI document (3.0 or 3.1) instead:
    what it allows and a case does not, and what a contract says and it does not
    allow. Nothing is sent, so all good cases are checked. Services get the
    document's examples, and responses made from its schemas: complete, with only
    what is required, with null wherever it is allowed, with each alternative and
    each listed value. Values, times and optional headers are not compared. Without
    NAME, the document describes the upstream whose "baseURL" is its first server,
    or the only upstream. Neither responses nor history are kept.

    --update makes each changed case what the API responded, as a whole or not at
    all: its schema with the smallest edits, its example as it was sent, and the
    values expected of services. Examples of cases that are "like" it follow. It
    reports what it left unchanged and why, and what understudy lint and understudy
    test now find. Accepted drift and files edited during the run are left
    unchanged. With --dry-run it prints a diff for `git apply` instead; the requests
    are sent, and history and captured responses kept. The exit code is that of the
    run, or 2 when a file could not be updated.

    --add-cases leaves schemas and examples unchanged, and adds each changed
    response to its contract as a new case, named after the day, with the current
    results of the services. With --replay it uses the responses of an earlier run.

    SIGINT, SIGTERM or SIGHUP interrupts a run: responses received so far are kept
    and reported, and the rest could not be checked. A second signal ends it at
    once.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), a
                 case (joke/random-joke#ok), with * for any text; or a path.
                 Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER     The folder of contracts. Default: Contracts. Also
                                 read from UNDERSTUDY_CONTRACTS.
          --base-url [NAME=]URL  Use this address instead of an upstream's live API,
                                 without its secrets. NAME may be left out where one
                                 upstream is selected. Repeatable.
          --secret NAME=HOST     Send nothing if this secret would go to another
                                 host, or not over HTTPS, whatever upstream.json
                                 says. HOST may also be an origin, such as
                                 http://127.0.0.1:8080. Repeatable.
          --require-secrets      Fail when an upstream's secret is not set.
          --timeout TIME         The time limit of each request. Default: 30s.
          --fail-on SEVERITY     The lowest severity that fails the run. One of
                                 error, warning or note. Default: error.
          --confirm TIME         The wait before an apparent change is requested
                                 again. Default: 30s.
          --samples COUNT        The number of responses compared for each case; the
                                 last is requested only if another shows a change.
                                 Default: 2.
          --deadline TIME        The time limit of the run, even if upstreams ask
                                 for longer pauses. Default: 600s.
          --outage-runs COUNT    The number of runs in a row after which an upstream
                                 or case that could not be checked is a finding.
                                 Default: 3.
          --accepted FILE        A file of known drift, with reasons and last days.
          --against [NAME=]PATH  Compare an upstream's contracts with this OpenAPI
                                 document, without sending requests. Repeatable.
          --update               Write the changes into the contracts.
          --add-cases            Add the changed responses to the contracts as new
                                 cases.
          --dry-run              Send nothing, and show the requests of a run. With
                                 --update or --add-cases: print the changes as a
                                 diff instead of making them.
          --replay DIR           Check the responses of an earlier run again,
                                 without sending requests.
          --history FILE         The history file; it also records upstreams given
                                 by --base-url. Default:
                                 .understudy/drift/history.jsonl.
          --report KIND=PATH     Write a report: console, junit, json, markdown,
                                 github, sarif, tap, html, issue, badge. Without
                                 =PATH it is printed. Repeatable.
      -v, --verbose              Also list what was not exercised, and why.
          --format FORMAT        How to print the result. One of text or json.
                                 Default: text.
          --color WHEN           When to print in colour. One of auto, always or
                                 never. Default: auto.
      -h, --help                 Show this help, or with -h its beginning.

    Examples:
      understudy drift
          Compare every live case.
      understudy drift joke --base-url joke=http://127.0.0.1:8080/joke --confirm 0s
          Use a server of your own for the jokes.
      understudy drift --dry-run
          Show which requests a run would send.
      understudy drift --update --dry-run
          Show how the contracts would have to change.
      understudy drift --add-cases --dry-run
          Show the changed responses as new cases.
      understudy drift --against joke=openapi.json
          Compare all contracts of joke with a document.
      understudy drift --require-secrets --fail-on warning --report junit=drift.xml
          Be strict, and write a report for CI.

    Exit codes:
      0  The live APIs, or the documents, match the contracts.
      1  Something has changed, or nothing was exercised.
      2  Could not run: wrong usage, contracts with errors, names that match
         nothing, an invalid document or file of accepted drift, or another run in
         progress.
      3  No change was found, but something could not be checked.

    """
}
