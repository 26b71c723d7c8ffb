@testable import UnderstudyTool

extension HelpPageTests {
  static let use = """
    Tells a running server what to serve.

    Usage: understudy use [OPTIONS] [CONTRACT=CASE...]

    For apps that cannot send a Prefer header: from now on the case is served in
    place of the default, until another is chosen or the server is reset. Requests
    that the "when" of another case takes, such as those for page 2, keep theirs.
    The server checks all names; changes before a wrong name take effect.

    A mode says where responses come from: fake, from the contracts; live, from the
    live API, to which requests are forwarded, unrecorded; off, from nowhere:
    connections are reset, and on the upstream's own port (serve --ports) refused.
    The mode of a contract precedes that of its upstream, which precedes that of the
    server, '*'. A case of the contract that is named like a mode precedes the mode.

    With --hold the contract's responses wait until --release, so that you can watch
    an app meanwhile. Each waits five minutes at most.

    With --format json one object is printed when all is done. Its keys: reset, true
    or false; contracts, an array of objects with contract, case, mode, chosen,
    which is false where case and mode were cleared, and held; upstreams, an array
    of objects with upstream, mode and chosen; scenarios, an array of objects with
    upstream and scenario; and mode, that of the server if it was changed, else
    null.

    Arguments:
      CONTRACT=CASE  Serve this case: dog-ceo/random-images=not-found. Or set the
                     mode of a contract, an upstream or the server: dog-ceo=off,
                     '*=off'. Repeatable.

    Options:
          --default NAME                Clear the chosen case and the mode of this
                                        contract, or the mode of an upstream or the
                                        server. Repeatable.
          --scenario UPSTREAM=SCENARIO  Start this scenario of an upstream.
                                        Repeatable.
          --hold CONTRACT               Hold the responses of this contract until
                                        they are released. Repeatable.
          --release CONTRACT            Release the held responses of this contract,
                                        and hold no more. Repeatable.
          --reset                       First clear cases, scripts, modes, state and
                                        request log, and cancel open responses.
          --url URL                     The address that the server printed when it
                                        started. Default: http://127.0.0.1:8080.
                                        Also read from UNDERSTUDY_URL.
          --session NAME                Change only this session, for clients of
                                        /~NAME/….
          --admin-token TOKEN           The token required by the admin API. Better
                                        set the variable, since other users can see
                                        a program's arguments. Also read from
                                        UNDERSTUDY_ADMIN_TOKEN.
          --format FORMAT               How to print the result. One of text or
                                        json. Default: text.
          --color WHEN                  When to print in colour. One of auto, always
                                        or never. Default: auto.
      -h, --help                        Show this help, or with -h its beginning.

    Examples:
      understudy use dog-ceo/random-images=not-found
          Make the server on port 8080 serve this case.
      understudy use --hold dog-ceo/random-images
          Let every client of this contract wait.
      understudy use dog-ceo=live
          Forward requests for this upstream to its live API.
      understudy use --scenario restaurants=serve-through
          Start a scenario: scripts, state and modes of several contracts.
      understudy use '*=off'
          Let every connection fail, as if the network were down.
      understudy use --reset --session worker-3
          Reset one session.

    Exit codes:
      0  The server has changed.
      2  Could not run: wrong usage, no server there, or an unknown name.

    """
}
