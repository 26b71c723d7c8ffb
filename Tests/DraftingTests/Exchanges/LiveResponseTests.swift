import Testing
import UnderstudyCore

@testable import UnderstudyDrafting

@Suite struct LiveResponseTests {
  @Test("the latency of a response that was only revalidated is not its own")
  func latency() {
    func response(wholeAt: Moment?) -> LiveResponse {
      LiveResponse(
        status: 200, headers: [], body: [], latency: .seconds(2), wholeAt: wholeAt)
    }
    #expect(response(wholeAt: nil).ownLatency == .seconds(2))
    #expect(response(wholeAt: .epoch).ownLatency == .zero)
  }

  @Test("an equal body is shared, and nothing else of the other response")
  func sharing() {
    let (first, second) = (
      LiveResponse(status: 200, headers: [], body: [1], latency: .seconds(1)),
      LiveResponse(status: 201, headers: [], body: [1], latency: .seconds(2), wholeAt: .epoch)
    )
    let shared = second.sharingBody(with: first)
    #expect(shared.status == 201 && shared.body == [1])
    #expect(shared.latency == .seconds(2) && shared.wholeAt == .epoch)
    let other = LiveResponse(status: 200, headers: [], body: [2], latency: .zero)
    #expect(second.sharingBody(with: other).body == [1])
    #expect(second.sharingBody(with: nil).status == 201)
  }
}
