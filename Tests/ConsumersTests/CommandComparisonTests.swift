import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@Suite struct CommandComparisonTests {
  private static let contract = ContractLibrary(reading: [
    "consumers.json": #"{ "c": { "upstreams": ["u"], "command": ["true"] } }"#,
    "u/upstream.json": #"{ "summary": "An API" }"#,
    "u/e.json": #"""
    { "summary": "An endpoint", "request": { "method": "GET", "path": "/" },
      "cases": {
        "bad": { "status": 500,
          "expect": { "c": { "exitCode": 3, "stdout": "", "stderr": { "matches": "^no" } } } },
        "ok": { "status": 200,
          "expect": { "c": { "exitCode": 0, "stdout": "one\ntwo\nthree\n" } } },
        "some": { "status": 200,
          "expect": { "c": { "exitCode": 0, "stdout": { "contains": "two", "matches": "e$" } } } }
      } }
    """#,
  ]).contracts.first

  private static func findings(
    _ reason: CommandEnding.Reason, _ stdout: [UInt8], _ stderr: String = "", of caseName: String
  ) throws -> [String] {
    let contract = try #require(contract)
    let expectation = try #require(contract.case(named: caseName)?.expectations.first)
    var printed = (stdout: PrintedText(), stderr: PrintedText())
    printed.stdout.append(stdout)
    printed.stderr.append(stderr.utf8)
    let ending = CommandEnding(reason, stdout: printed.stdout, stderr: printed.stderr)
    return OutcomeComparison(.ended(ending), against: expectation, in: contract.file).findings.map {
      let place = $0.place.map { "\($0): " } ?? ""
      return ([place + $0.message] + $0.diff).joined(separator: "\n")
    }
  }

  @Test("a command that exits and prints as expected passes")
  func pass() throws {
    #expect(try Self.findings(.exited(3), [], "no such city", of: "bad") == [])
    #expect(try Self.findings(.exited(0), Array("one\ntwo\nthree\n".utf8), of: "ok") == [])
    #expect(try Self.findings(.exited(0), Array("two, three".utf8), "warned", of: "some") == [])
  }

  @Test("reports the exit code and the last output")
  func exitCode() throws {
    #expect(
      try Self.findings(.exited(1), [], "not now\nValueError: bad \u{1B}[1m\n \n", of: "bad") == [
        """
        u/e.json:4:38: the command exited with 1, expected exit code 3: "ValueError: bad \\u001b[1m"
        """
      ])
    #expect(
      try Self.findings(.killed(signal: "SIGSEGV"), [], "no", of: "bad") == [
        """
        u/e.json:4:38: the command was ended by SIGSEGV, expected exit code 3: "no"
        """
      ])
  }

  @Test("shows where a text differs, and which condition does not hold")
  func text() throws {
    #expect(
      try Self.findings(.exited(0), Array("one\n2\nthree\n".utf8), of: "ok") == [
        #"""
        u/e.json:6:51: found "one\n2\nthree\n" on stdout, expected "one\ntwo\nthree\n"
        --- expected
        +++ found
        @@ -1,3 +1,3 @@
         one
        -two
        +2
         three
        """#
      ])
    #expect(
      try Self.findings(.exited(3), Array("0".utf8), "No", of: "bad") == [
        #"u/e.json:4:51: found "0" on stdout, expected """#,
        #"u/e.json:4:78: found "No" on stderr, expected a match of ^no"#,
      ])
    #expect(
      try Self.findings(.exited(0), Array("one".utf8), of: "some") == [
        #"u/e.json:8:65: found "one" on stdout, expected "two" in it"#
      ])
  }

  @Test("what a command that printed nothing says is left out")
  func silent() throws {
    #expect(
      try Self.findings(.exited(1), [], of: "bad") == [
        "u/e.json:4:38: the command exited with 1, expected exit code 3",
        #"u/e.json:4:78: found "" on stderr, expected a match of ^no"#,
      ])
  }

  /// The expected text has three lines.
  @Test(
    "lines are compared where one text has several, and neither more than 500",
    arguments: [(0, true), (1, true), (2, true), (500, true), (501, false), (100_000, false)])
  func lineCounts(count: Int, isCompared: Bool) throws {
    let printed = Array(String(repeating: "xx\n", count: count).utf8)
    let found = try Self.findings(.exited(0), printed, of: "ok")
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.contains("\n--- expected\n") == isCompared }, "\(found)")
  }

  @Test("bytes that are not text do not match any text")
  func bytes() throws {
    #expect(
      try Self.findings(.exited(0), [0x74, 0x77, 0x6F, 0xFF], of: "some") == [
        "u/e.json:8:65: \"two\u{FFFD}\" on stdout is not valid UTF-8"
      ])
  }

  @Test("endless output is counted but not kept")
  func endless() throws {
    let page = [UInt8](repeating: 0x61, count: PrintedText.byteCountMax)
    var printed = PrintedText()
    printed.append(page)
    printed.append("and".utf8)
    printed.append(page)
    #expect(printed.bytes.count == PrintedText.byteCountMax)
    #expect(
      try Self.findings(.exited(0), page + [0x61], of: "some") == [
        "u/e.json:8:65: found 1048577 bytes on stdout, expected at most 1048576"
      ])
  }
}
