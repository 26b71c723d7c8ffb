import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyDrafting

@testable import UnderstudyRecording

@Suite struct LiveResponseTests {
  @Test("what a client got and what is recorded are the same, both ways")
  func both() {
    let headers = [
      HeaderField(name: "X-A", value: "1"), HeaderField(name: "x-a", value: "2"),
      HeaderField(name: "B", value: ""),
    ]
    let live = LiveResponse(status: 206, headers: headers, body: [1, 2], latency: .milliseconds(7))
    let response = live.response(url: "https://api.example/a")
    #expect(response.status == 206)
    #expect(
      response.headers.fields.map { "\($0.name): \($0.value)" } == ["X-A: 1", "x-a: 2", "B: "])
    #expect(response.body == [1, 2])
    #expect(response.url == "https://api.example/a")
    #expect(response.timing.total == .milliseconds(7))
    #expect(LiveResponse(response) == live)
  }
}
