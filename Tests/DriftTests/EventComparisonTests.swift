import Testing
import UnderstudyDrafting

@Suite struct EventComparisonTests {
  @Test(
    "of an event stream, the type is compared and that something comes",
    arguments: [
      ("data: 9\n\n", "text/event-stream; charset=utf-8", []),
      ("", "text/event-stream", ["no body, expected one like the 9 bytes in the contract"]),
      (
        "{}", "application/json",
        ["found Content-Type \"application/json\", expected text/event-stream"]
      ),
      ("{}", nil, ["found no Content-Type, expected text/event-stream"]),
    ] as [(String, String?, [String])])
  func events(body: String, type: String?, expected: [String]) throws {
    let stage = try Stage(#""status": 200, "events": [{ "data": "1" }]"#)
    let headers = type.map { ["Content-Type": $0] } ?? [:]
    let lines = try stage.lines(LiveResponse(body, headers: headers))
    #expect(lines.map { $0.split(separator: " ").dropFirst(4).joined(separator: " ") } == expected)
  }
}
