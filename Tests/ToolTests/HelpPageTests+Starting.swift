@testable import UnderstudyTool

extension HelpPageTests {
  static let initialize = """
    Writes the first contracts of a project.

    Usage: understudy init [OPTIONS] [NAME]

    Writes ./Contracts with one API and one contract, whose cases are a good
    response, a 404, a malformed body, a slow response and a broken connection; and
    consumers.json, whose only consumer is "understudy call", until your own client
    takes its place. The schemas beside them are for editors. .understudy/.gitignore
    says which of the files that commands leave there may be of use in a repository.

    With --from, the responses of a live API are recorded instead, as by "understudy
    record". With --tests, the test also needs its runner: pytest 8, Node 18, or
    Swift Testing and the product UnderstudyTesting.

    Existing files are never changed; those that exist are listed as kept.

    Arguments:
      NAME  The name of the API. Default: derived from the host of a URL, or else
            api.

    Options:
          --base-url URL  The address of the live API, for "understudy drift".
          --from URL      Record the response of this URL instead of writing an
                          example. Repeatable.
          --ci SERVICE    Also write a pipeline for the contracts and the nightly
                          comparison. One of github or gitlab.
          --tests RUNNER  Also write a test that passes. One of swift, pytest or
                          node.
          --refresh       Update the copied schemas, helpers and the pipeline for
                          GitLab, and show what changes.
          --color WHEN    When to print in colour. One of auto, always or never.
                          Default: auto.
      -h, --help          Show this help, or with -h its beginning.

    Examples:
      understudy init
          Start with an example.
      understudy init shop --tests pytest --ci github
          Start with a test and a pipeline.
      understudy init --from http://127.0.0.1:8080/joke/random_joke
          Start with what a live API responds.
      understudy init --refresh
          Update what an older version has copied.

    Exit codes:
      0  The files are written.
      2  Could not run: wrong usage, a name that is taken, or a folder that cannot
         be written.
      3  A URL had no complete response; nothing is written.

    """

  static let reads = """
    Shows which parts of the responses commands read.

    Usage: understudy reads [OPTIONS] [SELECTION...]

    A change of an API matters if a consumer reads what has changed. Services in
    Swift show that by their decoders. For a command it is learned: with --learn it
    runs for each case with a good JSON response while one part of the response is
    left out, and reads that part if it then exits or prints differently. Parts
    within a part that it does not read are not tried.

    The results are kept in .understudy/reads.json, which CI can get from the
    repository. They hold until the contract or the command changes: its words, the
    files that these name, and what consumers.json lists as "sources". "understudy
    drift" then learns them anew, for a minute at most. It takes the severity of a
    change from them, and "understudy test --mutate" which mutation must not matter.

    Members of a map are learned as one: the schema has "additionalProperties", or
    good responses have no key in common there. What a command that prints nothing
    reads stays unknown.

    With --format json one object is printed. Its key reads is an array of objects
    with contract, case, consumer, and paths, an array of JSON pointers with * for
    any element of an array or member of a map; null where they are unknown.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), a
                 case (joke/random-joke#ok), with * for any text; or a path.
                 Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --consumer NAME     Only the checks of this consumer. Repeatable.
          --learn             Run the commands to find out, and keep what they read.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy reads
          Show what is known.
      understudy reads --learn joke
          Learn it for the cases of an upstream.

    Exit codes:
      0  The reads are shown, or learned.
      2  Could not run: wrong usage, contracts with errors, or no command that reads
         JSON.
      3  The reads of some cases could not be learned.

    """
}
