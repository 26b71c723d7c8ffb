import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets

@testable import UnderstudyDrafting

/// The exchanges of one endpoint.
@Suite struct RecordedGroupTests {
  private static func group(_ latencies: [Duration]) -> RecordedGroup {
    var group = RecordedGroup(
      method: "GET", template: [.literal("a")], isGuess: false, operation: nil, mask: SecretMask())
    for (index, latency) in latencies.enumerated() {
      let response = LiveResponse(
        status: 200, headers: [], body: Array("{\"number\":\(index)}".utf8), latency: latency)
      group.add(
        RecordedExchange(method: "GET", path: "/a", query: "page=\(index)", responses: [response]))
    }
    return group
  }

  @Test(
    "the slowest twentieth does not count for the limit of latency, which is twice the next",
    arguments: [1, 2, 19, 20, 21, 39, 40, 41, 100])
  func latency(count: Int) {
    let latencies = (1...count).reversed().map { Duration.milliseconds(100 * $0) }
    // At least 19 of 20 are within it.
    let most = (1...count).first { 20 * $0 >= 19 * count } ?? 0
    #expect(Self.group(latencies).latencyMax(of: 200) == .milliseconds(200 * most))
    #expect(Self.group(latencies).latencyMax(of: 404) == nil)
  }

  @Test(
    "a limit is at least 100 ms, and whole milliseconds",
    arguments: [
      (Duration.nanoseconds(1), 100), (.milliseconds(50), 100), (.microseconds(50_001), 101),
      (.zero, nil),
    ] as [(Duration, Int?)])
  func bounds(latency: Duration, milliseconds: Int?) {
    #expect(Self.group([latency]).latencyMax(of: 200) == milliseconds.map { .milliseconds($0) })
  }
}
