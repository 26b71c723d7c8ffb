internal import Foundation

/// A table in a file: inputs, a line each, and indented below each of them what becomes of it.
///
/// Of near inputs, which are thousands, a line has how many outcomes they have, and a hash of these.
///
/// With `UNDERSTUDY_TRANSCRIPTS=write`, a test writes what it finds in place of what it expects. With a folder
/// instead, it writes there what becomes of near inputs, so that two versions can be compared.
package struct Transcript {
  private static let nearMax = 16

  package let expected: String
  package private(set) var found = ""

  /// - Parameters:
  ///   - name: of the file in `Fixtures/Transcripts` beside the test.
  ///   - near: the near inputs of one, such as `NearInputs.ofJSON`.
  ///   - outcome: one line each; what it throws is one, too.
  package init(
    _ name: String, beside file: String = #filePath, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let path = Self.path(name, beside: file)
    expected = try String(contentsOfFile: path, encoding: .utf8)
    var nearOnes = ""
    for line in expected.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("  ") { continue }
      found += "\(line)\n"
      if line.hasPrefix("# ") { continue }
      for line in Self.lines(of: String(line), outcome) { found += "  \(line)\n" }
      let all = near(String(line))
      // Evenly over all of them.
      let others = (0..<min(all.count, Self.nearMax)).map {
        all[$0 * all.count / min(all.count, Self.nearMax)]
      }
      guard !others.isEmpty else { continue }
      var (outcomes, hash) = (Set<[String]>(), UInt64(0xcbf2_9ce4_8422_2325))
      for other in others {
        let lines = Self.lines(of: other, outcome)
        outcomes.insert(lines)
        for byte in lines.joined(separator: "\n").utf8 {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        nearOnes += "\(other)\n" + lines.map { "  \($0)\n" }.joined()
      }
      found += "  near: \(others.count), outcomes: \(outcomes.count), \(String(hash, radix: 36))\n"
    }
    switch ProcessInfo.processInfo.environment["UNDERSTUDY_TRANSCRIPTS"] {
    case "write": try Data(found.utf8).write(to: URL(fileURLWithPath: path))
    case let folder?:
      let target = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
      try Data(nearOnes.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(target)-\(name).txt"))
    case nil: break
    }
  }

  /// For outcomes that are awaited, before a transcript is made of them.
  package static func inputs(of name: String, beside file: String = #filePath) throws -> [String] {
    try String(contentsOfFile: path(name, beside: file), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("  ") && !$0.hasPrefix("# ") }
  }

  private static func path(_ name: String, beside file: String) -> String {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    return "\(folder)/Fixtures/Transcripts/\(name).txt"
  }

  private static func lines(
    of input: String, _ outcome: (String) throws -> [String]
  ) -> [String] {
    do { return try outcome(input) } catch { return ["throws \(error)"] }
  }
}
