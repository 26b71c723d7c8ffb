@testable import UnderstudyTool

extension HelpPageTests {
  static let serve = """
    Plays contracts as a fake of their upstreams.

    Usage: understudy serve [OPTIONS] [PATH...]

    Every upstream answers beneath its name, /dog-ceo/…, under the Host of its live
    API, and with --ports on a port of its own. Which case is played: one the
    request prefers (Prefer: example=not-found, or Prefer: code=404), else the next
    of a script, else one chosen by --case, else the first whose "when" holds, else
    the default.

    Files that change are read again: sound contracts are live at once, broken ones
    are reported and the old set stays. Ctrl-C or SIGTERM ends the server when the
    requests under way are answered, after five seconds at most; a second one ends
    it at once.

    Prints where it listens and a line for every request; beneath one that no
    contract answers, which come nearest. With --format json every line is an object
    with the key event: listening (url, upstreams), request (time, method, target,
    contract, case, status, delay and delayAsked in milliseconds, bytes, outcome,
    message, nearest), reloaded (changes, upstreams), rejected (message,
    diagnostics), recorded (files), unrecorded (message, diagnostics) or stopped
    (requests). What is not there is null.

    With --record, what no contract answers is asked of the live API: the client
    gets its answer, and a contract is written as "understudy record" writes it,
    which answers the next time. A contract that was recorded in this run answers
    only requests that were recorded; any other goes to the live API, too. With
    --record-all every request does, and contracts that were recorded in this run
    learn from each answer. What is not recorded is printed with the reason. An
    upstream that is not there yet is named by --upstream NAME=URL. Pages of another
    site may send requests to a live API only if --allow-origin names it; where
    others can reach the server, such requests need the admin token in the header
    Understudy-Token, which is not passed on.

    Arguments:
      PATH  A folder of contracts, one of its upstreams, or a contract. May be given
            more than once. Without it: Contracts.

    Options:
          --port PORT                   The port to listen on; 0 takes any that is
                                        free. Without it: 8080.
          --host ADDRESS                The address to listen on. One that others
                                        can reach needs an admin token of at least
                                        16 characters. Without it: 127.0.0.1.
          --admin-token TOKEN           What requests to the admin API must show.
                                        Better set the variable: others can see how
                                        a program was started. Also from
                                        UNDERSTUDY_ADMIN_TOKEN.
          --ports                       Give each upstream a port of its own, in
                                        alphabetical order after --port.
          --case CONTRACT=CASE          Play this case:
                                        dog-ceo/random-images=malformed. May be
                                        given more than once.
          --script CONTRACT=SCRIPT      Play this script of a contract. May be given
                                        more than once.
          --scenario UPSTREAM=SCENARIO  Play this scenario of an upstream. May be
                                        given more than once.
          --time-scale FACTOR           Multiplies every delay; 0 leaves them out.
                                        Without it: 1.
          --seed NUMBER                 Where everything that is drawn at random
                                        begins. Without it: 0.
          --cors                        Let the pages of any site read the answers.
          --allow-origin URL            Let the pages of this site read the answers,
                                        and send requests that are recorded. May be
                                        given more than once.
          --rewrite-links               Let links to the live APIs in answers lead
                                        here instead.
          --no-names                    Leave out the headers that tell an answer's
                                        contract and case.
          --threads COUNT               How many threads serve. Without it: 1.
          --connections COUNT           How many clients each thread takes at a
                                        time. Without it: 20000.
          --head-bytes SIZE             The largest head of a request. Without it:
                                        32K.
          --body-bytes SIZE             The largest body of a request. Without it:
                                        16M.
          --headers COUNT               How many header lines a request may have.
                                        Without it: 100.
          --idle-time TIME              How long a client may be connected without a
                                        request. Without it: 75s.
          --request-time TIME           How long a request may take from its first
                                        byte to its last. Without it: 30s.
          --journal COUNT               How many of the last requests each thread
                                        remembers. Without it: 10000.
          --sessions COUNT              How many sessions (/~NAME/…) are remembered;
                                        one more, and the least recently used is
                                        forgotten. Without it: 1000.
          --format FORMAT               How to print the result. One of text or
                                        json. Without it: text.
          --record                      Ask the live API what no contract answers,
                                        and write contracts from that.
          --record-all                  The same for every request, whether a
                                        contract answers it or not.
          --upstream NAME               What to record; NAME=URL for one that is not
                                        there. Without it: all. May be given more
                                        than once.
      -h, --help                        Show this help.

    Examples:
      understudy serve
          Play the contracts below ./Contracts on port 8080.
      understudy serve --port 0 --case dog-ceo/random-images=not-found
          Play them on any free port, one contract always with this case.
      understudy serve --record --upstream users=https://api.example.com/v1
          Play them, and record what clients of /users/v1/… ask for.

    Exit codes:
      0  It was told to end.
      2  Could not run: wrong usage, contracts with errors, or an address that is
         not free.

    """

  static let explain = """
    Says which contract and case answer a request, or why none does.

    Usage: understudy explain [OPTIONS] REQUEST [PATH...]

    Says what a server that has just started would play: scripts, cases chosen by
    hand and state of a running one are not known here. The method may be left out
    when it is GET; a whole URL reaches its upstream by the host.

    With --format json one object is printed. Its keys: contract, file, case,
    status, reason, message and nearest, an array of objects with contract, request
    and differences. What is not there is null.

    Arguments:
      REQUEST  The request as sent to the fake: 'GET /dog-ceo/api/breeds/list/all'.
      PATH     A folder of contracts, one of its upstreams, or a contract. May be
               given more than once. Without it: Contracts.

    Options:
      -H, --header HEADER  A header line: 'Prefer: code=404'. May be given more than
                           once.
      -d, --data BODY      The body of the request.
          --format FORMAT  How to print the result. One of text or json. Without it:
                           text.
      -h, --help           Show this help.

    Examples:
      understudy explain 'GET /dog-ceo/api/breed/hound/images/random'
          Say which contract below ./Contracts answers this.
      understudy explain https://dog.ceo/api/breed/hound/images/random
          The same for a request to the live API's address.

    Exit codes:
      0  A contract answers.
      1  No contract answers, or not as the request prefers.
      2  Could not run: wrong usage, a path where there are no contracts, or some
         that have errors.

    """
}
