import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyConsumers

/// What is said of each kind of outcome beside each kind of expectation:
/// `Fixtures/Transcripts/outcomes.txt`.
@Suite struct OutcomeTranscriptTests {
  private static let outcomes: [(name: String, outcome: ConsumerOutcome)] = [
    ("7", .init(json: Array("7".utf8))), ("null", .init(json: Array("null".utf8))),
    ("object", .init(json: Array(#"{"a": 1, "b": [1, 2, {"c": true}]}"#.utf8))),
    ("twelve", .init(json: Array("[0,0,0,0,0,0,0,0,0,0,0,0]".utf8))),
    ("broken", .init(json: Array("{".utf8))), ("undeclared", .undeclared("it broke")),
    ("not started", .notStarted("no such file")),
    ("plain", .error(ConsumerError("plain"))),
    ("plain 404", .error(ConsumerError("plain", payload: "404", message: "gone"))),
    ("status 404", .error(ConsumerError("status", payload: "404"))),
    ("status", .error(ConsumerError("status"))),
    ("status no JSON", .error(ConsumerError("status", payload: "x"))),
    (
      "reset",
      .error(ConsumerError("plain", transport: TransportError(.reset, "cut", curlCode: 56)))
    ),
    (
      "slow",
      .error(
        ConsumerError("plain", transport: TransportError(.timedOut(.waiting), "late", curlCode: 28))
      )
    ),
    ("no code", .error(ConsumerError("plain", transport: TransportError(.reset, "cut")))),
    ("exit 0", ended(.exited(0), "one\ntwo\n", "")),
    ("exit 3", ended(.exited(3), "one", "no\nwell\n")),
    ("exit 3, no output", ended(.exited(3), "", "")),
    ("killed", ended(.killed(signal: "SIGKILL"), "", "bye")),
    ("withheld", ended(.exited(1), "", "no A\n", missing: ["A", "B_2"])),
  ]

  private static func ended(
    _ reason: CommandEnding.Reason, _ stdout: String, _ stderr: String, missing: [String] = []
  ) -> ConsumerOutcome {
    var printed = (PrintedText(), PrintedText())
    printed.0.append(stdout.utf8)
    printed.1.append(stderr.utf8)
    var ending = CommandEnding(reason, stdout: printed.0, stderr: printed.1)
    ending.missingVariables = missing
    return .ended(ending)
  }

  private static func line(_ finding: Finding) -> String {
    let place = finding.place.map { "\($0)" } ?? ""
    let path = finding.path.map { " \($0)" } ?? ""
    let diff = finding.diff.isEmpty ? "" : " \(finding.diff)"
    let fix = finding.fix.map { " (\($0))" } ?? ""
    return "\(finding.type.rawValue) \(place)\(path): \(finding.message)\(diff)\(fix)"
  }

  @Test("outcomes beside expectations")
  func outcomes() throws {
    let transcript = try Transcript("outcomes") { line in
      let isCommand = line.contains("exitCode")
      let library = ContractLibrary(reading: [
        "consumers.json": """
        { "c": { "upstreams": ["u"], \(isCommand ? #""command": ["true"]"#
          : #""errors": { "plain": null, "status": "integer", "any": "any" }"#) } }
        """,
        "u/upstream.json": "{}",
        "u/e.json": """
        { "request": { "method": "GET", "path": "/" }, "cases": {
        "it": { "status": 404, "body": {}, "expect": { "c": \(line) } } } }
        """,
      ])
      let errors = library.findings.filter { $0.severity == .error }
      guard let contract = library.contracts.first, errors.isEmpty,
        let served = contract.case(named: "it"), let expectation = served.expectations.first
      else { return errors.map { "wrong: \($0.message)" } }
      return Self.outcomes.flatMap { name, outcome in
        let all = [
          ("", OutcomeComparison(outcome, against: expectation, in: "e")),
          (
            " live",
            OutcomeComparison(live: outcome, of: served, against: expectation, in: "e")
          ),
        ]
        return all.flatMap { kind, comparison in
          let said = comparison.findings.map(Self.line)
          return (said.isEmpty ? ["fine"] : said).map { "\(name)\(kind): \($0)" }
        }
      }
    }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }
}
