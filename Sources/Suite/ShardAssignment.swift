import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings

/// Assigns checks to machines.
///
/// Equal on all machines with the same plan and durations: the longest checks are assigned first,
/// each to the machine with the least work; ties are broken by name and number.
package struct ShardAssignment: Sendable {
  /// The cost of a check besides waiting, if unknown from a run.
  private static let plannedWork = Duration.milliseconds(10)

  private let shards: [Check.Identity: Int]
  /// The number of all checks and gaps.
  package let plannedCount: Int
  /// A fingerprint of the division.
  package let fingerprint: String

  /// - Parameter recorded: durations of checks in another run.
  package init(
    _ plan: SuitePlan, into count: Int, recorded: [Check.Identity: Duration], timeScale: Double
  ) {
    let checks = plan.checks.map { check in
      let known = recorded[check.identity].flatMap { $0 > .zero ? $0 : nil }
      let planned = Self.plannedWork + check.waitingTime * timeScale
      return (identity: check.identity, time: known ?? planned)
    }
    let all = checks + plan.gaps.map { (identity: $0.identity, time: .zero) }
    let order = all.map { (name: $0.identity.description, item: $0) }.sorted { left, right in
      (right.item.time, left.name) < (left.item.time, right.name)
    }
    var (shards, loads) = ([Check.Identity: Int](), Array(repeating: Duration.zero, count: count))
    for (_, item) in order {
      let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[index] += item.time
      shards[item.identity] = index + 1
    }
    var print = Fingerprint()
    for (name, item) in order.sorted(by: { $0.name < $1.name }) {
      print.add("\(name)\0\(shards[item.identity] ?? 0)\0".utf8)
    }
    (self.shards, plannedCount, fingerprint) = (shards, all.count, print.hex)
  }

  package func contains(_ identity: Check.Identity, in shard: Shard) -> Bool {
    shards[identity] == shard.index
  }
}

extension PlannedCheck {
  /// The waiting time of its client, by the contract.
  fileprivate var waitingTime: Duration {
    expectsTimeout ? expectation.timeout ?? delayMax : delayMax
  }
}
