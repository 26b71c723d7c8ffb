import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reports to write.
enum Samples {
  private static let images = "Contracts/dog-ceo/random-images.json"
  private static let repos = "Contracts/github/repos.json"

  /// One check of each result, one that passed with a remark, and a remark about the run itself.
  static let mixed = Report(
    Run(
      command: "understudy test", toolVersion: "0.1.0", seed: 7, plannedCount: 5,
      startedAt: "2026-11-20T22:55:36Z", duration: .milliseconds(4_210)),
    checks: [
      .checked(
        Check.Identity("dog-ceo/random-images", "ok", consumer: "images.random"),
        at: place(images, 8, 5), duration: .milliseconds(12)),
      .checked(
        Check.Identity("dog-ceo/random-images", "not-found", consumer: "images.random"),
        at: place(images, 21, 5),
        findings: [
          Finding(
            .error, .outcome, "found a value, expected the error \"unexpectedStatus\"",
            at: place(images, 24, 9),
            diff: ["--- expected", "+++ found", "@@ -1 +1 @@", "-{\"error\":404}", "+[\"a.jpg\"]"],
            fix: "let the service look at the status before the body"),
          Finding(.warning, .requestCount, "found 2 requests, expected 1"),
        ], duration: .milliseconds(7), attemptCount: 3),
      .couldNotCheck(
        Check.Identity("github/repos", "slow", consumer: "repos.list"), at: place(repos, 40, 5),
        because: "the machine kept 3.2 s, expected 2 s", duration: .milliseconds(3_200)),
      .notExercised(
        Check.Identity("github/repos", "full", consumer: nil), at: place(repos, 50, 5),
        because: "no consumer expects anything of it"),
      .checked(
        Check.Identity("github/repos", "ok", consumer: "repos.list"), at: place(repos, 9, 5),
        findings: [
          Finding(
            .note, .schemaFieldAdded, "found \"topics\", which nobody reads",
            path: ["0", "topics"])
        ], duration: .milliseconds(88)),
    ],
    findings: [
      Finding(
        .warning, .coverage, "no case ends in the error \"rateLimited\" of repos.list",
        at: Place("Contracts/consumers.json", SourcePosition(line: 4, column: 3)),
        fix: "add a case, or take the error out")
    ],
    owners: ["dog-ceo": "the people of <dog.ceo>", "joke": "nobody"])

  /// One failed check with such a text wherever a text can stand.
  static func nasty(_ text: String) -> Report {
    let place = Place("Contracts/\(text).json", SourcePosition(line: 1, column: 1))
    return Report(
      Run(
        command: "understudy \(text)", toolVersion: text, plannedCount: 3,
        startedAt: "2026-11-20T22:55:36Z",
        duration: .zero),
      checks: [
        .checked(
          Check.Identity("up/stream", "case", consumer: text), at: place,
          findings: [
            Finding(
              .error, .value, text, at: place, path: JSONPointer([text]), diff: [" \(text)", text],
              fix: text)
          ]),
        .couldNotCheck(
          Check.Identity("up/\(text)", text, consumer: text), at: place, because: text),
        .notExercised(Check.Identity("up/stream", text, consumer: nil), at: place, because: text),
      ],
      findings: [Finding(.error, .coverage, text, at: place, fix: text)], owners: ["up": text])
  }

  /// 10,000 checks of 500 endpoints, of which one in fifty failed.
  static let many = Report(
    run(planning: 10_000),
    checks: (0..<10_000).map { number in
      .checked(
        Check.Identity(
          "api-\(number % 10)/endpoint-\(number % 500)", "case-\(number / 500)", consumer: "c"),
        at: place(images, number / 500, 1),
        findings: number % 50 == 7
          ? [
            Finding(
              .error, .value, "found 1, expected 2",
              diff: ["--- expected", "+++ found", "@@ -1 +1 @@", "-2", "+1"])
          ] : [], duration: .milliseconds(12))
    })

  static func run(
    shard: Shard? = nil, planning count: Int, failsOn: Finding.Severity = .error
  ) -> Run {
    Run(
      command: "understudy test", toolVersion: "0.1.0", shard: shard, plannedCount: count,
      failsOn: failsOn, startedAt: "2026-11-20T22:55:36Z", duration: .zero)
  }

  private static func place(_ file: String, _ line: Int, _ column: Int) -> Place {
    Place(file, SourcePosition(line: line, column: column))
  }
}
