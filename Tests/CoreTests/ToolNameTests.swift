import Testing
import UnderstudyCore

@Suite struct ToolNameTests {
  @Test(
    "only commands get the name of the executable",
    arguments: [
      ("run understudy test", "run showcase test"),
      (
        "see \"understudy lint\", or understudy test joke",
        "see \"showcase lint\", or showcase test joke"
      ),
      ("the version of understudy that wrote it", "the version of understudy that wrote it"),
      ("expected an understudy report", "expected an understudy report"), ("", ""),
    ])
  func inserted(text: String, expected: String) {
    #expect(ToolName("showcase", verbs: ["lint", "test"]).inserted(in: text) == expected)
    #expect(ToolName.standard.inserted(in: text) == text)
  }
}
