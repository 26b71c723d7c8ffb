@testable import UnderstudyTool

extension HelpPageTests {
  static let use = """
    Tells a running server which cases to play.

    Usage: understudy use [OPTIONS] [CONTRACT=CASE...]

    For apps that cannot send a Prefer header: from now on every request to the
    contract gets the case, until another is chosen or the server is reset. The
    server checks all names; changes before a wrong name take effect.

    With --hold the contract's answers wait until --release, so that you can watch
    an app meanwhile. Each waits five minutes at most.

    With --format json one object is printed when all is done. Its keys: reset, true
    or false, and contracts, an array of objects with contract, case, chosen, which
    is false for a contract without a chosen case, and held.

    Arguments:
      CONTRACT=CASE  Play this case: dog-ceo/random-images=not-found. Repeatable.

    Options:
          --default CONTRACT   Clear the chosen case of this contract. Repeatable.
          --hold CONTRACT      Hold the answers of this contract until they are
                               released. Repeatable.
          --release CONTRACT   Release the held answers of this contract, and hold
                               no more. Repeatable.
          --reset              First clear cases, scripts, state and journal, and
                               cancel open answers.
          --url URL            The address that the server printed when it started.
                               Default: http://127.0.0.1:8080. Also read from
                               UNDERSTUDY_URL.
          --session NAME       Change only this session, for clients of /~NAME/….
          --admin-token TOKEN  The token required by the admin API. Better set the
                               variable, since other users can see a program's
                               arguments. Also read from UNDERSTUDY_ADMIN_TOKEN.
          --format FORMAT      How to print the result. One of text or json.
                               Default: text.
      -h, --help               Show this help.

    Examples:
      understudy use dog-ceo/random-images=not-found
          Make the server on port 8080 play this case.
      understudy use --hold joke/random-joke
          Let every client of this contract wait.
      understudy use --reset --session worker-3
          Reset one session.

    Exit codes:
      0  The server plays the chosen cases.
      2  Could not run: wrong usage, no server there, or an unknown name.

    """
}
