import Testing

@testable import ContractModel

@Suite struct DiagnosticTests {
  @Test("says all that is wrong, where, and how to mend it", arguments: Complaint.all)
  func says(_ complaint: Complaint) throws {
    let heard = try complaint.heard()
    #expect(heard == complaint.says, "\(heard)")
  }

  @Test("has an example of every rule")
  func everyRule() {
    let texts = Complaint.all.map(\.says).joined(separator: "\n")
    let untested = LintRule.allCases.filter { !texts.contains("[\($0.rawValue)]") }
    #expect(untested == [])
  }
}
