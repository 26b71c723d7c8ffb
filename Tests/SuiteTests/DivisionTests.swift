import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings

@testable import UnderstudySuite

@Suite struct DivisionTests {
  private static let plan = SuitePlan(SmallSuite.library, ConsumerRegistry([SmallSuite.good]))

  /// The cases of each shard.
  private static func cases(
    _ count: Int, recorded: [String: Duration] = [:], timeScale: Double = 1
  ) throws -> [[String]] {
    let division = division(count, recorded: recorded, timeScale: timeScale)
    return try (1...count).map { index in
      let shard = try #require(Shard(index: index, count: count))
      let part = plan.part { division.contains($0, in: shard) }
      return (part.checks.map(\.identity) + part.gaps.map(\.identity)).map(\.caseName)
    }
  }

  private static func division(
    _ count: Int, recorded: [String: Duration] = [:], timeScale: Double = 1
  ) -> ShardAssignment {
    let times = recorded.map { name, time in
      (Check.Identity("joke/random", name, consumer: "jokes.random"), time)
    }
    return ShardAssignment(
      plan, into: count, recorded: Dictionary(times) { first, _ in first }, timeScale: timeScale)
  }

  @Test("each check and each gap is in one shard", arguments: 1...12)
  func complete(count: Int) throws {
    let cases = try Self.cases(count)
    #expect(
      cases.joined().sorted()
        == ["elsewhere", "gone", "later", "ok", "ok", "reset", "slow", "too-slow", "unused"])
    #expect(Self.division(count).plannedCount == 9)
  }

  @Test("assigns the longest checks first, then by name, to the machine with the least work")
  func planned() throws {
    #expect(
      try Self.cases(3) == [
        ["slow"], ["ok", "later", "elsewhere", "ok", "unused"], ["gone", "too-slow", "reset"],
      ])
    #expect(
      try Self.cases(3, timeScale: 0) == [
        ["ok", "too-slow", "elsewhere"], ["gone", "reset", "ok", "unused"], ["slow", "later"],
      ])
  }

  @Test("assigns checks by their durations, if known")
  func recorded() throws {
    let recorded: [String: Duration] = [
      "ok": .seconds(5), "gone": .seconds(4), "slow": .seconds(3), "too-slow": .seconds(2),
      "later": .seconds(1), "reset": .seconds(1), "elsewhere": .zero,
    ]
    #expect(
      try Self.cases(2, recorded: recorded) == [
        ["ok", "too-slow", "later", "elsewhere"], ["gone", "slow", "reset", "ok", "unused"],
      ])
  }

  @Test("has a fingerprint that says whether two divisions are the same")
  func fingerprint() {
    let print = Self.division(3).fingerprint
    #expect(print == Self.division(3).fingerprint)
    #expect(print.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    #expect(print != Self.division(2).fingerprint)
    #expect(print != Self.division(3, recorded: ["ok": .seconds(5)]).fingerprint)
  }
}
