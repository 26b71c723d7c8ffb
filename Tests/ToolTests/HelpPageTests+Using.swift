@testable import UnderstudyTool

extension HelpPageTests {
  static let use = """
    Tells a running server which cases to play.

    Usage: understudy use [OPTIONS] [CONTRACT=CASE...]

    For apps that cannot send a Prefer header: from now on every request to the
    contract gets the case, until another is chosen or the server is reset. The
    server checks all names; what stood before a wrong one is done.

    With --format json one object is printed when all is done. Its keys: reset, true
    or false, and contracts, an array of objects with contract, case and chosen,
    which is false for one that plays what it does by itself.

    Arguments:
      CONTRACT=CASE  Play this case: dog-ceo/random-images=not-found. May be given
                     more than once.

    Options:
          --default CONTRACT   Let this contract play what it does by itself. May be
                               given more than once.
          --reset              First forget cases, scripts, state and journal, and
                               break answers under way off.
          --url URL            Where the server is, as it printed when it started.
                               Without it: http://127.0.0.1:8080. Also from
                               UNDERSTUDY_URL.
          --session NAME       Change only what clients of /~NAME/… get.
          --admin-token TOKEN  What requests to the admin API must show. Better set
                               the variable: others can see how a program was
                               started. Also from UNDERSTUDY_ADMIN_TOKEN.
          --format FORMAT      How to print the result. One of text or json. Without
                               it: text.
      -h, --help               Show this help.

    Examples:
      understudy use dog-ceo/random-images=not-found
          Let the server on port 8080 answer so.
      understudy use --reset --session worker-3
          Let one session start afresh.

    Exit codes:
      0  The server plays as told.
      2  Could not run: wrong usage, no server there, or a name it does not know.

    """
}
