import Testing
import UnderstudyCore
import UnderstudyTestSupport

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
    let response = LiveResponse(
      status: 403,
      headers: [
        HeaderField(name: "X-RateLimit-Remaining", value: "0"),
        HeaderField(name: "X-RateLimit-Reset", value: text),
      ], body: [], latency: .zero)
    #expect(response.retryPause == RetryPause(wait: wait))
  }

  @Test("no number of an upstream is too large for a pause", arguments: ExtremeNumbers.texts)
  func extreme(text: String) {
    for name in ["Retry-After", "X-RateLimit-Reset"] {
      let response = LiveResponse(
        status: 403,
        headers: [
          HeaderField(name: "X-RateLimit-Remaining", value: "0"),
          HeaderField(name: name, value: text),
        ], body: [], latency: .zero)
      let seconds = response.retryPause?.seconds(now: Moment(unixSeconds: 1_795_300_000)) ?? 0
      #expect(0...366 * 86_400 ~= seconds)
      #expect(response.retryPause?.words != "")
    }
  }
}
