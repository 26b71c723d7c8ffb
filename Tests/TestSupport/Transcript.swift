internal import Foundation
internal import UnderstudyCore

/// A table in a file: inputs, a line each, and indented below each of them what becomes of it.
///
/// Of near inputs, which are thousands, a line has how many outcomes they have, and a hash of
/// these.
///
/// With `UNDERSTUDY_TRANSCRIPTS=write`, a test writes what it finds in place of what it expects.
/// With a folder instead, it writes there what becomes of near inputs, so that two versions can be
/// compared.
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
    expected = try String(contentsOfFile: Self.path(name, beside: file), encoding: .utf8)
    var nearOnes = ""
    for line in expected.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("  ") { continue }
      found += "\(line)\n"
      if line.hasPrefix("# ") { continue }
      for line in Self.lines(of: String(line), outcome) { found += "  \(line)\n" }
      let others = Self.spread(near(String(line)), Self.nearMax)
      guard !others.isEmpty else { continue }
      var (outcomes, fingerprint) = (Set<[String]>(), Fingerprint())
      for other in others {
        let lines = Self.lines(of: other, outcome)
        outcomes.insert(lines)
        fingerprint.add(lines.joined(separator: "\n").utf8)
        nearOnes += "\(other)\n" + lines.map { "  \($0)\n" }.joined()
      }
      let hash = String(fingerprint.value, radix: 36)
      found += "  near: \(others.count), outcomes: \(outcomes.count), \(hash)\n"
    }
    try write(nearOnes, name, beside: file)
  }

  private func write(_ near: String, _ name: String, beside file: String) throws {
    switch ProcessInfo.processInfo.environment["UNDERSTUDY_TRANSCRIPTS"] {
    case "write":
      let path = Self.path(name, beside: file)
      try Data(found.utf8).write(to: URL(fileURLWithPath: path))
    case let folder?:
      let target = Self.target(of: file).lastPathComponent
      try Data(near.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(target)-\(name).txt"))
    case nil: break
    }
  }

  /// Some of them, evenly over all.
  static func spread(_ all: [String], _ countMax: Int) -> [String] {
    let count = min(all.count, countMax)
    return (0..<count).map { all[$0 * all.count / count] }
  }

  /// For outcomes that are awaited, before a transcript is made of them.
  package static func inputs(of name: String, beside file: String = #filePath) throws -> [String] {
    try String(contentsOfFile: path(name, beside: file), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("  ") && !$0.hasPrefix("# ") }
  }

  private static func path(_ name: String, beside file: String) -> String {
    "\(target(of: file).path)/Fixtures/Transcripts/\(name).txt"
  }

  /// The folder of the test's target, which has its fixtures.
  private static func target(of file: String) -> URL {
    var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    while folder.pathComponents.count > 2, !folder.lastPathComponent.hasSuffix("Tests") {
      folder.deleteLastPathComponent()
    }
    return folder
  }

  private static func lines(
    of input: String, _ outcome: (String) throws -> [String]
  ) -> [String] {
    do { return try outcome(input) } catch { return ["throws \(error)"] }
  }
}
