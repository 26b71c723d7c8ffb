import UnderstudyCore

/// What was run and when.
package struct Run: Hashable, Sendable {
  /// Without options that differ between shards: `understudy test dog-ceo/*`.
  package private(set) var command: String
  package let toolVersion: String
  package let seed: UInt64?
  /// `nil` for a run on one machine.
  package let shard: Shard?
  /// A fingerprint of how checks are divided among shards; `nil` for a run on one machine.
  package let division: String?
  /// The number of checks that all shards together have to run.
  package let plannedCount: Int
  /// The lowest severity that fails the run.
  package let failsOn: Finding.Severity
  /// In UTC, as RFC 3339: `2026-11-20T22:55:36Z`.
  package let startedAt: String
  package let duration: Duration
  /// What was checked out where it ran, if known.
  package private(set) var revision: Revision?

  package init(
    command: String, toolVersion: String, seed: UInt64? = nil, shard: Shard? = nil,
    division: String? = nil, plannedCount: Int, failsOn: Finding.Severity = .error,
    startedAt: String, duration: Duration, revision: Revision? = nil
  ) {
    self.command = command
    self.toolVersion = toolVersion
    self.seed = seed
    self.shard = shard
    self.division = division
    self.plannedCount = plannedCount
    self.failsOn = failsOn
    self.startedAt = startedAt
    self.duration = duration
    self.revision = revision
  }

  /// The executable and its command: `understudy` and `test`.
  package var words: (tool: Substring, verb: Substring?) {
    let words = command.split(separator: " ", maxSplits: 2)
    return (words.first ?? "", words.dropFirst().first)
  }

  func naming(_ tool: ToolName) -> Run {
    var run = self
    run.command = tool.inserted(in: command)
    return run
  }

  func of(_ revision: Revision) -> Run {
    var run = self
    run.revision = revision
    return run
  }
}

/// One machine's share of a run: `2/8`.
package struct Shard: Hashable, Sendable {
  /// Starts at 1.
  package let index: Int
  package let count: Int

  /// More machines than anybody has: the report lists each missing one.
  package static let countMax = 10_000

  package init?(index: Int, count: Int) {
    guard 1...Self.countMax ~= count, 1...count ~= index else { return nil }
    self.index = index
    self.count = count
  }

  package init?(parsing text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2,
      numbers.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let index = Int(numbers[0]), let count = Int(numbers[1])
    else { return nil }
    self.init(index: index, count: count)
  }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(index)/\(count)" }
}
