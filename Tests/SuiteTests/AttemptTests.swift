import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudyFakeServer
@testable import UnderstudySuite

/// What is the machine's fault is told from what is the consumer's.
@Suite struct AttemptTests {
  struct Doubt: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var caseName = "slow"
    var outcome: ConsumerOutcome? = .undeclared("ouch")
    var configured = Duration.milliseconds(300)
    var given = Duration.milliseconds(300)
    var ended = JournalRecord.Outcome.responded
    /// The case that had responded before.
    var earlier: String?
    let reason: String?
    /// When the check had the machine for itself.
    let result: CheckResult
  }

  static let doubts = [
    Doubt(testDescription: "an error is an error", reason: nil, result: .fail),
    Doubt(
      testDescription: "a delay that was kept nearly is no excuse",
      given: .milliseconds(390), reason: nil, result: .fail),
    Doubt(
      testDescription: "a delay that was not kept is one", given: .milliseconds(1_250),
      reason: "the machine extended a delay of 300 ms to 1.2 s", result: .couldNotCheck),
    Doubt(
      testDescription: "of a long delay a quarter is no excuse",
      configured: .seconds(4), given: .seconds(5), reason: nil, result: .fail),
    Doubt(
      testDescription: "more than a quarter is one",
      configured: .seconds(4), given: .milliseconds(5_010),
      reason: "the machine extended a delay of 4.0 s to 5.0 s", result: .couldNotCheck),
    Doubt(
      testDescription: "no outcome may be for want of a processor", outcome: nil,
      reason: "the fake had not responded within the time limit", result: .fail),
    Doubt(
      testDescription: "no outcome and no response is the fake's fault", outcome: nil,
      ended: .underWay, reason: "the fake had not responded within the time limit",
      result: .couldNotCheck),
    Doubt(
      testDescription: "a client that goes on although the fake had responded has failed",
      outcome: nil,
      ended: .underWay, earlier: "slow",
      reason: "the fake had not responded within the time limit", result: .fail),
    Doubt(
      testDescription: "another case that had responded says nothing", outcome: nil,
      ended: .underWay, earlier: "ok",
      reason: "the fake had not responded within the time limit", result: .couldNotCheck),
    Doubt(
      testDescription: "no outcome where the response is kept back is the client's fault",
      caseName: "too-slow", outcome: nil, ended: .held,
      reason: "the fake had not responded within the time limit", result: .fail),
    Doubt(
      testDescription: "a time-out may be for want of a processor",
      outcome: .error(ConsumerError("connectivity", transport: .init(.timedOut(.waiting)))),
      reason: "a request timed out", result: .fail),
    Doubt(
      testDescription: "a fake that cannot be reached says nothing about the consumer",
      outcome: .error(ConsumerError("connectivity", transport: .init(.cannotConnect))),
      reason: "the fake was not reached: cannot connect", result: .couldNotCheck),
  ]

  @Test("reports doubts", arguments: doubts)
  func tells(_ doubt: Doubt) throws {
    let plan = SuitePlan(SmallSuite.library, ConsumerRegistry([SmallSuite.good]))
    let check = try #require(plan.checks.first { $0.served.name == doubt.caseName })
    var record = JournalRecord(sequence: 1, receivedAt: .epoch)
    record.reason = .hand
    record.delayConfigured = doubt.configured
    record.delayActual = doubt.given
    record.outcome = doubt.ended
    let entry = JournalEntry(
      record, Request("GET", "/joke/v1/random"),
      served: ServedCase(contract: "joke/random", caseName: doubt.caseName))
    var before = record
    before.outcome = .responded
    let earlier = doubt.earlier.map { caseName in
      JournalEntry(
        before, Request("GET", "/joke/v1/random"),
        served: ServedCase(contract: "joke/random", caseName: caseName))
    }
    let attempt = Attempt(
      check, doubt.outcome, journal: [earlier, entry].compactMap { $0 }, refused: [],
      index: SmallSuite.library.index,
      duration: .seconds(1), limit: .seconds(30))
    #expect(attempt.doubt?.reason == doubt.reason)
    #expect(attempt.result(isAlone: false) == (doubt.reason == nil ? .fail : .couldNotCheck))
    #expect(attempt.result(isAlone: true) == doubt.result)
  }
}
