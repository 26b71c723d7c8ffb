import Testing

@testable import UnderstudyConsumers

/// How a command ended, in words, and what it printed.
@Suite struct CommandEndingTests {
  private static func printed(_ text: String) -> PrintedText {
    var printed = PrintedText()
    printed.append(text.utf8)
    return printed
  }

  @Test(
    "the last line is the last with something to see",
    arguments: [
      ("", nil), ("\n \n\t\n", nil), ("a", "a"), ("a\n", "a"), ("a\nb", "b"), ("a\nb\n \n\n", "b"),
      ("a\n!", "!"),
    ])
  func lastLine(text: String, expected: String?) {
    #expect(Self.printed(text).lastLine == expected)
  }

  @Test(
    "a replaced text is counted as it is then",
    arguments: [
      ("a", "a"), ("http://h/~7", "<>"), ("at http://h/~7/x and http://h/~7", "at <>/x and <>"),
      ("", ""),
    ])
  func replacing(text: String, expected: String) {
    let ending = CommandEnding(
      .exited(1), stdout: Self.printed(text), stderr: Self.printed("\(text)!"))
    var named = ending
    named.missingVariables = ["A"]
    let found = named.replacing("http://h/~7", with: "<>")
    #expect(found.reason == .exited(1))
    #expect(found.missingVariables == ["A"])
    #expect(found.stdout.bytes == Array(expected.utf8))
    #expect(found.stdout.byteCount == expected.utf8.count)
    #expect(found.stderr.bytes == Array("\(expected)!".utf8))
    #expect(found.stderr.byteCount == expected.utf8.count + 1)
  }

  @Test("what was printed and not kept still counts after a replacement")
  func cut() {
    var printed = PrintedText()
    printed.append(Array(repeating: UInt8(ascii: "a"), count: PrintedText.byteCountMax))
    printed.append("more".utf8)
    let found = printed.replacing("a", with: "")
    #expect(found.bytes == [] && found.byteCount == 4)
    #expect(printed.replacing("x", with: "y").byteCount == PrintedText.byteCountMax + 4)
  }

  @Test("a reason is said in words")
  func words() {
    let nothing = PrintedText()
    let reasons: [CommandEnding.Reason] = [.exited(0), .exited(-1), .killed(signal: "SIGSEGV")]
    #expect(
      reasons.map { CommandEnding($0, stdout: nothing, stderr: nothing).words }
        == ["exited with 0", "exited with -1", "was ended by SIGSEGV"])
  }
}
