@testable import UnderstudyTool

extension HelpPageTests {
  static let call = """
    Sends a contract's request and checks the response against its schema.

    Usage: understudy call [OPTIONS] [CONTRACT]

    The request is the one that "understudy drift" sends: the contract's, with the
    parameters of its example or of the case's "live". The response is checked
    against the schema of the case with the same status. If several cases have it,
    the requested one counts, or else the first.

    Secrets named in upstream.json come from the environment and are sent to the
    live API only, and to no other host than --secret says. Redirects are shown, not
    followed. Anything in the response that looks like a secret is masked.

    With --format json one object is printed. Its keys: contract, case (the one
    whose schema counts), method, url, status, headers (an array of objects with
    name and value), body (JSON) or text, durationNanoseconds, result (pass, fail or
    couldNotCheck), reason, and violations, an array of objects with path, line,
    column, message, file, schemaLine and schemaColumn. Missing values are null.

    Arguments:
      CONTRACT  The contract, such as joke/random-joke, or one of its cases:
                joke/random-joke#not-found. A fake serves the case; a live API
                receives its request. Default: that of UNDERSTUDY_CASE, which a
                command of consumers.json gets.

    Options:
      -C, --contracts FOLDER      The folder of contracts. Default: Contracts. Also
                                  read from UNDERSTUDY_CONTRACTS.
          --parameter NAME=VALUE  Replaces a value of the contract: path.org=apple,
                                  query.page=2, or org=apple if no other parameter
                                  has that name. Repeatable.
          --base-url URL          The address of a fake or another server, or live
                                  for the API in upstream.json. Default: the fake of
                                  the environment, as "understudy run" sets it, or
                                  else one started for this call.
          --secret NAME=HOST      Send nothing if this secret would go to another
                                  host, or not over HTTPS, whatever upstream.json
                                  says. HOST may also be an origin, such as
                                  http://127.0.0.1:8080. Repeatable.
          --timeout TIME          The time limit of the call. Default: 30s.
          --format FORMAT         How to print the result. One of text or json.
                                  Default: text.
          --color WHEN            When to print in colour. One of auto, always or
                                  never. Default: auto.
      -h, --help                  Show this help, or with -h its beginning.

    Examples:
      understudy call joke/random-joke
          Call a fake of the contract.
      understudy call dog-ceo/random-images#empty --parameter count=5
          Use another parameter, and serve another case.
      understudy call joke/random-joke --base-url http://127.0.0.1:8080/joke
          Call the server that "understudy serve" started.

    Exit codes:
      0  The response matches its schema, or its case has none.
      1  The response violates its schema, or no case has its status.
      2  Could not run: wrong usage, contracts with errors, or a secret that is not
         set.
      3  No complete response was received.

    """
}
