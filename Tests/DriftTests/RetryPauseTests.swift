import Testing
import UnderstudyCore

@testable import UnderstudyContractModel
@testable import UnderstudyDrafting
@testable import UnderstudyDrift

@Suite struct RetryPauseTests {
  @Test(
    "knows the moment at which requests are allowed again, however it is written",
    arguments: [
      ("60", .seconds(60)), ("2592000", .seconds(2_592_000)),
      ("1795300000", .until(Moment(unixSeconds: 1_795_300_000))),
      ("1795300000123", .until(Moment(unixSeconds: 1_795_300_000))),
    ] as [(String, RetryPause.Wait)])
  func reset(text: String, wait: RetryPause.Wait) {
    let answer = LiveAnswer(
      status: 403,
      headers: [
        HeaderField(name: "X-RateLimit-Remaining", value: "0"),
        HeaderField(name: "X-RateLimit-Reset", value: text),
      ], body: [], latency: .zero)
    #expect(answer.retryPause == RetryPause(wait: wait))
  }
}
