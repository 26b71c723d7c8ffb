import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings

@testable import UnderstudyTool

/// Sections of `Sources/Manual/reference/findings.md`, and the help that is made of them.
@Suite struct FindingPageTests {
  private static let paragraphs = Dictionary(
    uniqueKeysWithValues: FindingType.allCases.map { type in
      let text = FindingPage.text(of: type.rawValue)
      return (type, text.split(separator: "\n\n").map { $0.replacing("\n", with: " ") })
    })

  @Test("every type has a section below its heading, in their order, and no section is left over")
  func all() {
    #expect(FindingPages.groups.flatMap(\.names) == FindingType.allCases.map(\.rawValue))
    #expect(FindingPages.sections.count == FindingType.allCases.count)
    #expect(FindingPages.groups.map(\.names.count).min() ?? 0 > 5)
    #expect(FindingPages.groups.last?.names == FindingType.rules.map(\.rawValue))
  }

  @Test("a section has the meaning, an example, a fix and the severity, in this order")
  func parts() {
    for type in FindingType.allCases {
      let paragraphs = Self.paragraphs[type] ?? []
      #expect(
        paragraphs.map { $0.prefix { !": \n".contains($0) } }.dropFirst()
          == ["```text", "Fix", "Severity"], "\(type.rawValue)")
      #expect(
        "\(paragraphs.first ?? "") ".hasPrefix("\(type.meaning) "), "\(type.rawValue)")
    }
  }

  @Test("an example is a finding of its type, of a severity that the section names")
  func examples() {
    for type in FindingType.allCases {
      let findings = FindingPage.example(of: type).filter { $0.hasSuffix("]") && $0.first != " " }
      #expect(findings.count == 1, "\(type.rawValue)")
      let severities = findings.map { line in
        line.matches(of: /(?:^|: )(error|warning|note): .* \[(.+?)\]$/).map { ($0.1, $0.2) }
      }
      #expect(severities.first?.first?.1 == type.rawValue[...], "\(type.rawValue)")
      let words = Self.paragraphs[type]?.last ?? ""
      #expect(severities.first?.first.map { words.contains($0.0) } == true, "\(type.rawValue)")
    }
  }

  @Test("the severity of a rule is that of lint")
  func severities() {
    for rule in FindingType.rules {
      let severity = Self.paragraphs[rule]?.last ?? ""
      let isError = rule.lintSeverity == .error
      let waived = try? SampleContracts([
        "Contracts/dog-ceo/upstream.json": """
        { "summary": "Dogs", "baseURL": "https://dog.ceo/api", "waive": { "\(rule.rawValue)": "So" } }
        """
      ]).run(["lint"]).output
      let isWaivable = waived?.contains("[unknown-rule]") == false
      #expect(
        severity
          == (isError
            ? "Severity: error."
            : isWaivable ? "Severity: warning." : "Severity: warning, which cannot be waived."),
        "\(rule.rawValue)")
    }
  }

  @Test("what --accepted is said to make a note can stand in its file")
  func accepted() {
    let said = FindingType.allCases.filter {
      Self.paragraphs[$0]?.last?.contains("`--accepted` makes it a note") == true
    }
    #expect(said.count > 15)
    for type in said {
      let entry = """
        [{ "contract": "a/b", "type": "\(type.rawValue)", "reason": "So", "until": "2027-01-31" }]
        """
      #expect(throws: Never.self, "\(type.rawValue)") {
        try AcceptedDrift(parsing: Array(entry.utf8), file: "accepted.json")
      }
    }
  }

  @Test("help prints a section without marks, its text wrapped and its example as it is")
  func page() {
    let run = CommandLineRun("help not-malformed")
    #expect(
      run.output == """
        not-malformed

        A malformed case is not malformed. What "malform" sends still is valid and
        matches its schema, so no consumer could notice it.

          Contracts/jokes/one.json:13:54: error: the malformed body is still valid JSON that matches its schema [not-malformed]
            fix: mutate a part that matters

        Fix: change a part that the schema describes, or add "schema" to the case that
        this one is like.

        Severity: error.

        """)
    #expect(run.errors == "" && run.code == .pass)
    let coloured = CommandLineRun(words: ["help", "not-malformed"], isColoured: true)
    #expect(coloured.output.hasPrefix("\u{1B}[1mnot-malformed\u{1B}[0m\n\nA malformed"))
  }

  @Test("every page fits 80 columns, but for its example")
  func widths() {
    for type in FindingType.allCases {
      let lines = CommandLineRun("help \(type.rawValue)").output.split(separator: "\n")
      #expect(lines.count > 4, "\(type.rawValue)")
      #expect(lines.filter { $0.count > 80 && !$0.hasPrefix("  ") } == [])
    }
    #expect(
      CommandLineRun("help findings").output.split(separator: "\n").filter { $0.count > 80 } == [])
  }

  @Test("the list has each of them, with its meaning")
  func list() {
    let output = CommandLineRun("help findings").output
    let words = output.split { $0 == " " || $0 == "\n" }
    for type in FindingType.allCases {
      #expect(words.contains(type.rawValue[...]), "\(type.rawValue)")
    }
    #expect(
      output.contains("\n  flaky                       The same check gave different results.\n"))
    #expect(
      output.hasSuffix(
        "\n\"understudy help NAME\" explains a finding, with an example and a fix.\n"))
  }

  @Test("an executable with commands of its own is named in them")
  func named() {
    let root = Understudy.command([], [], named: "showcase")
    #expect(
      CommandLineRun("help stale", of: root).output.contains(
        "  fix: run showcase drift jokes/one\n"))
    #expect(CommandLineRun("help findings", of: root).output.contains("\"showcase help NAME\""))
  }

  @Test(
    "a topic that does not exist, and a manual page of one that has none",
    arguments: [
      (
        "help shema-mismatch",
        """
        found "shema-mismatch" for TOPIC, expected a command, a finding, findings or json
          fix: did you mean "schema-mismatch"?
        """
      ),
      (
        "help colours",
        """
        found "colours" for TOPIC, expected a command, a finding, findings or json
          fix: "understudy help" lists the commands, "understudy help findings" the findings
        """
      ),
      (
        "help flaky --man",
        """
        --man cannot be used with flaky: only commands have manual pages
          fix: leave out --man, or name a command
        """
      ),
      (
        "help findings --man",
        """
        --man cannot be used with findings: only commands have manual pages
          fix: leave out --man, or name a command
        """
      ),
    ])
  func refused(line: String, message: String) {
    let run = CommandLineRun(line)
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.output == "" && run.code == .couldNotRun)
  }
}
