@testable import UnderstudyTool

extension HelpPageTests {
  static let call = """
    Sends a contract's request, and holds the answer against its schema.

    Usage: understudy call [OPTIONS] CONTRACT

    The request is the one that "understudy drift" sends: the contract's, with the
    parameters of its example or of the case's "live". The answer is held against
    the schema of the case with its status: of several, the one that was asked for
    or else the first.

    Only the live API is told the secrets that upstream.json names, which come from
    the environment. Redirects are shown, not followed. What looks like a secret in
    the answer is masked.

    With --format json one object is printed. Its keys: contract, case (the one
    whose schema counts), method, url, status, headers (an array of objects with
    name and value), body (JSON) or text, durationNanoseconds, verdict (pass, fail
    or couldNotCheck), reason, and violations, an array of objects with path, line,
    column and message, and schemaLine and schemaColumn in file. Missing values are
    null.

    Arguments:
      CONTRACT  The contract, such as joke/random-joke.

    Options:
          --contracts PATH        A folder of contracts, one of its upstreams, or a
                                  contract. Without it: Contracts. May be given more
                                  than once.
          --parameter NAME=VALUE  A value in place of the contract's:
                                  path.org=apple, query.page=2, or org=apple where
                                  no other parameter has the name. May be given more
                                  than once.
          --case CASE             The case to ask for. A fake plays it; a live API
                                  is sent its request.
          --base-url URL          Where the upstream is: the address of a fake or
                                  another server, or live for the API that
                                  upstream.json names. Without it: a fake that is
                                  started for this call.
          --timeout TIME          How long the call may take. Without it: 30s.
          --format FORMAT         How to print the result. One of text or json.
                                  Without it: text.
      -h, --help                  Show this help.

    Examples:
      understudy call joke/random-joke
          Call a fake of the contract.
      understudy call dog-ceo/random-images --parameter count=5 --case empty
          The same with another parameter, for another case.
      understudy call joke/random-joke --base-url http://127.0.0.1:8080/joke
          Call the server that "understudy serve" started.

    Exit codes:
      0  The answer keeps its schema, or its case has none.
      1  The answer breaks its schema, or no case has its status.
      2  Could not run: wrong usage, contracts with errors, or a secret that is not
         set.
      3  There was no whole answer.

    """
}
