import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyReports

extension Samples {
  private static let repos = "Contracts/github/repos.json"
  private static let joke = "Contracts/joke/random-joke.json"
  /// `2026-11-21T02:00:00Z`
  private static let tonight = 1_795_226_400

  /// A night on which one endpoint drifts, one has changed, one is out, and some are not asked.
  static let drift = Report(
    Run(
      command: "understudy drift", toolVersion: "0.1.0", plannedCount: 8,
      startedAt: "2026-11-21T02:00:00Z", duration: .milliseconds(38_400)),
    checks: [
      .judged(
        Check.Identity("dog-ceo/random-images", "ok", consumer: nil),
        at: Place("Contracts/dog-ceo/random-images.json"), duration: .milliseconds(212)),
      .judged(
        Check.Identity("dog-ceo/random-images", "ok", consumer: "dogs.random"),
        at: Place("Contracts/dog-ceo/random-images.json"), duration: .milliseconds(212)),
      .judged(
        Check.Identity("github/repos", "ok", consumer: nil),
        at: Place(repos, SourcePosition(line: 9, column: 5)),
        findings: [
          Finding(
            .info, .schemaFieldAdded, "found \"topics\", which nobody reads", path: ["0", "topics"]),
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
      .judged(
        Check.Identity("github/repos", "ok", consumer: "repos.list"),
        at: Place(repos, SourcePosition(line: 12, column: 17)),
        findings: [
          Finding(
            .error, .consumerBroken, "found the error \"invalidData\", expected a value",
            at: Place(repos, SourcePosition(line: 8, column: 17)),
            fix: "make repos.list handle such an answer, or ask GitHub to revert the change",
            frequency: Finding.Frequency(1, of: 2))
        ], duration: .milliseconds(431)),
      .judged(
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
        because: "found no answer within 30 s"),
    ],
    findings: [
      Finding(
        .error, .outage,
        "found no answer from joke that can be judged on 3 nights in a row",
        fix: "ask the official_joke_api project")
    ],
    owners: [
      "github": "GitHub, https://www.githubstatus.com", "joke": "the official_joke_api project",
    ])

  static let driftContext = ReportContext(
    history: History(nights), contractTexts: [repos: contractText])

  private static let nights = (0..<40).flatMap { night -> [HistoryRecord] in
    let at = tonight - (39 - night) * 86_400
    let status = Finding(.error, .schemaNullabilityChanged, "found null, expected a string")
    let header = Finding(.warning, .headerChanged, "found Content-Type \"text/html\"")
    var records = [
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("dog-ceo/random-images", "ok", consumer: nil),
        .pass,
        latency: .milliseconds(200 + night * 37 % 90 + (night == 20 ? 700 : 0))),
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("github/repos", "ok", consumer: nil),
        night > 31 ? .fail : .pass,
        latency: .milliseconds(300 + night * 3), findings: night > 31 ? [status] : []),
      HistoryRecord(
        at: Moment(unixSeconds: at), Check.Identity("joke/random-joke", "ok", consumer: nil),
        night > 36 ? .couldNotCheck : .pass, because: night > 36 ? "no answer" : nil,
        latency: night > 36 ? nil : .milliseconds(90 + night * 11 % 40)),
    ]
    if night % 7 != 3 {
      records.append(
        HistoryRecord(
          at: Moment(unixSeconds: at), Check.Identity("github/repos", "not-found", consumer: nil),
          .pass,
          latency: .milliseconds(120), findings: night > 25 ? [header] : []))
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
