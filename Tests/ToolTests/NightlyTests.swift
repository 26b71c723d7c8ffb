import Foundation
import Testing

/// The scripts of the night, with programs in place of those that reach out.
@Suite struct NightlyTests {
  // MARK: - ci/nightly

  private static let tool = """
    echo "$*" >> "$STAGE/calls"
    [[ $1 != list ]] || echo '"live": true'
    [[ $1 == drift ]] || exit 0
    for word; do if [[ $word == issue=* ]]; then echo body > "${word#issue=}"; fi; done
    exit "${CODE:-0}"
    """

  @Test("exits as the drift run did, and leaves its reports", arguments: [0, 1, 2, 3] as [Int32])
  func nightly(code: Int32) async throws {
    let stage = try await ScriptStage(["showcase": Self.tool])
    try stage.write(".understudy/drift/badge.json", "of another night")
    let words = [
      "dog-ceo", "--history", "a b.jsonl", "--timeout", "5s", "--contracts=C", "--contracts", "D",
    ]
    let run = try await stage.run("nightly", words, environment: ["CODE": "\(code)"])
    #expect(run.code == code)
    let calls = (stage.read("calls") ?? "")
      .replacing(/drift\/new\.\w+\//, with: "drift/NEW/").split(separator: "\n")
    #expect(calls.first == "list --format json C D")
    #expect(
      calls.dropFirst().first == """
        drift --report html=.understudy/drift/NEW/report.html \
        --report issue=.understudy/drift/NEW/issue.md \
        --report badge=.understudy/drift/NEW/badge.json \
        --report junit=.understudy/drift/NEW/junit.xml \
        --report json=.understudy/drift/NEW/report.json \
        dog-ceo --history a b.jsonl --timeout 5s --contracts=C --contracts D
        """)
    // A run that could not be, such as one beside another, takes nothing away.
    let couldRun = code != 2
    #expect(
      calls.dropFirst(2)
        == (couldRun ? ["history --history a b.jsonl --contracts=C --contracts=D"] : []))
    #expect(stage.read(".understudy/drift/issue.md") == (couldRun ? "body\n" : nil))
    #expect(stage.read(".understudy/drift/badge.json") == (couldRun ? nil : "of another night"))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: stage.folder.appendingPathComponent(".understudy/drift").path)
    #expect(left == (couldRun ? ["issue.md"] : ["badge.json"]))
  }

  @Test("passes where nothing is live yet, and leaves nothing")
  func nothingLive() async throws {
    let stage = try await ScriptStage()
    let folder = stage.folder
    _ = try await offPool { try ProcessRun(Checkout.tool.path, ["init"], directory: folder) }
    let night = { try await stage.run("nightly", environment: ["UNDERSTUDY": Checkout.tool.path]) }
    let run = try await night()
    #expect(run.output == "no case has \"live\" yet, so there is nothing to compare\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(stage.read(".understudy/drift/report.json") == nil)
    // Mistakes are still those of a run.
    try stage.write("Contracts/api/greeting.json", "{")
    #expect(try await night().code == 2)
  }

  @Test("takes secrets from one variable, one a line, and no other variables")
  func secrets() async throws {
    let stage = try await ScriptStage([
      "showcase": """
      [[ $1 != list ]] || echo '"live": true'
      [[ $1 == drift ]] || exit 0
      printf '%s\\n' "$UNDERSTUDY_A_TOKEN" "$UNDERSTUDY_B" "${OTHER-none}" "${UNDERSTUDY_SECRETS-none}"
      """
    ])
    let run = try await stage.run(
      "nightly",
      environment: ["UNDERSTUDY_SECRETS": "UNDERSTUDY_A_TOKEN=a=b c\r\n\nOTHER=x\nUNDERSTUDY_B=d"])
    #expect(run.output == "a=b c\nd\nnone\nnone\n")
    #expect(run.code == 0)
  }

  /// The command by which a scheduler ends, with the night's exit code in `CODE`.
  private static func ending(in path: String) throws -> String {
    let text = try String(
      contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    let lines = text.split(separator: "\n")
    if let last = lines.last(where: { $0.contains("\"$CODE\"") && $0.contains("run: ") }) {
      return String(try #require(last.split(separator: "run: ", maxSplits: 1).last))
    }
    let line = try #require(lines.first { $0.contains("code=0; ci/nightly") })
    return String(line.drop { " -".contains($0) }).replacing("ci/nightly", with: "(exit $CODE)")
  }

  @Test(
    "a check that could not be made does not fail the job, wherever it runs",
    arguments: [".github/workflows/drift.yml", "ci/kubernetes/nightly.yaml"],
    [(0, 0), (1, 1), (2, 2), (3, 0)] as [(Int32, Int32)])
  func jobs(path: String, codes: (night: Int32, job: Int32)) async throws {
    let command = try Self.ending(in: path)
    let run = try await offPool {
      try ProcessRun("/bin/sh", ["-c", command], environment: ["CODE": "\(codes.night)"])
    }
    #expect(run.code == codes.job)
  }

  @Test("a check that could not be made does not fail the systemd unit")
  func unit() throws {
    let unit = try String(
      contentsOf: Checkout.root.appendingPathComponent("ci/systemd/understudy-drift.service"),
      encoding: .utf8)
    #expect(unit.split(separator: "\n").contains("SuccessExitStatus=3"))
  }

  // MARK: - ci/nightly-issue

  private static let gh = """
    printf '%s\\n' "$*" >> "$STAGE/calls"
    case "$1 $2" in
    "issue list") cat "$STAGE/open" ;;
    "issue view") cat "$STAGE/shown" ;;
    esac
    """

  private static func issue(
    _ code: String, open: String, shown: String = "", body: String? = "<!-- m -->\nIt drifts.\n"
  ) async throws -> (run: ProcessRun, calls: [String]) {
    let stage = try await ScriptStage(["gh": gh])
    try stage.write("open", open)
    try stage.write("shown", shown)
    if let body { try stage.write("issue.md", body) }
    let run = try await stage.run("nightly-issue", [code, "issue.md"])
    let calls = (stage.read("calls") ?? "").split(separator: "\n").map(String.init)
    return (run, calls)
  }

  private static let list = """
    issue list --label understudy-drift --state open --limit 100 --json number,body --jq \
    [.[] | select(.body | startswith("<!-- m -->")) | .number] | min // empty
    """
  private static let view = "issue view 7 --json body --jq .body"

  @Test("opens one issue on the first night that drifts")
  func opens() async throws {
    let (run, calls) = try await Self.issue("1", open: "")
    #expect(run.code == 0)
    #expect(
      calls == [
        Self.list,
        "label create understudy-drift --color B60205 --description Live APIs differ from contracts"
          + " --force",
        "issue create --title Live APIs differ from their contracts --label understudy-drift"
          + " --body-file issue.md",
      ])
  }

  @Test("edits it when something has changed, and leaves it alone when nothing has")
  func edits() async throws {
    let changed = try await Self.issue("1", open: "7\n", shown: "<!-- m -->\nAnother.\n")
    #expect(changed.calls == [Self.list, Self.view, "issue edit 7 --body-file issue.md"])
    let same = try await Self.issue("1", open: "7\n", shown: "<!-- m -->\r\nIt drifts.\r\n")
    #expect(same.calls == [Self.list, Self.view])
    #expect(same.run.output == "ci/nightly-issue: nothing has changed in issue 7\n")
  }

  @Test("closes it when the drift is gone, if there is one")
  func closes() async throws {
    let there = try await Self.issue("0", open: "7\n")
    #expect(
      there.calls == [
        Self.list,
        "issue close 7 --reason completed --comment The live APIs are as the contracts say.",
      ])
    #expect(try await Self.issue("0", open: "").calls == [Self.list])
  }

  @Test("leaves it alone when it is not known whether there is drift", arguments: ["2", "3"])
  func unknown(code: String) async throws {
    let (run, calls) = try await Self.issue(code, open: "7\n", body: nil)
    #expect(calls == [])
    #expect(run.code == 0)
    #expect(
      run.output
        == "ci/nightly-issue: the run ended with \(code), so it is not known whether there is drift\n"
    )
  }

  @Test("says what it needs")
  func refusals() async throws {
    let usage = try await Self.issue("x", open: "")
    #expect(usage.run.code == 2)
    #expect(
      usage.run.errors
        == "usage: ci/nightly-issue CODE ISSUE.md, where CODE is 0, 1, 2 or 3\n")
    let empty = try await Self.issue("1", open: "", body: nil)
    #expect(empty.run.code == 2)
    #expect(
      empty.run.errors == """
        ci/nightly-issue: found no text in issue.md, expected what --report issue=issue.md wrote

        """)
    #expect(empty.calls == [])
  }

  // MARK: - ci/nightly-history

  private static let file = ".understudy/drift/history.jsonl"

  /// `one` and `two` are clones of the same repository.
  private static func clones(_ programs: [String: String] = [:]) async throws -> ScriptStage {
    let stage = try await ScriptStage(programs)
    #expect(try await stage.git(["init", "--bare", "-q", "origin.git"]).code == 0)
    for clone in ["one", "two"] {
      #expect(try await stage.git(["clone", "-q", "origin.git", clone]).code == 0)
    }
    return stage
  }

  @Test("keeps the history on a branch of its own, from night to night")
  func history() async throws {
    let stage = try await Self.clones()
    let file = Self.file
    let first = try await stage.run("nightly-history", ["fetch"], in: "one")
    #expect(
      first.output
        == "ci/nightly-history: found no branch understudy-history: this is the first night\n")
    #expect(first.code == 0)
    #expect(
      try await stage.run("nightly-history", ["store"], in: "one").output
        == "ci/nightly-history: found no \(file): nothing was checked\n")

    try stage.write("one/\(file)", "1\n")
    let stored = try await stage.run("nightly-history", ["store"], in: "one")
    #expect(stored.errors == "")
    #expect(stored.code == 0)
    #expect(
      try await stage.run("nightly-history", ["store"], in: "one").output
        == "ci/nightly-history: nothing to store\n")

    #expect(try await stage.run("nightly-history", ["fetch"], in: "two").code == 0)
    #expect(stage.read("two/\(file)") == "1\n")
    try stage.write("two/\(file)", "1\n2\n")
    #expect(try await stage.run("nightly-history", ["store"], in: "two").code == 0)
    #expect(try await stage.run("nightly-history", ["fetch"], in: "one").code == 0)
    #expect(stage.read("one/\(file)") == "1\n2\n")

    // Nothing but the history, a commit a night.
    let names = try await stage.git(
      ["ls-tree", "--name-only", "understudy-history"], in: "origin.git")
    #expect(names.output == "history.jsonl\n")
    let count = try await stage.git(
      ["rev-list", "--count", "understudy-history"], in: "origin.git")
    #expect(count.output == "2\n")
  }

  @Test("on GitHub the token is given to the script's own commands")
  func token() async throws {
    let stage = try await Self.clones([
      "git": """
      echo "${GIT_CONFIG_KEY_0-} ${GIT_CONFIG_VALUE_0-}" >> "$STAGE/calls"
      exec /usr/bin/git "$@"
      """
    ])
    let run = try await stage.run(
      "nightly-history", ["fetch"], in: "one",
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com", "GH_TOKEN": "secret",
      ])
    #expect(run.code == 0)
    #expect(
      stage.read("calls") == """
        http.https://github.com/.extraheader Authorization: Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0

        """)
    let config = try await stage.git(["config", "--local", "--list"], in: "one")
    #expect(!config.output.contains("extraheader"))
  }

  @Test("two nights at once lose nothing", arguments: ["", "0\n"])
  func atOnce(before: String) async throws {
    let stage = try await Self.clones()
    if !before.isEmpty {
      try stage.write("one/\(Self.file)", before)
      #expect(try await stage.run("nightly-history", ["store"], in: "one").code == 0)
    }
    for clone in ["one", "two"] {
      #expect(try await stage.run("nightly-history", ["fetch"], in: clone).code == 0)
      try stage.write("\(clone)/\(Self.file)", "\(before)\(clone) a\n\(clone) b\n")
    }
    for clone in ["one", "two"] {
      let run = try await stage.run("nightly-history", ["store"], in: clone)
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
    let all = "\(before)one a\none b\ntwo a\ntwo b\n"
    let stored = try await stage.git(
      ["show", "understudy-history:history.jsonl"], in: "origin.git")
    #expect(stored.output == all)
    #expect(stage.read("two/\(Self.file)") == all)
  }

  @Test("fetches nothing that would remove something")
  func keeping() async throws {
    let stage = try await Self.clones()
    try stage.write("one/\(Self.file)", "1\n")
    #expect(try await stage.run("nightly-history", ["store"], in: "one").code == 0)
    // A night that was not stored: a branch that is behind changes nothing of it.
    try stage.write("one/\(Self.file)", "1\n2\n")
    #expect(try await stage.run("nightly-history", ["fetch"], in: "one").code == 0)
    #expect(stage.read("one/\(Self.file)") == "1\n2\n")

    try stage.write("two/\(Self.file)", "3\n")
    let refused = try await stage.run("nightly-history", ["fetch"], in: "two")
    #expect(
      refused.errors == """
        ci/nightly-history: \(Self.file) and the branch understudy-history each have records that the \
        other lacks
          fix: merge them with ci/nightly-history store

        """)
    #expect(refused.code == 2)
    #expect(stage.read("two/\(Self.file)") == "3\n")
    #expect(try await stage.run("nightly-history", ["store"], in: "two").code == 0)
    #expect(stage.read("two/\(Self.file)") == "1\n3\n")
  }

  /// A stand-in for git that fails at one thing.
  @Test(
    "a branch that cannot be fetched does not count as a first night",
    arguments: ["fetch", "cat-file"])
  func broken(verb: String) async throws {
    let stage = try await Self.clones([
      "git": "[[ $1 != ${BROKEN-} ]] || exit 128\nexec /usr/bin/git \"$@\"\n"
    ])
    try stage.write("one/\(Self.file)", "1\n")
    #expect(try await stage.run("nightly-history", ["store"], in: "one").code == 0)
    for words in [["fetch"], ["store"]] {
      try stage.write("two/\(Self.file)", "2\n")
      let run = try await stage.run(
        "nightly-history", words, in: "two", environment: ["BROKEN": verb])
      #expect(run.output == "")
      #expect(run.code == 2)
      #expect(stage.read("two/\(Self.file)") == "2\n")
    }
    let stored = try await stage.git(
      ["show", "understudy-history:history.jsonl"], in: "origin.git")
    #expect(stored.output == "1\n")
  }

  @Test("a remote that cannot be reached does not count as a first night")
  func unreachable() async throws {
    let stage = try await ScriptStage()
    #expect(try await stage.git(["init", "-q", "."]).code == 0)
    #expect(try await stage.git(["remote", "add", "origin", "nowhere.git"]).code == 0)
    let run = try await stage.run("nightly-history", ["fetch"])
    #expect(run.code == 2)
    #expect(run.output == "")
  }
}
