import Foundation
import Testing
import UnderstudyJSON
import UnderstudySchema

/// The official test suite, found by `UNDERSTUDY_CONFORMANCE`; without it these tests are skipped,
/// since its files are not part of the repository.
@Suite(.enabled(if: ConformanceSuite.root != nil, "UNDERSTUDY_CONFORMANCE is not set"))
struct ConformanceTests {
  @Test("passes every required test of draft 2020-12")
  func required() throws {
    let suite = try #require(ConformanceSuite.root.map(ConformanceSuite.init))
    var options = Schema.Options()
    options.assertFormats = false
    let outcome = try suite.run(suite.files(in: ""), options: options)
    #expect(outcome.failures == [])
    #expect(outcome.count >= 1299)
  }

  @Test("passes the optional tests of supported features")
  func optional() throws {
    let suite = try #require(ConformanceSuite.root.map(ConformanceSuite.init))
    // Left out: cross-draft.json, since no older draft is implemented.
    let names = try suite.files(in: "optional").filter { $0 != "optional/cross-draft.json" }
    var options = Schema.Options()
    options.assertFormats = false
    let outcome = try suite.run(names, options: options)
    #expect(outcome.failures == [])
    #expect(outcome.count >= 161)
  }

  @Test("passes every test of the formats that are checked")
  func formats() throws {
    let suite = try #require(ConformanceSuite.root.map(ConformanceSuite.init))
    // Left out, since these formats are not checked: idn-email, idn-hostname, iri, iri-reference,
    // relative-json-pointer and uri-template.
    let names = [
      "date-time", "date", "time", "duration", "uri", "uri-reference", "email", "hostname", "ipv4",
      "ipv6", "uuid", "regex", "ecmascript-regex", "json-pointer", "unknown",
    ]
    let outcome = try suite.run(
      names.map { "optional/format/\($0).json" }, options: Schema.Options())
    #expect(outcome.failures == [])
    #expect(outcome.count >= 556)
  }
}

/// The files of the suite and the schemas they refer to by URI.
private struct ConformanceSuite {
  static let root = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"]

  let folder: URL

  init(root: String) {
    folder = URL(filePath: root).appending(path: "JSON-Schema-Test-Suite")
  }

  struct Outcome {
    var count = 0
    var failures: [String] = []
  }

  func files(in part: String) throws -> [String] {
    let path = folder.appending(path: "tests/draft2020-12/\(part)").path(percentEncoded: false)
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".json") }.map { part.isEmpty ? $0 : "\(part)/\($0)" }.sorted()
  }

  func run(_ names: [String], options: Schema.Options) throws -> Outcome {
    var outcome = Outcome()
    for name in names {
      let file = try document("tests/draft2020-12/\(name)")
      for group in file.elements {
        let title = "\(name): \(group["description"]?.string ?? "")"
        let schemaValue = try #require(group["schema"])
        let tests = try #require(group["tests"])
        let schema: Schema
        do {
          schema = try Schema(compiling: schemaValue, options: options, resolver: resolve)
        } catch {
          outcome.failures.append("\(title): \(error)")
          continue
        }
        for test in tests.elements {
          outcome.count += 1
          let data = try #require(test["data"])
          let isValid = test["valid"]?.bool
          if schema.accepts(data) != isValid || schema.complaints(about: data).isEmpty != isValid
            || walked(schema, data) && isValid != true
          {
            outcome.failures.append("\(title): \(test["description"]?.string ?? "")")
          }
        }
      }
    }
    return outcome
  }

  private func document(_ path: String) throws -> JSONValue {
    let bytes = try Data(contentsOf: folder.appending(path: path))
    return try JSONDocument(parsing: [UInt8](bytes)).root
  }

  private func resolve(_ uri: String) -> JSONValue? {
    let prefix = "http://localhost:1234/"
    guard uri.hasPrefix(prefix) else { return nil }
    return try? document("remotes/\(uri.dropFirst(prefix.count))")
  }
}
