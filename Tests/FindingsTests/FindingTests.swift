import Testing
import UnderstudyCore
import UnderstudyFindings

@Suite struct FindingTests {
  @Test("reads as a compiler's message, with the fix on its own line")
  func text() {
    let finding = Finding(
      .error, .wrongType, "found string \"200\", expected integer",
      at: Place("Contracts/a.json", SourcePosition(line: 12, column: 15)),
      fix: "remove the quotes: 200")
    #expect(
      finding.description == """
        Contracts/a.json:12:15: error: found string "200", expected integer [wrong-type]
          fix: remove the quotes: 200
        """)
  }

  @Test("sorts by file, place and severity")
  func order() {
    func make(_ severity: Finding.Severity, _ file: String, _ line: Int?) -> Finding {
      Finding(
        severity, .secret, "", at: Place(file, line.map { SourcePosition(line: $0, column: 1) }))
    }
    let sorted = [
      make(.error, "a", nil), make(.error, "a", 2), make(.warning, "a", 2), make(.warning, "a", 10),
      make(.error, "b", 1),
    ]
    #expect(sorted.reversed().byPlace == sorted)
  }
}
