import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyReports

extension Samples {
  private static let repos = "Contracts/github/repos.json"
  private static let joke = "Contracts/joke/random-joke.json"
  /// `2026-11-21T02:00:00Z`
  private static let tonight = 1_795_226_400

  /// A run on which one endpoint drifts, one has changed, one is out, and some are not asked.
  static let drift = Report(
    Run(
      command: "understudy drift", toolVersion: "0.1.0", plannedCount: 8,
      startedAt: "2026-11-21T02:00:00Z", duration: .milliseconds(38_400),
      revision: Revision(commit: String(repeating: "0123456789", count: 4), branch: "main")),
    checks: [
      .checked(
        Check.Identity("dog-ceo/random-images", "ok", consumer: nil),
        at: Place("Contracts/dog-ceo/random-images.json"), duration: .milliseconds(212)),
      .checked(
        Check.Identity("dog-ceo/random-images", "ok", consumer: "dogs.random"),
        at: Place("Contracts/dog-ceo/random-images.json"), duration: .milliseconds(212)),
      .checked(
        Check.Identity("github/repos", "ok", consumer: nil),
        at: Place(repos, SourcePosition(line: 9, column: 5)),
        findings: [
          Finding(
            .note, .schemaFieldAdded, "found \"topics\", which nobody reads", path: ["0", "topics"]),
          Finding(
            .error, .schemaNullabilityChanged,
            "found null, expected a string: /0/language may be null now",
            at: Place(repos, SourcePosition(line: 6, column: 42)), path: ["0", "language"],
            diff: [
              "--- contract", "+++ live", "@@ -1,3 +1,3 @@", " {", "-  \"language\": \"Swift\"",
              "+  \"language\": null", " }",
            ],
            fix:
              "say so in the schema, and let the service take it: \"type\": [\"string\", \"null\"]"
          ),
        ], duration: .milliseconds(431), attemptCount: 2),
      .checked(
        Check.Identity("github/repos", "ok", consumer: "repos.list"),
        at: Place(repos, SourcePosition(line: 12, column: 17)),
        findings: [
          Finding(
            .error, .consumerBroken, "found the error \"invalidData\", expected a value",
            at: Place(repos, SourcePosition(line: 8, column: 17)),
            fix:
              "make repos.list handle such a response, ask GitHub to revert the change, or accept"
              + " it with a reason",
            frequency: Finding.Frequency(1, of: 2))
        ], duration: .milliseconds(431)),
      .checked(
        Check.Identity("github/repos", "not-found", consumer: nil),
        at: Place(repos, SourcePosition(line: 10, column: 5)),
        findings: [
          Finding(
            .warning, .headerChanged, "found Content-Type \"text/html\", expected application/json",
            at: Place(repos, SourcePosition(line: 10, column: 30)), header: "Content-Type"),
          Finding(
            .warning, .arrayEmptied, "found an empty array, expected elements as in the example",
            path: []),
        ], duration: .milliseconds(120)),
      .notExercised(
        Check.Identity("github/repos", "full", consumer: nil), at: Place(repos),
        because: "it is not live"),
      .notExercised(
        Check.Identity("github/repos", "slow", consumer: nil), at: Place(repos),
        because: "it is not live"),
      .couldNotCheck(
        Check.Identity("joke/random-joke", "ok", consumer: nil), at: Place(joke),
        because: "no response within 30 s"),
    ],
    findings: [
      Finding(
        .error, .outage,
        "no response from joke could be checked on 3 runs in a row",
        fix: "ask the official_joke_api project")
    ],
    owners: [
      "github": "GitHub, https://www.githubstatus.com", "joke": "the official_joke_api project",
    ])

  static let driftContext = {
    var context = ReportContext(
      history: History(runs), contractText: { $0 == repos ? contractText : nil },
      captures: { caseID, at in
        at.date > "2026-11-19" ? ".understudy/drift/captures/\(at.date)/\(caseID).json" : nil
      },
      patch: {
        """
        --- a/\(repos)
        +++ b/\(repos)
        @@ -6 +6 @@
        -      "schema": { "properties": { "language": { "type": "string" } } },
        +      "schema": { "properties": { "language": { "type": ["string", "null"] } } },

        """
      })
    context.path = ".understudy/drift/report.html"
    return context
  }()

  private static let runs = (0..<40).flatMap { run -> [HistoryRecord] in
    let at = tonight - (39 - run) * 86_400
    let status = Finding(.error, .schemaNullabilityChanged, "found null, expected a string")
    let header = Finding(.warning, .headerChanged, "found Content-Type \"text/html\"")
    var records = [
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("dog-ceo/random-images", "ok", consumer: nil),
        .pass,
        latency: .milliseconds(200 + run * 37 % 90 + (run == 20 ? 700 : 0))),
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("github/repos", "ok", consumer: nil),
        run > 31 ? .fail : .pass,
        latency: .milliseconds(300 + run * 3), findings: run > 31 ? [status] : []),
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("joke/random-joke", "ok", consumer: nil),
        run > 36 ? .couldNotCheck : .pass, because: run > 36 ? "no response" : nil,
        latency: run > 36 ? nil : .milliseconds(90 + run * 11 % 40)),
    ]
    if run % 7 != 3 {
      records.append(
        HistoryRecord(
          at: Moment(unixSeconds: at), Check.Identity("github/repos", "not-found", consumer: nil),
          .pass,
          latency: .milliseconds(120), findings: run > 25 ? [header] : []))
    }
    return records
  }

  private static let contractText = """
    {
      "request": { "method": "GET", "path": "/orgs/{org}/repos" },
      "cases": {
        "ok": {
          "status": 200,
          "schema": { "properties": { "language": { "type": "string" } } },
          "live": {},
          "expect": { "repos.list": { "value": [{ "name": "<swift>" }] } }
        },
        "not-found": { "status": 404, "headers": { "Content-Type": "application/json" }, "live": {} }
      }
    }

    """
}
