import Foundation
import Testing
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudyTestSupport

import UnderstudyReports

/// Reports as those who read them see them.
@Suite struct ValidityTests {
  static let reports =
    [
      Samples.mixed, Report(Samples.run(planning: 0), checks: []),
      Report(Samples.run(shard: Shard(index: 3, count: 3), planning: 2), checks: []),
    ] + EscapingTests.texts.map(Samples.nasty)

  /// Jenkins checks by the second; the first is stricter, about what is written here alone.
  @Test(
    "is JUnit's XML to a validator",
    .enabled(if: XMLLint.path != nil, "xmllint is not installed; ci/setup does that"),
    arguments: ["junit.xsd", "junit-10.xsd"])
  func junit(schema: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-junit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try Self.reports.enumerated().map { number, report in
      let file = folder.appendingPathComponent("\(number).xml")
      try ReportFormat.junit.text(of: report).write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    #expect(try XMLLint.complaints(about: files, schema: Fixture.url(schema).path) == "")
  }

  @Test("the XSD does refuse an invalid report", .enabled(if: XMLLint.path != nil))
  func refusal() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: file) }
    try "<testsuites name=\"x\"/>".write(to: file, atomically: true, encoding: .utf8)
    let complaints = try XMLLint.complaints(
      about: [file.path], schema: Fixture.url("junit.xsd").path)
    #expect(complaints.contains("The attribute 'tests' is required"))
  }

  @Test("is SARIF 2.1.0 to a validator")
  func sarif() throws {
    let schema = try Schema(
      compiling: JSONDocument(parsing: Fixture.text("sarif.schema.json")).root)
    for report in Self.reports {
      let document = try JSONDocument(parsing: ReportFormat.sarif.text(of: report))
      #expect(schema.complaints(about: document.root).map(\.message) == [])
    }
    #expect(!schema.accepts(try JSONDocument(parsing: #"{"version":"2.1.0","runs":[{}]}"#).root))
  }

  @Test("SARIF has every rule that it names, and no two results share a fingerprint")
  func references() throws {
    for report in Self.reports {
      let run = try JSONDocument(parsing: ReportFormat.sarif.text(of: report)).root["runs"]?[0]
      let rules = run?["tool"]?["driver"]?["rules"]?.elements.map { $0["id"]?.string }
      let results = run?["results"].map { Array($0.elements) } ?? []
      for result in results {
        let index = try #require(result["ruleIndex"]?.int)
        #expect(rules?[index] == result["ruleId"]?.string)
      }
      let prints = results.map { $0["partialFingerprints"]?["primaryLocationLineHash"]?.string }
      #expect(Set(prints).count == results.count)
    }
  }

  @Test("is read back as it was written", arguments: EscapingTests.texts)
  func json(text: String) throws {
    let report = Samples.nasty(text)
    let bytes = Array(ReportFormat.json.text(of: report).utf8)
    let copy = try Report(parsing: bytes, file: "a.json")
    #expect(copy == report)
    #expect(copy.json == bytes)
  }

  @Test("TAP plans as many points as there are")
  func tap() {
    for report in Self.reports {
      let lines = ReportFormat.tap.text(of: report).split(separator: "\n")
      let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
      #expect(lines[1].hasPrefix("1..\(points.count)"))
      for (index, point) in points.enumerated() { #expect(point.contains("ok \(index + 1) - ")) }
    }
  }
}

/// The schema of the OASIS standard itself, found by the environment variable
/// `UNDERSTUDY_CONFORMANCE`; without it these tests are skipped.
@Suite(.enabled(if: OfficialSchema.file != nil, "UNDERSTUDY_CONFORMANCE has no sarif-spec"))
struct SARIFConformanceTests {
  @Test("is SARIF 2.1.0 to the official schema")
  func valid() throws {
    let schema = try OfficialSchema.schema()
    for report in ValidityTests.reports {
      let document = try JSONDocument(parsing: ReportFormat.sarif.text(of: report))
      #expect(schema.complaints(about: document.root).map(\.message) == [])
    }
  }

  @Test("the official schema does refuse invalid SARIF")
  func refusal() throws {
    let text = ReportFormat.sarif.text(of: try #require(ValidityTests.reports.first))
    let broken = text.replacing(#""level": "error""#, with: #""level": "bad""#)
    try #require(broken != text)
    #expect(try !OfficialSchema.schema().accepts(JSONDocument(parsing: broken).root))
  }
}

/// https://github.com/oasis-tcs/sarif-spec
private enum OfficialSchema {
  static let file = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"]
    .map { "\($0)/sarif-spec/sarif-2.1/schema/sarif-schema-2.1.0.json" }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

  /// What it says is the same in the draft it is written for and in ours.
  static func schema() throws -> Schema {
    let text = try String(contentsOfFile: file ?? "", encoding: .utf8).replacing(
      /"http:\/\/json-schema\.org\/draft-0\d\/schema#?"/,
      with: #""https://json-schema.org/draft/2020-12/schema""#)
    return try Schema(compiling: JSONDocument(parsing: text).root)
  }
}

/// The validator of libxml2.
private enum XMLLint {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/xmllint" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// What it says of files that are not valid; nothing when all are.
  static func complaints(about files: [String], schema: String) throws -> String {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = ["--noout", "--nonet", "--schema", schema] + files
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readOn(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").filter { !$0.hasSuffix(" validates") }
      .joined(separator: "\n")
  }
}
