import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Runs each script in the shell it is for: what it looks like proves nothing.
@Suite struct CompletionsTests {
  @Test(
    "bash completes", .enabled(if: ProcessRun.find("bash") != nil, "bash is not installed"),
    arguments: [
      (
        ["understudy", ""],
        "init record lint list explain serve use call ca test run merge reads drift history import export wiremock completions help"
      ),
      (["understudy", "li"], "lint list"),
      (["understudy", "-"], "--version -v --help -h"),
      (["understudy", "lint", "--"], "--contracts --format --report --color --help"),
      (["understudy", "lint", "--format", ""], "text json"),
      (["understudy", "lint", "--format", "="], "text json"),
      (["understudy", "list", "--format", "=", "j"], "json"),
      (["understudy", "completions", ""], "bash zsh fish"),
      (["understudy", "test", "--re"], "--repeat --require-coverage --report"),
      (["understudy", "help", "l"], "lint list"),
      (
        ["understudy", "help", "schema-f"],
        "schema-field-added schema-field-removed schema-format-changed"
      ),
      (["understudy", "help", "findi"], "findings"),
      (["understudy", "lint", "Packa"], "Package.swift"),
    ])
  func bash(words: [String], replies: String) throws {
    let script = """
      source "$1"; shift
      complete -p understudy > /dev/null || exit
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _understudy
      echo "${COMPREPLY[*]}"
      """
    let run = try Self.run("bash", ["--norc", "-c", script, "test"], .bash, words)
    #expect(run.errors == "")
    #expect(run.output == replies + "\n")
  }

  @Test(
    "fish completes", .enabled(if: ProcessRun.find("fish") != nil, "fish is not installed"),
    arguments: [
      (
        "understudy ",
        [
          "ca", "call", "completions", "drift", "explain", "export", "help", "history", "import",
          "init",
          "lint",
          "list",
          "merge",
          "reads", "record", "run", "serve", "test", "use", "wiremock",
        ]
      ),
      ("understudy -", ["--help", "--version", "-h", "-v"]),
      ("understudy lint --", ["--format", "--help", "--report"]),
      ("understudy lint --format ", ["json", "text"]),
      ("understudy list --format=j", ["--format=json"]),
      ("understudy completions ", ["bash", "fish", "zsh"]),
      ("understudy help li", ["lint", "list"]),
      ("understudy help no-c", ["no-contract"]),
      ("understudy lint Packa", ["Package.swift"]),
    ])
  func fish(line: String, replies: [String]) throws {
    let script = "source $argv[1]; complete -C $argv[2]"
    let run = try Self.run("fish", ["--no-config", "-c", script], .fish, [line])
    #expect(run.errors == "")
    let words = run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(words.sorted() == replies)
  }

  @Test(
    "zsh accepts the script, which starts its completions",
    .enabled(if: ProcessRun.find("zsh") != nil, "zsh is not installed"))
  func zsh() throws {
    let script = """
      source $1
      print -r -- $_comps[understudy]
      """
    let run = try Self.run("zsh", ["-f", "-c", script, "test"], .zsh, [])
    #expect(run.errors == "")
    #expect(run.output == "_understudy\n")
  }

  /// A tool with a command of its own.
  private static let own = Understudy.command(
    [],
    [
      ToolCommand(
        "tell", summary: "Tells a joke: any",
        options: [.option("base-url", "URL", "Where the jokes are."), .flag("loud", "Laugh.")]
      ) { _ in .pass }
    ], named: "my-jokes")

  @Test(
    "bash completes commands of one's own",
    .enabled(if: ProcessRun.find("bash") != nil, "bash is not installed"),
    arguments: [
      (["my-jokes", "te"], "tell test"),
      (["my-jokes", "tell", "--"], "--base-url --loud --color --help"),
    ])
  func ownInBash(words: [String], replies: String) throws {
    let script = """
      source "$1"; shift
      complete -p my-jokes > /dev/null || exit
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _my_jokes
      echo "${COMPREPLY[*]}"
      """
    let run = try Self.run("bash", ["--norc", "-c", script, "test"], .bash, words, of: Self.own)
    #expect(run.errors == "")
    #expect(run.output == replies + "\n")
  }

  @Test(
    "fish completes commands of one's own",
    .enabled(if: ProcessRun.find("fish") != nil, "fish is not installed"),
    arguments: [
      (
        "my-jokes te",
        [
          "tell\tTells a joke: any",
          "test\tRuns services and commands against every case of their contracts",
        ]
      ),
      ("my-jokes tell --l", ["--loud\tLaugh."]),
    ])
  func ownInFish(line: String, replies: [String]) throws {
    let script = "source $argv[1]; complete -C $argv[2]"
    let run = try Self.run("fish", ["--no-config", "-c", script], .fish, [line], of: Self.own)
    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").map(String.init).sorted() == replies)
  }

  /// Zsh completes only on a terminal, so it gets one of its own.
  @Test(
    "zsh completes commands of one's own",
    .enabled(if: ProcessRun.find("zsh") != nil, "zsh is not installed"),
    arguments: [
      ("my-jokes tel", "my-jokes tell "), ("my-jokes tell --lo", "my-jokes tell --loud "),
      ("my-jokes tell --ba", "my-jokes tell --base-url="),
    ])
  func ownInZsh(line: String, completed: String) throws {
    let script = #"""
      zmodload zsh/zpty
      zpty shell zsh -f
      zpty -w shell "PS1= PROMPT_EOL_MARK= RPS1=; source ${(q)1}"
      zpty -w shell "accept() { print -r -- \"<\$BUFFER>\"; exit }; zle -N accept; bindkey '^X' accept"
      zpty -w shell "print rea''dy"
      zpty -r shell said '*ready*'
      zpty -w -n shell "$2"$'\t\x18'
      zpty -r shell said '*<*>*'
      print -r -- "${${said##*<}%%>*}"
      """#
    let run = try Self.run("zsh", ["-f", "-c", script, "test"], .zsh, [line], of: Self.own)
    #expect(run.errors == "")
    #expect(run.output == completed + "\n")
  }

  @Test(
    "quotes what a shell would read as its own",
    arguments: Completions.Shell.allCases.filter { ProcessRun.find($0.rawValue) != nil })
  func quotes(shell: Completions.Shell) throws {
    let hostile = Parameter.flag("loud", "It's [loud]: $(exit 3) `exit 4` \\ \"quoted\".")
    let child = Command(
      name: "sample say", summary: "Isn't: $(exit 5)", parameters: [hostile.declaration],
      run: { _, _ throws(Failure) in .pass })
    let root = Command(
      name: "sample", summary: "", subcommands: [child],
      run: { _, _ throws(Failure) in .pass })
    let executable = try #require(ProcessRun.find(shell.rawValue))
    try Self.withScript(Completions(of: root).script(for: shell)) { path in
      let run = try ProcessRun(executable, ["-n", path])
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
  }

  private static func run(
    _ name: String, _ arguments: [String], _ shell: Completions.Shell, _ words: [String],
    of root: Command = Understudy.command
  ) throws -> ProcessRun {
    let executable = try #require(ProcessRun.find(name))
    return try withScript(Completions(of: root).script(for: shell)) { path in
      try ProcessRun(executable, arguments + [path] + words, directory: Checkout.root)
    }
  }

  private static func withScript<Result>(
    _ script: String, _ body: (String) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("completions \(UUID().uuidString)")
    try script.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }
}
