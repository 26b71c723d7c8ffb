internal import Foundation

/// A table in a file: inputs, a line each, and indented below each of them what becomes of it.
///
/// With `UNDERSTUDY_TRANSCRIPTS=write`, a test writes what it finds in place of what it expects.
package struct Transcript {
  package let expected: String
  package private(set) var found = ""

  /// - Parameters:
  ///   - name: of the file in `Fixtures/Transcripts` beside the test.
  ///   - outcome: one line each; what it throws is one, too.
  package init(
    _ name: String, beside file: String = #filePath, _ outcome: (String) throws -> [String]
  ) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let path = "\(folder)/Fixtures/Transcripts/\(name).txt"
    expected = try String(contentsOfFile: path, encoding: .utf8)
    for line in expected.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("  ") { continue }
      found += "\(line)\n"
      if line.hasPrefix("# ") { continue }
      for line in Self.lines(of: String(line), outcome) { found += "  \(line)\n" }
    }
    if ProcessInfo.processInfo.environment["UNDERSTUDY_TRANSCRIPTS"] == "write" {
      try Data(found.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private static func lines(
    of input: String, _ outcome: (String) throws -> [String]
  ) -> [String] {
    do { return try outcome(input) } catch { return ["throws \(error)"] }
  }
}
