import Testing
import UnderstudyCore

@testable import UnderstudyContractModel

@Suite struct ServerEventTests {
  @Test(
    "a line ends with a line feed, a carriage return, or both",
    arguments: [
      ("", [""]), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]),
      ("a\r\nb", ["a", "b"]), ("a\n\rb", ["a", "", "b"]), ("a\r\rb", ["a", "", "b"]),
      ("a\n", ["a", ""]), ("a\r", ["a", ""]), ("a\r\n", ["a", ""]), ("\r\n\r\n", ["", "", ""]),
    ])
  func lines(text: String, expected: [String]) {
    #expect(ServerEvent.lines(of: text) == expected)
  }
}
