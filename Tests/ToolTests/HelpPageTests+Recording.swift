@testable import UnderstudyTool

extension HelpPageTests {
  static let record = """
    Makes contracts from the answers of a live API.

    Usage: understudy record [OPTIONS] URL...

    Requests each URL several times and shows the contracts it would write; --write
    writes them. Schemas are inferred from all answers: optional members, nullable
    values, formats. Numbers, UUIDs and the like in a path become parameters, so
    that /users/1 and /users/2 are one contract; --path overrides this. Each status
    and each value of a parameter becomes its own case. All requests are GET;
    "understudy serve --record" records other methods and their bodies.

    Connection headers are left out, and so are headers that differ from one answer
    to the next. Members, headers and parameters with credentials are masked or left
    out, and so are the secrets sent. If the upstream already exists, its headers
    and secrets are sent.

    With --format json one object is printed when all is done. Its keys: written,
    true or false; upstreams, an array of objects with upstream, baseURL, contracts,
    notRecorded, findings and refusals; files, an array of objects with file and
    change, "write" or "remove"; and unanswered, the URLs without an answer. An
    entry of contracts has contract, method, path, fate, guesses, cases, scripts,
    leftOut, differs, masked and notLive.

    The new contracts pass "understudy lint" and are played at once: a request that
    does not get the same status, body and headers is listed as not recorded, with
    the reason. A request with several answers gets a script of them. A case has
    "live" only if "understudy drift" can send the same request. An existing
    contract gets a case for each new status, and nothing else without --force,
    which also removes body files no longer needed.

    Arguments:
      URL  The URLs to request; several of one endpoint become one contract.
           Repeatable.

    Options:
          --into FOLDER    The folder of contracts to write to. Default: Contracts.
          --upstream NAME  The upstream's name; NAME=URL also sets its base URL.
                           Default: derived from the host.
          --samples COUNT  How often to request each URL, to see which values
                           change. Default: 3.
          --path PATH      The path of a contract, such as '/users/{name}', instead
                           of a guess. Repeatable.
          --header LINE    A header to send: 'Accept: text/html'. Credentials are
                           never written. Repeatable.
          --timeout TIME   The time limit of each answer. Default: 30s.
          --force          Replace existing contracts.
          --write          Write the files instead of only listing them.
          --format FORMAT  How to print the result. One of text or json. Default:
                           text.
      -h, --help           Show this help.

    Examples:
      understudy record http://127.0.0.1:8080/users/1 http://127.0.0.1:8080/users/2
          Show what would be recorded, as one contract for both.
      understudy record --write --upstream users http://127.0.0.1:8080/users/1
          Write Contracts/users/upstream.json and a contract beside it.

    Exit codes:
      0  Recorded, or can be recorded.
      1  A request was not recorded, or lint finds errors; the others are recorded.
      2  Could not run: wrong usage, or a folder that cannot be written.
      3  A URL had no complete answer; the others are recorded.

    """
}
