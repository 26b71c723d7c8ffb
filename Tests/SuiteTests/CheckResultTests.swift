import Testing
import UnderstudyConsumers
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudyFakeServer
@testable import UnderstudySuite

/// The result of several attempts at a check.
@Suite struct CheckResultTests {
  /// An attempt at a case that responds with 200, to which there was this outcome.
  private static func attempt(
    _ check: PlannedCheck, _ outcome: ConsumerOutcome, seconds: Int
  ) -> Attempt {
    Attempt(
      check, outcome, journal: [], refused: [], index: SmallSuite.library.index,
      duration: .seconds(seconds), limit: .seconds(30))
  }

  @Test(
    "a failure outranks a doubt, and a doubt a pass",
    arguments: [
      ([], "notExercised the run ended first"), (["pass"], "pass"), (["pass", "pass"], "pass"),
      (["fail"], "fail"), (["fail", "fail", "fail"], "fail"),
      (["pass", "fail"], "fail passed 1 of 2 times, expected all"),
      (["fail", "pass", "pass"], "fail passed 2 of 3 times, expected all"),
      (["doubt"], "couldNotCheck the fake was not reached: cannot connect"),
      (["pass", "doubt"], "couldNotCheck the fake was not reached: cannot connect"),
      (["doubt", "fail"], "fail"),
      (["doubt", "fail", "pass"], "fail passed 1 of 3 times, expected all"),
    ])
  func result(of results: [String], expected: String) throws {
    let plan = SuitePlan(SmallSuite.library, ConsumerRegistry([SmallSuite.good]))
    let check = try #require(plan.checks.first)
    let refused = ConsumerOutcome.error(
      ConsumerError("connectivity", transport: .init(.cannotConnect)))
    let attempts = results.enumerated().map { index, result in
      (
        attempt: Self.attempt(
          check, result == "doubt" ? refused : .undeclared("ouch"), seconds: index + 1),
        result: ["pass": CheckResult.pass, "fail": .fail, "doubt": .couldNotCheck][result] ?? .fail
      )
    }
    let result = check.result(of: attempts, attemptCount: attempts.count + 2)
    let flaky = result.findings.filter { $0.type == .flaky }.map(\.message)
    let words = ["\(result.result)"] + [result.reason].compactMap(\.self) + flaky
    #expect(words.joined(separator: " ") == expected)
    // The slowest attempt counts.
    #expect(result.duration == .seconds(results.count))
    #expect(result.attemptCount == (results.isEmpty ? 0 : results.count + 2))
  }
}
