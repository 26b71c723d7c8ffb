import Foundation
import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

@testable import UnderstudyTool

@Suite struct LintCommandTests {
  /// Two mistakes, one of them without a fix to offer.
  private static let broken = [
    "Contracts/dog-ceo/upstream.json": """
    {
      "baseURL": "https://dog.ceo/api",
      "owner": 7,
      "sumary": "Pictures of dogs"
    }
    """
  ]

  @Test("says on stdout that there are no problems, and in how much")
  func sound() throws {
    let run = try SampleContracts().run(["lint"])
    #expect(run.output == "3 files, 1 upstream, 1 contract, 5 cases: no problems\n")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test("prints every finding as compilers do, and their number on stderr")
  func text() throws {
    let run = try SampleContracts(Self.broken).run(["lint"])
    let expected = """
      Contracts/dog-ceo/upstream.json:3:12: error: found number 7, expected string [wrong-type]
      Contracts/dog-ceo/upstream.json:4:3: error: unknown key "sumary" in an upstream \
      [unknown-key]
        fix: did you mean "summary"?

      """
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(run.errors == "2 errors in 3 files\n")
    #expect(run.code == .findings)
  }

  @Test("checks the accepted drift of a whole folder")
  func accepted() throws {
    let samples = try SampleContracts([
      "Contracts/accepted.json": """
      [
        { "contract": "dog-ceo/random-image", "type": "status", "reason": "a", "until": "2027-01-31" },
        { "contract": "dog-ceo/random-images", "type": "status", "reason": "a", "until": "soon" }
      ]
      """
    ])
    let run = samples.run(["lint"])
    let expected = """
      Contracts/accepted.json:2:17: error: found string "dog-ceo/random-image", expected a contract \
      [bad-value]
        fix: did you mean "dog-ceo/random-images"?
      Contracts/accepted.json:3:84: error: found string "soon", expected a day: 2027-01-31 [bad-value]

      """
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(run.errors == "2 errors in 4 files\n")
    #expect(run.code == .findings)
    #expect(samples.run(["lint", "dog-ceo", "--contracts"]).code == .pass)
    try samples.write("Contracts/accepted.json", "[")
    #expect(samples.run(["lint"]).output.contains("Contracts/accepted.json:1:2: error: "))
  }

  @Test("a mistake in accepted drift has the rule of its kind, and is reported once")
  func acceptedMistakes() throws {
    let samples = try SampleContracts([
      "Contracts/accepted.json": """
      [ 7,
        { "contrac": "dog-ceo/random-images" },
        { "contract": "dog-ceo/random-images" },
        { "contract": 7, "type": "status", "reason": "a", "until": "2027-01-31" },
        { "contract": "dog-ceo/broken", "type": "status", "reason": "a", "until": "2027-01-31" } ]
      """,
      "Contracts/dog-ceo/broken.json": "{",
    ])
    let folder = samples.folder.appendingPathComponent("Contracts").path
    let run = samples.run(["lint", folder, "\(folder)/../Contracts", "--contracts"])
    let rules = run.output.matches(of: /accepted\.json:(\d+):.*\[(.*)\]/).map {
      "\($0.output.1) \($0.output.2)"
    }
    #expect(
      rules == ["1 wrong-type", "2 unknown-key", "3 missing-key", "4 wrong-type"], "\(run.output)")
  }

  @Test("counts a warning as a finding")
  func warning() throws {
    let contract = """
      {
        "summary": "All breeds",
        "request": { "method": "GET", "path": "/breeds/list/all" },
        "cases": { "ok": { "status": 200, "body": "hound" } },
        "waive": {
          "no-404-case": "it takes no name that could be wrong",
          "no-malformed-case": "random-images has one",
          "no-broken-case": "random-images has one"
        }
      }
      """
    let run = try SampleContracts(["Contracts/dog-ceo/all-breeds.json": contract]).run(["lint"])
    #expect(
      run.output == """
        Contracts/dog-ceo/all-breeds.json:4:12: warning: no slow response among the cases \
        [no-slow-case]
          fix: add a case with "delay", or waive "no-slow-case"

        """)
    #expect(run.errors == "1 warning in 4 files\n")
    #expect(run.code == .findings)
  }

  @Test("colours severities on a terminal")
  func colour() throws {
    let run = try SampleContracts(Self.broken).run(["lint"], isColoured: true)
    let first = try #require(run.output.split(separator: "\n").first)
    #expect(
      first == """
        \u{1B}[1mContracts/dog-ceo/upstream.json:3:12: \u{1B}[0m\u{1B}[1;31merror:\u{1B}[0m \
        found number 7, expected string \u{1B}[2m[wrong-type]\u{1B}[0m
        """)
  }

  @Test("prints the findings as JSON, with every key in every finding")
  func json() throws {
    let run = try SampleContracts(Self.broken).run(["lint", "--format", "json"])
    let expected = #"""
      {
        "files": 3,
        "upstreams": 1,
        "contracts": 1,
        "cases": 5,
        "errors": 2,
        "warnings": 0,
        "diagnostics": [
          {
            "severity": "error",
            "rule": "wrong-type",
            "file": "Contracts/dog-ceo/upstream.json",
            "line": 3,
            "column": 12,
            "message": "found number 7, expected string",
            "fix": null,
            "page": "\#(FindingType.wrongType.page)"
          },
          {
            "severity": "error",
            "rule": "unknown-key",
            "file": "Contracts/dog-ceo/upstream.json",
            "line": 4,
            "column": 3,
            "message": "unknown key \"sumary\" in an upstream",
            "fix": "did you mean \"summary\"?",
            "page": "\#(FindingType.unknownKey.page)"
          }
        ]
      }

      """#
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(throws: Never.self) { try JSONDocument(parsing: run.output) }
    #expect(run.errors == "2 errors in 3 files\n")
    #expect(run.code == .findings)
  }

  @Test("cannot run where there is nothing", arguments: ["lint", "list"])
  func missing(verb: String) throws {
    let samples = try SampleContracts()
    let nowhere = samples.folder.appendingPathComponent("nowhere").path
    let run = CommandLineRun(words: [verb, nowhere])
    #expect(
      run.errors == """
        understudy: error: no such file or folder: \(nowhere)
          fix: name a folder of contracts, one of its upstreams, or a contract file

        """)
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  @Test("writes the same reports as a run of the suite, each finding at its case")
  func reports() throws {
    let samples = try SampleContracts(only: [
      "Contracts/api/upstream.json": #"{ "summary": "Things" }"#,
      "Contracts/api/thing.json": """
      { "summary": "A thing", "request": { "method": "GET", "path": "/thing" },
        "cases": {
          "ok": { "status": 200, "body": {} },
          "gone": { "status": "410" } } }
      """,
      "Contracts/api/broken.json": "{",
    ])
    let run = samples.run([
      "lint", "--report", "github", "--report", "sarif=\(samples.folder.path)/lint.sarif",
    ])
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(
      lines.contains {
        $0.hasPrefix(
          "::error file=Contracts/api/thing.json,line=4,col=25,title=wrong-type::api/thing#gone: found"
        )
      }, "\(run.output)")
    #expect(
      lines.contains {
        $0.hasPrefix(
          "::error file=Contracts/api/broken.json,line=1,col=2,title=invalid-json::Contracts/api/broken#file: "
        )
      }, "\(run.output)")
    #expect(try samples.read("lint.sarif").contains(#""ruleId": "wrong-type""#))
    #expect(run.code == .findings)
  }
}
