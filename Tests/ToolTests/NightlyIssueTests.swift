import Testing

/// `ci/deploy/nightly/issue`, with a stand-in for `gh`.
@Suite struct NightlyIssueTests {
  /// What is sent is what a person would see: the words of the call, then the text.
  private static let gh = """
    printf '%s\\n' "$*" >> "$STAGE/calls"
    case "$1 $2" in
    "issue list") cat "$STAGE/open" ;;
    "issue view") cat "$STAGE/shown" ;;
    esac
    case "$*" in *"--body-file -") { echo "== $2"; cat; } >> "$STAGE/sent" ;; esac
    """

  private struct Morning {
    let run: ProcessRun
    /// Besides the search for the issue.
    let calls: [String]
    let sent: String
  }

  private static func morning(
    _ code: String, open: String, shown: String = "", body: String? = drifts,
    environment: [String: String] = [:]
  ) async throws -> Morning {
    let stage = try await ScriptStage(["gh": gh])
    try stage.write("open", open)
    try stage.write("shown", shown)
    if let body { try stage.write("run/issue.md", body) }
    for run in ["20261120T032300Z", "20261121T032300Z"] {
      try stage.write("run/captures/\(run)/a/b#ok.json", "{}")
    }
    let run = try await stage.run(
      "nightly/issue", [code, "run/issue.md"],
      environment: ["GITHUB_RUN_ID": "", "ARTIFACT_URL": ""].merging(environment) { $1 })
    let calls = (stage.read("calls") ?? "").split(separator: "\n").map(String.init)
    #expect(calls.first == (calls.isEmpty ? nil : list))
    return Morning(run: run, calls: Array(calls.dropFirst()), sent: stage.read("sent") ?? "")
  }

  private static let drifts = """
    <!-- m -->
    Drift.

    - error status: found status 404, expected 200 (`a.json:1:1`) <!-- a/b#ok status -->
    - note schema-field-added: found "x"

    """
  private static let links = """

    <!-- run -->
    In `run`: the page, `report.html`, and the captured responses, \
    `captures/20261121T032300Z/CONTRACT#CASE.json`.

    """
  private static let list = """
    issue list --label understudy-drift --state open --limit 100 --json number,body --jq \
    [.[] | select(.body | startswith("<!-- m -->")) | .number] | min // empty
    """
  private static let view = "issue view 7 --json body --jq .body"
  private static let edit = "issue edit 7 --body-file -"
  private static let comment = "issue comment 7 --body-file -"

  @Test("opens one issue on the first run that drifts")
  func opens() async throws {
    let morning = try await Self.morning("1", open: "")
    #expect(morning.run.code == 0, "\(morning.run.errors)")
    #expect(
      morning.calls == [
        "label create understudy-drift --color B60205 --description Live APIs differ from contracts"
          + " --force",
        "issue create --title Live APIs differ from their contracts --label understudy-drift"
          + " --body-file -",
      ])
    #expect(morning.sent == "== create\n\(Self.drifts)\(Self.links)")
    #expect(try await Self.morning("3", open: "").calls == [])
  }

  @Test("adds nothing on an identical run, whatever the links are")
  func identical() async throws {
    let shown = (Self.drifts + "\n<!-- run -->\nAnother run.\n").replacing("\n", with: "\r\n")
    let morning = try await Self.morning("1", open: "7\n", shown: shown)
    #expect(morning.calls == [Self.view])
    #expect(morning.run.output == "ci/deploy/nightly/issue: nothing has changed in issue 7\n")
  }

  @Test("edits without a comment where only the values found have changed")
  func values() async throws {
    let shown = Self.drifts.replacing("404", with: "410")
    let morning = try await Self.morning("1", open: "7\n", shown: shown)
    #expect(morning.calls == [Self.view, Self.edit])
    #expect(morning.sent == "== edit\n\(Self.drifts)\(Self.links)")
  }

  @Test("comments on what is new and what has ended, with links to the run")
  func news() async throws {
    let shown = """
      <!-- m -->
      - error outage: no response from x on 3 runs <!-- run outage no response from x on * runs -->
      - error status: found status 500, expected 200 <!-- a/c#ok status -->

      """
    let morning = try await Self.morning(
      "1", open: "7\n", shown: shown,
      environment: [
        "GITHUB_RUN_ID": "5", "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "o/r", "ARTIFACT_URL": "https://github.com/o/r/artifacts/6",
      ])
    #expect(morning.calls == [Self.view, Self.comment, Self.edit])
    let links = """
      Found by [this run](https://github.com/o/r/actions/runs/5). Its \
      [artifact](https://github.com/o/r/artifacts/6) has the page, `report.html`, and the captured \
      responses, `captures/20261121T032300Z/CONTRACT#CASE.json`.

      """
    #expect(
      morning.sent == """
        == comment
        New:

        - `a/b#ok`: error status: found status 404, expected 200 (`a.json:1:1`)
          captured response: `captures/20261121T032300Z/a/b#ok.json`

        Ended:

        - error outage: no response from x on 3 runs
        - `a/c#ok`: error status: found status 500, expected 200

        \(links)== edit
        \(Self.drifts)
        <!-- run -->
        \(links)
        """)
  }

  @Test("an outage that lasts another run is not new")
  func lastingOutage() async throws {
    func body(_ count: Int) -> String {
      "<!-- m -->\n- error outage: on \(count) runs <!-- run outage on * runs -->\n"
    }
    let morning = try await Self.morning("1", open: "7\n", shown: body(3), body: body(4))
    #expect(morning.calls == [Self.view, Self.edit])
  }

  @Test("does not say that something has ended where there was no room for it")
  func incomplete() async throws {
    let shown = """
      <!-- m -->
      - error status: found status 500 <!-- a/c#ok status -->
      1 more part left out here; see the page. <!-- incomplete -->

      """
    let morning = try await Self.morning("1", open: "7\n", shown: shown)
    #expect(!morning.sent.contains("Ended"))
    #expect(morning.sent.contains("New:\n\n- `a/b#ok`: error status"))
  }

  @Test("lists no more than fit in a comment")
  func many() async throws {
    let lines = (0..<60).map { "- error status: found status 404 <!-- a/x\($0)#ok status -->\n" }
    let morning = try await Self.morning(
      "1", open: "7\n", shown: "<!-- m -->\n", body: "<!-- m -->\n" + lines.joined())
    #expect(morning.sent.contains("- `a/x24#ok`: error status: found status 404\n- and 35 more\n"))
  }

  @Test("closes it when nothing is open any more, and says what has ended")
  func closes() async throws {
    let well = "<!-- m -->\nNothing differs from the contracts.\n"
    let closed = try await Self.morning("0", open: "7\n", shown: Self.drifts, body: well)
    let status = "error status: found status 404, expected 200 (`a.json:1:1`)"
    let end = "Ended:\n\n- `a/b#ok`: \(status)\n\n"
    let page = """
      In `run`: the page, `report.html`, and the captured responses, \
      `captures/20261121T032300Z/CONTRACT#CASE.json`.
      """
    #expect(
      closed.calls.joined(separator: "\n")
        == """
        \(Self.view)
        issue close 7 --reason completed --comment \(end)The live APIs are as the contracts say. \(page)
        """.split(separator: "\n").joined(separator: "\n"))
    #expect(try await Self.morning("0", open: "", body: well).calls == [])
  }

  @Test("where something could not be checked, only what is known to have ended has")
  func partly() async throws {
    // It could not be checked, so the report still has it.
    let still = try await Self.morning("3", open: "7\n", shown: Self.drifts)
    #expect(still.calls == [Self.view])
    let ended = try await Self.morning(
      "3", open: "7\n", shown: Self.drifts, body: "<!-- m -->\nAs far as could be checked.\n")
    #expect(
      ended.calls.contains { $0.hasPrefix("Nothing is open any more, as far as could be checked.") }
    )
  }

  @Test("leaves it alone when the run could not start")
  func unknown() async throws {
    let morning = try await Self.morning("2", open: "7\n", body: nil)
    #expect(morning.calls == [])
    #expect(morning.run.code == 0)
    #expect(
      morning.run.output
        == "ci/deploy/nightly/issue: the run could not start, so it is not known whether there is drift\n"
    )
  }

  @Test("says what it needs")
  func refusals() async throws {
    let usage = try await Self.morning("x", open: "")
    #expect(usage.run.code == 2)
    #expect(
      usage.run.errors
        == "usage: ci/deploy/nightly/issue CODE ISSUE.md, where CODE is 0, 1, 2 or 3\n")
    let empty = try await Self.morning("1", open: "", body: nil)
    #expect(empty.run.code == 2)
    #expect(
      empty.run.errors == """
        ci/deploy/nightly/issue: no text in run/issue.md, expected what --report \
        issue=run/issue.md wrote

        """)
    #expect(empty.calls == [])
  }
}
