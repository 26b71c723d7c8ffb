import Foundation
import Testing

/// The scripts of the run, with programs in place of those that reach out.
@Suite struct NightlyTests {
  // MARK: - ci/deploy/nightly/run

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
    try stage.write(".understudy/drift/badge.json", "of another run")
    let words = [
      "dog-ceo", "--history", "a b.jsonl", "--timeout", "5s", "-C", "D",
    ]
    let run = try await stage.run("nightly/run", words, environment: ["CODE": "\(code)"])
    #expect(run.code == code)
    let calls = (stage.read("calls") ?? "")
      .replacing(/drift\/new\.\w+\./, with: "drift/NEW.").split(separator: "\n")
    #expect(calls.first == "list --format json --contracts=D")
    #expect(
      calls.dropFirst().first == """
        drift --report html=.understudy/drift/NEW.report.html \
        --report issue=.understudy/drift/NEW.issue.md \
        --report badge=.understudy/drift/NEW.badge.json \
        --report junit=.understudy/drift/NEW.junit.xml \
        --report json=.understudy/drift/NEW.report.json \
        dog-ceo --history a b.jsonl --timeout 5s -C D
        """)
    // A run that could not be, such as one beside another, takes nothing away.
    let couldRun = code != 2
    #expect(
      calls.dropFirst(2)
        == (couldRun ? ["history --history=a b.jsonl --contracts=D"] : []))
    #expect(stage.read(".understudy/drift/issue.md") == (couldRun ? "body\n" : nil))
    #expect(stage.read(".understudy/drift/badge.json") == (couldRun ? nil : "of another run"))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: stage.folder.appendingPathComponent(".understudy/drift").path)
    #expect(left == (couldRun ? ["issue.md"] : ["badge.json"]))
  }

  @Test("passes where nothing is live yet, and leaves nothing")
  func nothingLive() async throws {
    let stage = try await ScriptStage()
    let folder = stage.folder
    _ = try await offPool { try ProcessRun(Checkout.tool.path, ["init"], directory: folder) }
    let environment = ["UNDERSTUDY": Checkout.tool.path]
    let nightly = { try await stage.run("nightly/run", environment: environment) }
    let run = try await nightly()
    #expect(run.output == "no case has \"live\" yet, so there is nothing to compare\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(stage.read(".understudy/drift/report.json") == nil)
    // Mistakes are still those of a run.
    try stage.write("Contracts/api/greeting.json", "{")
    #expect(try await nightly().code == 2)
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
      "nightly/run",
      environment: ["UNDERSTUDY_SECRETS": "UNDERSTUDY_A_TOKEN=a=b c\r\n\nOTHER=x\nUNDERSTUDY_B=d"])
    #expect(run.output == "a=b c\nd\nnone\nnone\n")
    #expect(run.code == 0)
  }

  /// The command by which a scheduler ends, with the run's exit code in `CODE`.
  private static func ending(in path: String) throws -> String {
    let text = try String(
      contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    let lines = text.split(separator: "\n")
    if let last = lines.last(where: { $0.contains("\"$CODE\"") && $0.contains("run: ") }) {
      return String(try #require(last.split(separator: "run: ", maxSplits: 1).last))
    }
    let line = try #require(lines.first { $0.contains("code=0; ci/deploy/nightly/run") })
    return String(line.drop { " -".contains($0) }).replacing(
      "ci/deploy/nightly/run", with: "(exit $CODE)")
  }

  @Test(
    "a check that could not be made does not fail the job, wherever it runs",
    arguments: [".github/workflows/drift.yml", "ci/deploy/kubernetes/nightly.yaml"],
    [(0, 0), (1, 1), (2, 2), (3, 0)] as [(Int32, Int32)])
  func jobs(path: String, codes: (run: Int32, job: Int32)) async throws {
    let command = try Self.ending(in: path)
    let run = try await offPool {
      try ProcessRun("/bin/sh", ["-c", command], environment: ["CODE": "\(codes.run)"])
    }
    #expect(run.code == codes.job)
  }

  @Test("a check that could not be made does not fail the systemd unit")
  func unit() throws {
    let unit = try String(
      contentsOf: Checkout.root.appendingPathComponent(
        "ci/deploy/systemd/understudy-drift.service"),
      encoding: .utf8)
    #expect(unit.split(separator: "\n").contains("SuccessExitStatus=3"))
  }

  // MARK: - ci/deploy/nightly/history

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

  @Test("keeps the history on a branch of its own, from run to run")
  func history() async throws {
    let stage = try await Self.clones()
    let file = Self.file
    let first = try await stage.run("nightly/history", ["fetch"], in: "one")
    #expect(
      first.output
        == "ci/deploy/nightly/history: no branch understudy-history: this is the first run\n")
    #expect(first.code == 0)
    #expect(
      try await stage.run("nightly/history", ["store"], in: "one").output
        == "ci/deploy/nightly/history: no \(file): nothing was checked\n")

    try stage.write("one/\(file)", "1\n")
    let stored = try await stage.run("nightly/history", ["store"], in: "one")
    #expect(stored.errors == "")
    #expect(stored.code == 0)
    #expect(
      try await stage.run("nightly/history", ["store"], in: "one").output
        == "ci/deploy/nightly/history: nothing to store\n")

    #expect(try await stage.run("nightly/history", ["fetch"], in: "two").code == 0)
    #expect(stage.read("two/\(file)") == "1\n")
    try stage.write("two/\(file)", "1\n2\n")
    #expect(try await stage.run("nightly/history", ["store"], in: "two").code == 0)
    #expect(try await stage.run("nightly/history", ["fetch"], in: "one").code == 0)
    #expect(stage.read("one/\(file)") == "1\n2\n")

    // Nothing but the history, a commit a run.
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
      "nightly/history", ["fetch"], in: "one",
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

  @Test("two runs at once lose nothing", arguments: ["", "0\n"])
  func atOnce(before: String) async throws {
    let stage = try await Self.clones()
    if !before.isEmpty {
      try stage.write("one/\(Self.file)", before)
      #expect(try await stage.run("nightly/history", ["store"], in: "one").code == 0)
    }
    for clone in ["one", "two"] {
      #expect(try await stage.run("nightly/history", ["fetch"], in: clone).code == 0)
      try stage.write("\(clone)/\(Self.file)", "\(before)\(clone) a\n\(clone) b\n")
    }
    for clone in ["one", "two"] {
      let run = try await stage.run("nightly/history", ["store"], in: clone)
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
    #expect(try await stage.run("nightly/history", ["store"], in: "one").code == 0)
    // A run that was not stored: a branch that is behind changes nothing of it.
    try stage.write("one/\(Self.file)", "1\n2\n")
    #expect(try await stage.run("nightly/history", ["fetch"], in: "one").code == 0)
    #expect(stage.read("one/\(Self.file)") == "1\n2\n")

    try stage.write("two/\(Self.file)", "3\n")
    let refused = try await stage.run("nightly/history", ["fetch"], in: "two")
    #expect(
      refused.errors == """
        ci/deploy/nightly/history: \(Self.file) and the branch understudy-history each have records that the \
        other lacks
          fix: merge them with ci/deploy/nightly/history store

        """)
    #expect(refused.code == 2)
    #expect(stage.read("two/\(Self.file)") == "3\n")
    #expect(try await stage.run("nightly/history", ["store"], in: "two").code == 0)
    #expect(stage.read("two/\(Self.file)") == "1\n3\n")
  }

  /// A stand-in for git that fails at one thing.
  @Test(
    "a branch that cannot be fetched does not count as a first run",
    arguments: ["fetch", "cat-file"])
  func broken(verb: String) async throws {
    let stage = try await Self.clones([
      "git": "[[ $1 != ${BROKEN-} ]] || exit 128\nexec /usr/bin/git \"$@\"\n"
    ])
    try stage.write("one/\(Self.file)", "1\n")
    #expect(try await stage.run("nightly/history", ["store"], in: "one").code == 0)
    for words in [["fetch"], ["store"]] {
      try stage.write("two/\(Self.file)", "2\n")
      let run = try await stage.run(
        "nightly/history", words, in: "two", environment: ["BROKEN": verb])
      #expect(run.output == "")
      #expect(run.code == 2)
      #expect(stage.read("two/\(Self.file)") == "2\n")
    }
    let stored = try await stage.git(
      ["show", "understudy-history:history.jsonl"], in: "origin.git")
    #expect(stored.output == "1\n")
  }

  @Test("a remote that cannot be reached does not count as a first run")
  func unreachable() async throws {
    let stage = try await ScriptStage()
    #expect(try await stage.git(["init", "-q", "."]).code == 0)
    #expect(try await stage.git(["remote", "add", "origin", "nowhere.git"]).code == 0)
    let run = try await stage.run("nightly/history", ["fetch"])
    #expect(run.code == 2)
    #expect(run.output == "")
  }
}
