import Testing
import UnderstudyFindings

@testable import UnderstudyContractModel

@Suite struct LintRuleTests {
  @Test("reports everything that is wrong, where, and how to fix it", arguments: Complaint.all)
  func says(_ complaint: Complaint) throws {
    let heard = try complaint.heard()
    #expect(heard == complaint.says, "\(heard)")
  }

  @Test(
    "repeats no secret of a file, whether that is a contract or not",
    arguments: [
      #"{ "request": "ghp_hush\#(String(repeating: "0a", count: 16))" }"#,
      #"{ "request": "https://app:hush42@db.example/x", "cases": {} }"#,
      #"{ "cases": "-----BEGIN \#("PRIVATE KEY")-----\nhush\#(String(repeating: "A", count: 64))" }"#,
    ])
  func secrets(text: String) throws {
    let folder = try ContractFolder(Sample.files.merging(["api/thing.json": text]) { $1 })
    let heard = try folder.load().findings.map(\.description).joined(separator: "\n")
    #expect(heard.contains("[redacted]"), "\(heard)")
    #expect(!heard.contains("hush"), "\(heard)")
  }

  @Test("has an example of every rule")
  func everyRule() {
    let texts = Complaint.all.map(\.says).joined(separator: "\n")
    let untested = FindingType.rules.filter { !texts.contains("[\($0.rawValue)]") }
    #expect(untested == [])
  }
}
