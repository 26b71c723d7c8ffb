import Foundation
import Testing
import UnderstudyJSON
import UnderstudyYAML

/// Every JSON text is YAML, and means the same.
@Suite struct JSONAsYAMLTests {
  @Test(
    "reads JSON as JSON does",
    arguments: [
      #"{"a": [1, -0, 1.0, 1E+2, 0.10, true, null], "b": {}}"#, "[]", "null", "\"\"", " \n 12 \n",
      "{\n\t\"a\": \"\\u0000\\ud83d\\ude00\\/\",\n\t\"\\\"\": [\n\t]\n}\n",
      #"{"a":"é\u00e9","":1}"#,
      "[\"\u{7F}\u{2028}\", 123456789012345678901234567890, 1e-400]",
    ])
  func text(_ text: String) throws {
    let json = try JSONDocument(parsing: text)
    let yaml = try JSONDocument(yaml: Array(text.utf8))
    #expect(yaml.root.isEqual(to: json.root))
    #expect(yaml.root.position == json.root.position)
  }

  private static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("JSONTestSuite")
  }

  private static let names: [String] = {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) }
    return (names ?? []).filter { $0.hasPrefix("y_") }.sorted()
  }()

  /// YAML has no two members of one name.
  private static let duplicates: Set = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  @Test(
    "reads what JSON's test suite says is JSON",
    .enabled(if: folder != nil, "UNDERSTUDY_CONFORMANCE names no folder"), arguments: names)
  func suite(name: String) throws {
    let folder = try #require(Self.folder)
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    if Self.duplicates.contains(name) {
      #expect(readingError(bytes)?.kind == .duplicateKey)
    } else {
      #expect(try JSONDocument(yaml: bytes).root.isEqual(to: JSONDocument(parsing: bytes).root))
    }
  }
}
