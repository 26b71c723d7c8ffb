import Foundation
import Testing
import UnderstudyJSON
import UnderstudyYAML

/// https://github.com/yaml/yaml-test-suite, found by the environment variable
/// `UNDERSTUDY_CONFORMANCE`; without it these tests are skipped.
@Suite(.enabled(if: YAMLTestSuite.folder != nil, "UNDERSTUDY_CONFORMANCE names no folder"))
struct YAMLTestSuiteTests {
  @Test("refuses what is not YAML, with a message", arguments: YAMLTestSuite.invalid)
  func refused(name: String) throws {
    let error = try #require(readingError(try YAMLTestSuite.bytes(name, "in.yaml")))
    #expect(error.message.hasPrefix("found ") && error.message.contains(", expected "))
  }

  @Test("reads what is YAML to the same values as JSON", arguments: YAMLTestSuite.valid)
  func read(name: String) throws {
    let bytes = try YAMLTestSuite.bytes(name, "in.yaml")
    if let reason = Self.refused[name] {
      #expect(readingError(bytes)?.kind == reason)
      return
    }
    let documents = try YAMLStream.documents(of: bytes)
    if let expected = Self.withoutJSON[name] {
      #expect(documents.map { String(decoding: $0.root.compact, as: UTF8.self) } == expected)
    } else {
      let json = try YAMLTestSuite.bytes(name, "in.json")
      let values = try YAMLTestSuite.values(json)
      #expect(documents.map(\.root).elementsEqual(values) { $0.isEqual(to: $1) })
    }
  }

  @Test("every name in the lists is one of the suite, and no list is longer than it must be")
  func complete() {
    let listed = Set(Self.refused.keys).union(Self.withoutJSON.keys)
    #expect(listed.isSubset(of: YAMLTestSuite.valid))
    #expect(YAMLTestSuite.valid.count > 300 && YAMLTestSuite.invalid.count > 90)
  }

  /// Valid YAML for which JSON has nothing: keys that are collections, tags of other schemas.
  static let refused: [String: YAMLError.Kind] = [
    // The key without any text is there twice.
    "2JQS": .duplicateKey, "PW8X": .duplicateKey,
    // Tags that are not of the core schema.
    "2XXW": .unsupportedTag, "565N": .unsupportedTag, "5TYM": .unsupportedTag,
    "6CK3": .unsupportedTag, "6WLZ": .unsupportedTag, "7FWL": .unsupportedTag,
    "9WXW": .unsupportedTag, "C4HZ": .unsupportedTag, "CC74": .unsupportedTag,
    "CUP7": .unsupportedTag, "J7PZ": .unsupportedTag, "M5C3": .unsupportedTag,
    "P76L": .unsupportedTag, "UGM3": .unsupportedTag, "Z67P": .unsupportedTag,
    "Z9M4": .unsupportedTag,
    // Collections as keys; the first has an anchor, and so has the mapping.
    "6BFJ": .invalidAnchor,
    "4FJ6": .complexKey, "6PBE": .complexKey, "9MMW": .complexKey,
    "KK5P": .complexKey, "LX3P": .complexKey, "M2N8/00": .complexKey, "M2N8/01": .complexKey,
    "M5DY": .complexKey, "Q9WF": .complexKey, "RZP5": .complexKey, "SBG9": .complexKey,
    "V9D5": .complexKey, "X38W": .complexKey, "XW4D": .complexKey,
  ]

  /// Valid YAML for which the suite has no JSON: keys without any text, which are empty text here.
  static let withoutJSON: [String: [String]] = [
    "4ABK": [#"{"unquoted":"separate","http://foo.com":null,"omitted value":null}"#],
    "6M2F": [#"{"a":"b","":"a"}"#],
    "CFD4": [#"[[{"":"empty key"}],[{"":"another empty key"}]]"#],
    "DFF7": [#"{"explicit":"entry","implicit":"entry","":null}"#],
    "FH7J": [#"["",{"":"a","b":""},{"":null}]"#],
    "FRK4": [#"{"foo":null,"":"bar"}"#],
    "NHX8": [#"{"":null}"#],
    "NKF9": [
      #"{"key":"value","":"empty key"}"#, #"{"key":"value","":"empty key"}"#, #"{"":null}"#,
      #"{"":null}"#,
    ],
    "S3PD": [#"{"plain key":"in-line value","":null,"quoted key":["entry"]}"#],
    "SM9W/01": [#"{"":null}"#],
    "UKK6/00": [#"[{"":null}]"#],
    "UKK6/02": [#""""#],
  ]
}

enum YAMLTestSuite {
  static let folder = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("yaml-test-suite")
  }

  static let valid = cases.filter { !has("error", $0) }
  static let invalid = cases.filter { has("error", $0) }

  /// Cases by their folders, some of which have several in folders of their own.
  private static let cases: [String] = {
    guard let folder, let files = FileManager.default.enumerator(atPath: folder.path) else {
      return []
    }
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix("/in.yaml") }
      .map { String($0.dropLast("/in.yaml".count)) }.sorted()
  }()

  private static func has(_ file: String, _ name: String) -> Bool {
    guard let folder else { return false }
    return FileManager.default.fileExists(
      atPath: folder.appendingPathComponent("\(name)/\(file)").path)
  }

  static func bytes(_ name: String, _ file: String) throws -> [UInt8] {
    let folder = try #require(folder)
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name)/\(file)")))
  }

  /// The values of a file with one JSON text after another, which end where the next one is no part
  /// of them.
  static func values(_ bytes: [UInt8]) throws -> [JSONValue] {
    var values: [JSONValue] = []
    var rest = bytes[...]
    while true {
      do throws(JSONError) {
        values.append(try JSONDocument(parsing: Array(rest)).root)
        return values
      } catch {
        if error.kind == .empty { return values }
        try #require(error.kind == .textAfterEnd)
        values.append(try JSONDocument(parsing: Array(rest.prefix(error.offset))).root)
        rest = rest.dropFirst(error.offset)
      }
    }
  }
}
