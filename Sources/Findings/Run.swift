/// What was run, and when.
package struct Run: Hashable, Sendable {
  /// Without what differs between shards: `understudy test dog-ceo/*`.
  package let command: String
  package let toolVersion: String
  package let seed: UInt64?
  /// `nil` when one machine did it all.
  package let shard: Shard?
  /// A fingerprint of which shard has which check; `nil` when one machine did it all.
  package let division: String?
  /// In all shards together.
  package let plannedCount: Int
  /// The mildest finding that fails the run.
  package let failsOn: Finding.Severity
  /// As RFC 3339 spells it, in UTC: `2026-11-20T22:55:36Z`.
  package let startedAt: String
  package let duration: Duration

  package init(
    command: String, toolVersion: String, seed: UInt64? = nil, shard: Shard? = nil,
    division: String? = nil, plannedCount: Int, failsOn: Finding.Severity = .error,
    startedAt: String, duration: Duration
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
  }
}

/// One of several machines that share a run: `2/8`.
package struct Shard: Hashable, Sendable {
  /// From 1 on.
  package let index: Int
  package let count: Int

  /// More machines than anybody has: a missing one is named in the report, one by one.
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
