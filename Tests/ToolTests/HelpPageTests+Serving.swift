@testable import UnderstudyTool

extension HelpPageTests {
  static let serve = """
    Serves contracts as a fake of their upstreams.

    Usage: understudy serve [OPTIONS] [SELECTION...]

    Every upstream responds below its name, /dog-ceo/…, under the Host of its live
    API, and with --ports on its own port. The case served is the one the request
    prefers (Prefer: example=not-found, or Prefer: code=404), else the next of a
    script, else the one chosen by --case, else the first whose "when" matches, else
    the default.

    Changed files are reloaded: valid contracts take effect at once; errors are
    reported and the old contracts stay. Ctrl-C or SIGTERM stops the server once
    open requests are served, after five seconds at most; a second one stops it at
    once.

    The dashboard is a page that shows each request as it arrives, and chooses,
    holds and scripts what is served; --open opens it in a browser.

    Prints its address and a line for every request, with the nearest contracts if
    none responds; with --quiet no lines for requests. A terminal shows up to 200
    requests a second and counts the others by case. With --format json every line
    is an object with the key event: listening (url, page, upstreams), request
    (time, method, target, contract, case, status, delay and delayConfigured in
    milliseconds, bytes, outcome, message, nearest), dropped (requests that came too
    fast to print), reloaded (changes, upstreams), rejected (message, diagnostics),
    recorded (files), unrecorded (message, diagnostics) or stopped (requests).
    Missing values are null.

    With --record, unmatched requests go to the live API: the client gets its
    response, and a contract is written, as by "understudy record", and responds
    from then on. A contract recorded in this run serves only requests that were
    recorded; others go to the live API too. With --record-all every request goes
    there, and contracts recorded in this run learn from each response. Requests
    that are not recorded are printed with the reason. --upstream NAME=URL adds a
    new upstream. Pages of another site may send requests to a live API only if
    --allow-origin names it. If other machines can reach the server, such requests
    need the admin token in the header Understudy-Token, which is not forwarded.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER            The folder of contracts. Default: Contracts.
                                        Also read from UNDERSTUDY_CONTRACTS.
          --port PORT                   The port to listen on; 0 takes a free one.
                                        Default: 8080.
          --bind ADDRESS                The address to listen on. An address that
                                        other machines can reach needs an admin
                                        token of at least 16 characters. Default:
                                        127.0.0.1.
          --admin-token TOKEN           The token required by the admin API. Better
                                        set the variable, since other users can see
                                        a program's arguments. Also read from
                                        UNDERSTUDY_ADMIN_TOKEN.
          --ports                       Give each upstream its own port, in
                                        alphabetical order after --port.
          --case CONTRACT=CASE          Serve this case:
                                        dog-ceo/random-images=malformed. Repeatable.
          --script CONTRACT=SCRIPT      Serve this script of a contract. Repeatable.
          --scenario UPSTREAM=SCENARIO  Serve this scenario of an upstream.
                                        Repeatable.
          --time-scale FACTOR           Multiplies every delay; 0 leaves them out.
                                        Default: 1.
          --seed NUMBER                 The seed of all random choices. Default: 0.
          --cors                        Allow pages of any site to read the
                                        responses.
          --allow-origin URL            Allow pages of this site to read the
                                        responses, and to send requests that are
                                        recorded. Repeatable.
          --rewrite-links               Rewrite links to the live APIs in responses
                                        to point here.
          --no-names                    Leave out the headers that name a response's
                                        contract and case.
          --allow-save                  Let clients write the contracts that they
                                        made to files.
          --open                        Open the dashboard in a browser.
      -q, --quiet                       Print no lines for requests.
          --threads COUNT               The number of server threads. Default: 1.
          --connections COUNT           The maximum number of clients per thread.
                                        Default: 20000.
          --head-bytes SIZE             The maximum size of a request's head.
                                        Default: 32K.
          --body-bytes SIZE             The maximum size of a request's body.
                                        Default: 16M.
          --headers COUNT               The maximum number of header lines of a
                                        request. Default: 100.
          --idle-time TIME              The time limit of a connection without a
                                        request. Default: 75s.
          --request-time TIME           The time limit of a request from its first
                                        byte to its last. Default: 30s.
          --journal COUNT               The number of recent requests each thread
                                        remembers. Default: 10000.
          --sessions COUNT              The number of sessions (/~NAME/…)
                                        remembered; beyond it the least recently
                                        used is forgotten. Default: 1000.
          --format FORMAT               How to print the result. One of text or
                                        json. Default: text.
          --record                      Forward unmatched requests to the live API,
                                        and write contracts from the responses.
          --record-all                  Forward and record every request, even if a
                                        contract responds to it.
          --upstream NAME               The upstream to record; NAME=URL adds a new
                                        one. Default: all. Repeatable.
          --wiremock FOLDER             Serve WireMock's stubs instead: a folder
                                        with mappings and __files. Paths begin at
                                        the root, and /__admin responds to
                                        WireMock's clients.
          --global-response-templating  With --wiremock: every response has
                                        expressions, not only those of stubs that
                                        say so.
          --color WHEN                  When to print in colour. One of auto, always
                                        or never. Default: auto.
      -h, --help                        Show this help, or with -h its beginning.

    Examples:
      understudy serve
          Serve the contracts below ./Contracts on port 8080.
      understudy serve --port 0 --case dog-ceo/random-images=not-found
          Serve them on any free port, one contract with this case.
      understudy serve --record --upstream users=https://api.example.com/v1
          Serve them, and record requests to /users/v1/….
      understudy serve --wiremock src/test/resources
          Serve the stubs that WireMock has there, at the same paths.

    Exit codes:
      0  The server was stopped.
      2  Could not run: wrong usage, contracts with errors, or an address already in
         use.

    """

  static let explain = """
    Shows which contract and case response a request, or why none does.

    Usage: understudy explain [OPTIONS] REQUEST [SELECTION...]

    Shows what a newly started server would serve; scripts, chosen cases and state
    of a running server are not known. The method defaults to GET. A full URL
    selects its upstream by host.

    With --format json one object is printed. Its keys: contract, file, case,
    status, reason, message and nearest, an array of objects with contract, request
    and differences. Missing values are null.

    Arguments:
      REQUEST    The request to a fake: 'GET /dog-ceo/api/breeds/list/all'.
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
      -H, --header HEADER     A header line: 'Prefer: code=404'. Repeatable.
      -d, --data BODY         The body of the request.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy explain 'GET /dog-ceo/api/breed/hound/images/random'
          Show which contract below ./Contracts responds to this.
      understudy explain https://dog.ceo/api/breed/hound/images/random
          The same for a request to the live API's address.

    Exit codes:
      0  A contract responds.
      1  No contract matches, or none as the request prefers.
      2  Could not run: wrong usage, a path without contracts, or contracts with
         errors.

    """
}
