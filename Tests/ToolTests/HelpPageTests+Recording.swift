@testable import UnderstudyTool

extension HelpPageTests {
  static let record = """
    Makes contracts from the answers of a live API.

    Usage: understudy record [OPTIONS] URL...

    Asks for each URL several times, and shows what it makes of the answers; with
    --write it writes that. Schemas are inferred from all of them: what may be
    missing, what may be null, formats. Numbers, UUIDs and the like in a path are
    taken for parameters, so that /users/1 and /users/2 are one contract; --path
    decides otherwise. An answer of another status becomes a case of its own, and so
    does another value of a parameter. It asks by GET: what is sent by other
    methods, bodies and all, "understudy serve --record" records.

    Headers of the connection are left out, and whatever differs from one answer to
    the next. Values of members, headers and parameters that carry credentials are
    masked or left out, and so is what was sent as a secret. Where the upstream is
    there already, its headers and secrets are sent.

    With --format json one object is printed when all is done. Its keys: written,
    true or false; upstreams, an array of objects with upstream, baseURL, contracts,
    notRecorded, findings and refusals; files, an array of objects with file and
    change, "write" or "remove"; and unanswered, what was asked for in vain. An
    entry of contracts has contract, method, path, fate, guesses, cases, scripts,
    leftOut, differs, masked and notLive.

    What was recorded passes "understudy lint" and is asked of the new contracts at
    once: a request that does not get the same status, body and headers is listed as
    not recorded, with the reason. A request that had several answers gets a script
    of them. A case has a live side only if "understudy drift" can send the same
    request. A contract that is there gets a case for each status it does not have,
    and nothing else without --force, which also removes files with bodies that
    nothing needs any more.

    Arguments:
      URL  What to ask for: several of one endpoint become one contract. May be
           given more than once.

    Options:
          --into FOLDER    The folder of contracts to write to. Without it:
                           Contracts.
          --upstream NAME  What the upstream is called; NAME=URL also gives its base
                           URL. Without it: by its host.
          --samples COUNT  How often to ask for each, to see what changes. Without
                           it: 3.
          --path PATH      The path of a contract, such as '/users/{name}', instead
                           of the guess. May be given more than once.
          --header LINE    A header to send: 'Accept: text/html'. One that carries
                           credentials is never written. May be given more than
                           once.
          --timeout TIME   How long each answer may take. Without it: 30s.
          --force          Write contracts anew that are there already.
          --write          Write the files, rather than to say what they would be.
          --format FORMAT  How to print the result. One of text or json. Without it:
                           text.
      -h, --help           Show this help.

    Examples:
      understudy record http://127.0.0.1:8080/users/1 http://127.0.0.1:8080/users/2
          See what would be recorded, as one contract for both.
      understudy record --write --upstream users http://127.0.0.1:8080/users/1
          Write Contracts/users/upstream.json and a contract beside it.

    Exit codes:
      0  Recorded, or nothing stands in the way of it.
      1  Some request is not recorded, or lint finds errors; the others are
         recorded.
      2  Could not run: wrong usage, or a folder that cannot be written.
      3  For some URL there was no whole answer; the others are recorded.

    """
}
