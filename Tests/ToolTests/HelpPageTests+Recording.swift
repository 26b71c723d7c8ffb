@testable import UnderstudyTool

extension HelpPageTests {
  static let record = """
    Makes contracts from the responses of a live API.

    Usage: understudy record [OPTIONS] URL...

    Requests each URL several times and writes contracts from the responses. Schemas
    are inferred from all responses: optional members, nullable values, formats.
    Numbers, UUIDs and the like in a path become parameters, so that /users/1 and
    /users/2 are one contract; --path overrides this. Each status and each value of
    a parameter becomes its own case. All requests are GET; "understudy serve
    --record" records other methods and their bodies.

    Connection headers are left out, and so are headers that differ from one
    response to the next. Members, headers and parameters with credentials are
    masked or left out, and so are the secrets sent. If the upstream already exists,
    its headers and secrets are sent, a secret to no other host than --secret says.

    With --format json one object is printed when all is done. Its keys: written,
    true or false; upstreams, an array of objects with upstream, baseURL, contracts,
    notRecorded, findings and refusals; files, an array of objects with file and
    change, "write" or "remove"; and withoutResponse, the URLs without a response.
    An entry of contracts has contract, method, path, fate, guesses, cases, scripts,
    leftOut, differs, masked and notLive.

    The new contracts pass "understudy lint" and are served at once: a request that
    does not get the same status, body and headers is listed as not recorded, with
    the reason. A request with several responses gets a script of them. A case has
    "live" only if "understudy drift" can send the same request. An existing
    contract gets a case for each new status, and nothing else without --force,
    which also removes body files no longer needed.

    Arguments:
      URL  The URLs to request; several of one endpoint become one contract.
           Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --upstream NAME     The upstream's name; NAME=URL also sets its base URL.
                              Default: derived from the host.
          --samples COUNT     How often to request each URL, to see which values
                              change. Default: 3.
          --path PATH         The path of a contract, such as '/users/{name}',
                              instead of a guess. Repeatable.
      -H, --header HEADER     A header to send: 'Accept: text/html'. Credentials are
                              never written. Repeatable.
          --secret NAME=HOST  Send nothing if this secret would go to another host,
                              or not over HTTPS, whatever upstream.json says. HOST
                              may also be an origin, such as http://127.0.0.1:8080.
                              Repeatable.
          --timeout TIME      The time limit of each response. Default: 30s.
          --force             Replace existing contracts.
          --dry-run           Show what would be written, and write nothing.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy record --dry-run http://127.0.0.1:8080/users/1
          Show what would be recorded.
      understudy record --upstream users http://127.0.0.1:8080/users/1
          Write Contracts/users/upstream.json and a contract beside it.

    Exit codes:
      0  Recorded, or with --dry-run: can be recorded.
      1  A request was not recorded, or lint finds errors; the others are recorded.
      2  Could not run: wrong usage, or a folder that cannot be written.
      3  A URL had no complete response; the others are recorded.

    """

  static let importing = """
    Makes contracts from the files of other tools.

    Usage: understudy import [OPTIONS] PATH...

    Reads a HAR, the traffic that Chrome, Firefox, Safari, Proxyman, Charles or
    mitmproxy have exported, an OpenAPI document, or WireMock's stub mappings with
    their __files. Writes contracts. The format is seen from the content, or named
    before the files: "understudy import har app.har". Of a folder, its folders
    named mappings are read, or else whatever in it is of a known format.

    One HAR has many hosts. Those with JSON responses become upstreams, with their
    JSON, their errors, redirects and empty responses; --all takes everything else,
    too, and --only-host and --upstream choose. As "understudy record" does, it
    makes one contract of /users/1 and /users/2, infers schemas, masks credentials,
    and leaves out headers of the connection. The same request with several
    responses gets a script of them in the order of the file.

    Each operation of an OpenAPI document (3.0 or 3.1) becomes a contract, and each
    response a case. Named examples are cases of their own; where there is none, one
    is made that the schema allows. Slow, broken and malformed cases are added, and
    a case for each parameter and body that a request may have wrong, which get a
    400. References lead to other files in the document's folder.

    Stubs for one method and path become a contract, with a case for each: by
    priority, then the newest first. Their upstream is "wiremock" unless --upstream
    names another; where there are several folders named mappings, each becomes an
    upstream. Another import rewrites the contracts of stubs that have changed.

    Whatever a contract cannot say is reported with its file, line and reason: it is
    left out, widened, narrowed, or skipped as the options say. Only what has
    changed is written. From a HAR, an existing contract gets a case for each new
    status; --force replaces it.

    With --format json one object is printed. Its keys: written, true or false;
    drafts, an array of objects with contract, method, path, fate, cases and
    remarks; changes, an array of objects with file and change, "write" or "remove";
    and notes, an array of objects with kind, reason, count and places, each with
    file, line, column, pointer and subject.

    Arguments:
      PATH  Files and folders to import, optionally after their format: har, openapi
            or wiremock. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --upstream NAME     The upstream to import into. With NAME=URL, only what
                              is beneath the URL is imported; for OpenAPI and
                              WireMock it is where the live API is. Default: derived
                              from the hosts.
          --only-host HOST    Import only this host: api.example.com, or
                              127.0.0.1:3000. Repeatable.
          --all               Also import responses that are not JSON.
          --path PATH         The path of a contract, such as '/users/{name}',
                              instead of a guess. Repeatable.
          --lenient           OpenAPI: response requests that the document forbids
                              as others, without a 400.
          --force             Replace existing contracts.
          --strict            Exit with 1 if anything was left out.
          --dry-run           Show what would be written, and write nothing.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy import app.har --dry-run
          Show what would be imported.
      understudy import app.har --only-host api.example.com --upstream shop
          Write Contracts/shop from the responses of one host.
      understudy import openapi.yaml --upstream pets
          Write Contracts/pets from an OpenAPI document.
      understudy import src/test/resources --upstream shop
          Write Contracts/shop from the stubs in mappings and __files there.

    Exit codes:
      0  Imported, or with --dry-run: can be imported.
      1  With --strict: something was left out; the rest is imported.
      2  Could not run: wrong usage, or a file that cannot be read or written.

    """

  static let exporting = """
    Writes requests to a running server, or contracts, in the format of other tools.

    Usage: understudy export [OPTIONS] FORMAT [SELECTION...]

    Writes the request log of a server as a HAR 1.2, which browsers, Proxyman and
    Charles open. Each entry names the contract and the case that responded as
    _contract and _case. Credentials are masked. Bodies of responses come from the
    contracts as they are now; those that depend on the request are missing.

    Writes the contracts of one upstream as an OpenAPI 3.1 document: schemas as they
    are, and the good cases as named examples. The rest, such as slow and broken
    cases and expectations, goes with each operation as x-understudy: importing the
    document gives the contracts back.

    Writes contracts as stub mappings of WireMock, with a stub for each case that a
    request prefers (Prefer: example=not-found), those that a "when" serves, and the
    default. What no stub can say is reported; the stubs carry the whole contract
    with them, so that importing them again gives it back.

    Arguments:
      FORMAT     What to write: the requests to a server as har, or contracts as
                 openapi or wiremock. One of har, openapi or wiremock.
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER   The folder of contracts. Default: Contracts. Also
                               read from UNDERSTUDY_CONTRACTS.
      -o, --output PATH        The file to write, printed by default, or the folder
                               of WireMock's stubs.
          --filter NAME=VALUE  Only requests that match, by a filter of the request
                               log: contract=joke/random-joke, status=404.
                               Repeatable.
          --url URL            The address that the server printed when it started.
                               Default: http://127.0.0.1:8080. Also read from
                               UNDERSTUDY_URL.
          --session NAME       Only the requests of this session.
          --admin-token TOKEN  The token required by the admin API. Better set the
                               variable, since other users can see a program's
                               arguments. Also read from UNDERSTUDY_ADMIN_TOKEN.
          --color WHEN         When to print in colour. One of auto, always or
                               never. Default: auto.
      -h, --help               Show this help, or with -h its beginning.

    Examples:
      understudy export har -o journal.har
          Write the request log of the server on port 8080.
      understudy export har --filter contract=joke/random-joke
          Print the requests to one contract.
      understudy export openapi joke -o joke.json
          Write an OpenAPI document of one upstream.
      understudy export wiremock joke -o stubs
          Write the contracts of an upstream to stubs/mappings and stubs/__files.

    Exit codes:
      0  Written, even if there was no request.
      2  Could not run: wrong usage, no server there, or a file that cannot be
         written.

    """
}
