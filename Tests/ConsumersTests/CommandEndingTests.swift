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
    "the error is in the last line with something to see",
    arguments: [
      ("", nil), ("\n \n\t\n", nil), ("a", "a"), ("a\n", "a"), ("a\nb", "b"), ("a\nb\n \n\n", "b"),
      ("a\n!", "!"), ("  a\n  b", "  b"), ("a\n  b", "a"),
      ("Error: handled\n    at load (a.mjs:1:1)\nno joke today", "no joke today"),
    ])
  func errorLine(text: String, expected: String?) {
    #expect(Self.printed(text).errorLine == expected)
  }

  @Test(
    "the error is in the line that a runtime prints before a stack trace",
    arguments: [
      (
        """
        file:///a.mjs:1
        async function load() { throw new Error("no connection"); }
                                      ^

        Error: no connection
            at load (file:///a.mjs:1:45)
            at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:117:5) {
          code: 'X',
          [cause]: TypeError: why
              at [eval]:1:74
        }

        Node.js v20.20.2
        """, "Error: no connection"
      ),
      (
        """
        node:assert:90
          throw new AssertionError(obj);
          ^

        AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

        1 !== 2

            at a.mjs:1:19

        Node.js v20.20.2
        """, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:"
      ),
      (
        """
        [eval]:1
        throw "text"
        ^
        text
        (Use `node --trace-uncaught ...` to show where the exception was thrown)

        Node.js v20.20.2
        """, "text"
      ),
      (
        """
        Traceback (most recent call last):
          File "a.py", line 1, in f
        KeyError: 'a'

        During handling of the above exception, another exception occurred:

        Traceback (most recent call last):
          File "a.py", line 4, in <module>
        shop.Invalid: two
          lines
        """, "shop.Invalid: two"
      ),
      (
        """
        Exception in thread "main" java.lang.IllegalStateException: no joke
        \tat Jokes.main(Jokes.java:5)
        Caused by: java.io.IOException: closed
        \t... 1 more
        """, "Exception in thread \"main\" java.lang.IllegalStateException: no joke"
      ),
      (
        """
        panic: no joke

        goroutine 1 [running]:
        main.main()
        \t/jokes.go:4 +0x25
        exit status 2
        """, "panic: no joke"
      ),
      (
        """
        thread 'main' panicked at jokes.rs:2:5:
        no joke
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
        """, "no joke"
      ),
      (
        """
        thread 'main' (4711) panicked at jokes.rs:2:5:
        no joke
        stack backtrace:
           0: rust_begin_unwind
                     at /rustc/library/std/src/panicking.rs:697:5
           1: jokes::main
                     at jokes.rs:2:5
        note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
        """, "no joke"
      ),
      ("no joke\nnote: there is one tomorrow", "note: there is one tomorrow"),
      (
        """
        jokes.rb:1:in 'Object#joke': no joke (RuntimeError)
        \tfrom jokes.rb:3:in '<main>'
        """, "jokes.rb:1:in 'Object#joke': no joke (RuntimeError)"
      ),
      (
        """
        Unhandled exception. System.InvalidOperationException: no joke
           at Program.Main() in /jokes.cs:line 3
        """, "Unhandled exception. System.InvalidOperationException: no joke"
      ),
      (
        """
        failed to load
            at load (a.mjs:1:1)
        """, "failed to load"
      ),
    ])
  func stackTrace(text: String, expected: String) {
    #expect(Self.printed(text).errorLine == expected)
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
