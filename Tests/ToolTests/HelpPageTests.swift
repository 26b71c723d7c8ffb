import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// The help pages as users see them. After a change that is meant, apply the difference shown.
@Suite struct HelpPageTests {
  enum Page: String, CaseIterable {
    case root, `init`, lint, list, serve, use, run, record, `import`, export, explain, call, test,
      reads,
      merge,
      drift, history
    case completions, help

    var text: String {
      switch self {
      case .root: HelpPageTests.root
      case .`init`: HelpPageTests.initialize
      case .lint: HelpPageTests.lint
      case .list: HelpPageTests.list
      case .serve: HelpPageTests.serve
      case .use: HelpPageTests.use
      case .run: HelpPageTests.run
      case .record: HelpPageTests.record
      case .`import`: HelpPageTests.importing
      case .export: HelpPageTests.exporting
      case .explain: HelpPageTests.explain
      case .call: HelpPageTests.call
      case .test: HelpPageTests.test
      case .reads: HelpPageTests.reads
      case .merge: HelpPageTests.merge
      case .drift: HelpPageTests.drift
      case .history: HelpPageTests.history
      case .completions: HelpPageTests.completions
      case .help: HelpPageTests.help
      }
    }
  }

  @Test("in brief fits on a screen, for each command")
  func brief() {
    for command in Understudy.command.subcommands {
      let run = CommandLineRun("\(command.verb) -h")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 40, "\(run.output)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    }
    let difference = TextDiff.unified(Self.briefLint, CommandLineRun("lint -h").output)
    #expect(difference == "")
  }

  private static let briefLint = """
    Checks contracts for mistakes.

    Usage: understudy lint [OPTIONS] [SELECTION...]

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path.

    Options:
      -C, --contracts FOLDER  The folder of contracts.
          --format FORMAT     How to print the result.
          --report KIND=PATH  Write a report: console, junit, json, markdown,
                              github, sarif, tap, html, issue, badge.
          --color WHEN        When to print in colour.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy lint
          Check all contracts below ./Contracts.
      understudy lint dog-ceo
          Check those of one upstream.

    "understudy lint --help" explains it whole: output and exit codes.

    """

  @Test(
    "is what these pages say",
    arguments: [
      ("--help", Page.root), ("help", .root), ("init --help", .`init`),
      ("reads --help", .reads), ("lint --help", .lint), ("help lint", .lint),
      ("list --help", .list), ("help list", .list), ("completions --help", .completions),
      ("serve --help", .serve), ("help use", .use), ("help explain", .explain),
      ("call --help", .call), ("test --help", .test), ("merge --help", .merge),
      ("drift --help", .drift), ("history --help", .history), ("run --help", .run),
      ("record --help", .record), ("import --help", .`import`),
      ("export --help", .export),
      ("help completions", .completions), ("help --help", .help), ("help help", .help),
    ])
  func page(line: String, page: Page) {
    let run = CommandLineRun(line)
    let difference = TextDiff.unified(page.text, run.output)
    #expect(difference == "")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test("fits 80 columns", arguments: Page.allCases)
  func width(page: Page) {
    #expect(page.text.split(separator: "\n").filter { $0.count > 80 } == [])
  }

  private static let root = """
    Contracts for upstream APIs: a file for each endpoint, a case for each way it
    responds.

    Usage: understudy COMMAND [OPTIONS]

    Contracts are JSON files, in ./Contracts unless other paths are given.
    Contracts/README.md describes their format; a package has it in
    share/doc/understudy.

    Output is coloured on a terminal, or where FORCE_COLOR or CLICOLOR_FORCE is set,
    unless NO_COLOR is; --color of a command says it, too.

    Start:
      init         Writes the first contracts of a project.
      record       Makes contracts from the responses of a live API.

    Look at contracts:
      lint         Checks contracts for mistakes.
      list         Shows upstreams, their endpoints, and every case of each.
      explain      Shows which contract and case response a request, or why none
                   does.

    Serve a fake:
      serve        Serves contracts as a fake of their upstreams.
      use          Tells a running server what to serve.
      call         Sends a contract's request and checks the response against its
                   schema.

    Test clients:
      test         Runs services and commands against every case of their contracts.
      run          Runs a command with a fake, and checks its requests.
      merge        Joins the reports of all shards of a test run into one result.
      reads        Shows which parts of the responses commands read.

    Watch the live APIs:
      drift        Compares the live APIs with the contracts.
      history      Shows when live cases were last checked, and since when they have
                   drifted.

    Exchange with other tools:
      import       Makes contracts from the files of other tools.
      export       Writes requests to a running server, or contracts, in the format
                   of other tools.
      wiremock     Stands in for WireMock, with its options and its admin API.

    More:
      completions  Prints a completion script for a shell.
      help         Explains a command, or shows all of them.

    Options:
      -v, --version  Print the version.
      -h, --help     Show this help, or with -h its beginning.

    Examples:
      understudy lint
          Check the contracts below ./Contracts.
      understudy serve
          Serve them on http://127.0.0.1:8080.
      understudy run -- ./test-client
          Run tests with them, in any language.
      understudy list --format json
          List all contracts for another program.

    Exit codes:
      0  No problems.
      1  Problems were found.
      2  Could not run: wrong usage, a missing path, or contracts that do not load.
      3  No problems were found, but something could not be checked.

    "understudy COMMAND --help" explains a command.

    """

  private static let lint = """
    Checks contracts for mistakes.

    Usage: understudy lint [OPTIONS] [SELECTION...]

    Checks each contract against the rules of the format and for consistency:
    whether a body matches its own schema, whether "like" and "expect" name
    something that exists, whether two contracts claim the same request. Every
    finding gives the place, what was expected and a fix, and ends with the name of
    its rule.

    Warnings are findings too, but other commands accept them. To waive one, give a
    reason in its contract, or in upstream.json for all its contracts: "waive": {
    "RULE": "REASON" }.

    --report writes the same reports as understudy test: a check for each case with
    its findings, and one for each file with findings outside its cases.

    With --format json one object is printed. Its keys: files, upstreams, contracts,
    cases, errors and warnings are numbers; diagnostics is an array of objects with
    severity (error or warning), rule, file, line, column, message and fix. line,
    column and fix may be null.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --report KIND=PATH  Write a report: console, junit, json, markdown,
                              github, sarif, tap, html, issue, badge. Without =PATH
                              it is printed. Repeatable.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy lint
          Check all contracts below ./Contracts.
      understudy lint dog-ceo
          Check those of one upstream.
      understudy lint --report sarif=lint.sarif
          Write the findings for code scanning.
      understudy lint --format json
          Print the findings for another program.

    Exit codes:
      0  No findings.
      1  Errors or warnings were found.
      2  Could not run: wrong usage, or a path without contracts.

    """

  private static let list = """
    Shows upstreams, their endpoints, and every case of each.

    Usage: understudy list [OPTIONS] [SELECTION...]

    For each case: its name, status, kind, whether the live API can be made to
    respond this way (live), and its summary.

    The kinds are good, malformed (a wrong body), slow, and broken (a failing
    connection).

    With --format json one object is printed. Its key upstreams is an array of
    objects with name, summary, baseURL, retired and contracts; a contract has id,
    summary, file, method, path and cases; a case has name, summary, status, kind
    and live, and with --curl the command as curl. Missing values are null.

    The commands of --curl have the examples of all parameters and bodies, and a
    Prefer header where the request alone does not lead to the case. They run as
    they are in any POSIX shell.

    Arguments:
      SELECTION  Only these: an upstream (joke), a contract (joke/random-joke), with
                 * for any text; or a path. Default: all. Repeatable.

    Options:
      -C, --contracts FOLDER  The folder of contracts. Default: Contracts. Also read
                              from UNDERSTUDY_CONTRACTS.
          --curl              Print for each case the command that makes a running
                              server serve it.
          --url URL           The address that the server printed when it started.
                              Default: http://127.0.0.1:8080. Also read from
                              UNDERSTUDY_URL.
          --format FORMAT     How to print the result. One of text or json. Default:
                              text.
          --color WHEN        When to print in colour. One of auto, always or never.
                              Default: auto.
      -h, --help              Show this help, or with -h its beginning.

    Examples:
      understudy list
          Show all contracts below ./Contracts.
      understudy list dog-ceo
          Show those of one upstream.
      understudy list --curl dog-ceo
          Show how to get each of its responses from a server on port 8080.
      understudy list --format json
          List all contracts for another program.

    Exit codes:
      0  All contracts are shown.
      2  Could not run: wrong usage, a path without contracts, or files too broken
         to be listed.

    """

  private static let completions = """
    Prints a completion script for a shell.

    Usage: understudy completions [OPTIONS] SHELL

    Arguments:
      SHELL  The shell that runs the script. One of bash, zsh or fish.

    Options:
          --color WHEN  When to print in colour. One of auto, always or never.
                        Default: auto.
      -h, --help        Show this help, or with -h its beginning.

    Examples:
      source <(understudy completions bash)
          Complete in this bash session.
      source <(understudy completions zsh)
          Complete in this zsh session.
      understudy completions fish | source
          Complete in this fish session.

    """

  private static let help = """
    Explains a command, or shows all of them.

    Usage: understudy help [OPTIONS] [COMMAND]

    Arguments:
      COMMAND  The command to explain. One of init, record, lint, list, explain,
               serve, use, call, test, run, merge, reads, drift, history, import,
               export, wiremock, completions or help.

    Options:
          --man         Print the page in the language of man.
          --color WHEN  When to print in colour. One of auto, always or never.
                        Default: auto.
      -h, --help        Show this help, or with -h its beginning.

    Examples:
      understudy help lint
          Explain what lint does.
      understudy help lint --man > understudy-lint.1
          Write a manual page.

    """
}
