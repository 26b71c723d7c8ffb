import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyReports

@Suite struct NamingTests {
  @Test(
    "every report names every failed check and what was found", arguments: 0..<50 as Range<UInt64>)
  func failures(seed: UInt64) {
    var generator = Dice(seed: seed)
    let report = Self.random(&generator)
    for format in ReportFormat.allCases {
      let text = format.text(of: report)
      for check in report.checks(.fail) {
        let (name, message) = (check.identity.description, check.findings[0].message)
        switch format {
        case .json:
          #expect(text.contains("\"\(check.identity.caseName)\""))
          #expect(text.contains(message))
        case .markdown:
          #expect(text.contains(MarkdownReport.escaped(name)))
          #expect(text.contains(MarkdownReport.escaped(message)))
        case .tap:
          #expect(text.contains(TAPReport.escaped(name)))
          #expect(text.contains(message))
        case .html:
          #expect(text.contains(check.identity.caseName))
          #expect(text.contains(message))
        case .issue:
          // Of several of a type at one place, it shows one.
          #expect(text.contains(check.identity.caseName))
          #expect(text.contains(message.prefix(upTo: message.firstRange(of: "and")!.upperBound)))
        case .badge:
          #expect(text.contains("\"color\":\"red\""))
        case .console, .junit, .github, .sarif:
          #expect(text.contains(name))
          #expect(text.contains(message))
        }
      }
      for finding in report.findings where format != .badge {
        #expect(text.contains(finding.type.rawValue))
      }
    }
  }

  private static func random(_ generator: inout Dice) -> Report {
    let checks = (0..<Int.random(in: 0...30, using: &generator)).map { number in
      let identity = Check.Identity(
        "up-\(Int.random(in: 0...3, using: &generator))/end", "case-\(number)",
        consumer: Bool.random(using: &generator) ? "some.consumer" : nil)
      let place = Place("Contracts/a.json", SourcePosition(line: number + 1, column: 3))
      let duration = Duration.milliseconds(Int.random(in: 0...100_000, using: &generator))
      switch Int.random(in: 0...4, using: &generator) {
      case 0: return Check.couldNotCheck(identity, at: place, because: "away", duration: duration)
      case 1: return Check.notExercised(identity, at: place, because: "retired")
      default:
        let findings = (0..<Int.random(in: 0...3, using: &generator)).map { index in
          Finding(
            Finding.Severity.allCases.randomElement(using: &generator) ?? .error,
            FindingType.allCases.randomElement(using: &generator) ?? .value,
            "found \(number) and \(index)", path: index == 1 ? ["a", "\(number)"] : nil,
            diff: index == 2 ? ["-a", "+b"] : [])
        }
        return Check.checked(
          identity, at: place, findings: findings,
          failsOn: Bool.random(using: &generator) ? .error : .warning, duration: duration)
      }
    }
    return Report(
      Samples.run(planning: Int.random(in: 0...40, using: &generator)), checks: checks)
  }

  @Test(
    "reads the value of --report",
    arguments: [
      ("junit=out/x.xml", ReportFormat.junit, "out/x.xml"), ("github", .github, nil),
      ("json=a=b", .json, "a=b"), ("console", .console, nil),
    ] as [(String, ReportFormat, String?)])
  func requests(text: String, format: ReportFormat, path: String?) throws {
    let request = try #require(ReportRequest(parsing: text))
    #expect(request.format == format)
    #expect(request.path == path)
    #expect(request.description == text)
  }

  @Test("refuses an invalid report", arguments: ["", "=", "=x", "junit=", "xml=x", "JUnit=x"])
  func refusals(text: String) {
    #expect(ReportRequest(parsing: text) == nil)
  }

  @Test("a very long diff is cut, but not in JSON")
  func diff() {
    let long = String(repeating: "é", count: 301)
    let finding = Finding(.error, .value, "", diff: [long, String(long.dropLast())])
    #expect(finding.shortDiff == [long.dropLast() + "…", String(long.dropLast())])
    let high = Finding(.error, .value, "", diff: (1...62).map { "+\($0)" })
    #expect(high.shortDiff.count == 61)
    #expect(high.shortDiff.suffix(2) == ["+60", "… and 2 more lines"])
    let check = Check.checked(
      Check.Identity("a/b", "c", consumer: nil), at: Place("a.json"), findings: [high])
    let report = Report(Samples.run(planning: 1), checks: [check])
    for format in ReportFormat.allCases where ![.sarif, .issue, .badge].contains(format) {
      #expect(format.text(of: report).contains("+62") == (format == .json), "\(format.rawValue)")
    }
  }

  @Test(
    "says a time so that it can be compared at a glance",
    arguments: [
      (-1_234, "0 ms", "0.000"), (0, "0 ms", "0.000"), (999, "999 ms", "0.999"),
      (1_000, "1.0 s", "1.000"),
      (59_990, "59.9 s", "59.990"), (60_000, "1 min 0 s", "60.000"),
      (3_725_040, "62 min 5 s", "3725.040"),
    ])
  func times(milliseconds: Int, words: String, seconds: String) {
    #expect(Duration.milliseconds(milliseconds).words == words)
    #expect(Duration.milliseconds(milliseconds).seconds == seconds)
  }
}
