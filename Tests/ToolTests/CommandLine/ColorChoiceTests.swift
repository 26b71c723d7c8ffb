import Testing

@testable import UnderstudyTool

@Suite struct ColorChoiceTests {
  @Test(
    "what the environment says: NO_COLOR before what forces colours, and these before the terminal",
    arguments: [
      ([:], false, false), (["TERM": "xterm"], true, true), (["TERM": "dumb"], true, false),
      (["TERM": "xterm"], false, false), (["TERM": "xterm", "CLICOLOR": "0"], true, false),
      (["FORCE_COLOR": "1"], false, true), (["FORCE_COLOR": "0"], false, false),
      (["FORCE_COLOR": ""], false, false), (["CLICOLOR_FORCE": "1"], false, true),
      (["CLICOLOR_FORCE": "0"], false, false),
      (["NO_COLOR": "1", "FORCE_COLOR": "1"], true, false),
      (["NO_COLOR": "", "TERM": "xterm"], true, true),
    ] as [([String: String], Bool, Bool)])
  func environment(variables: [String: String], isTerminal: Bool, isWanted: Bool) {
    #expect(ColorChoice.isWanted(onTerminal: isTerminal) { variables[$0] } == isWanted)
  }

  @Test(
    "--color says it for one command",
    arguments: [("always", true), ("never", false), ("auto", false)])
  func option(choice: String, isColoured: Bool) throws {
    let contracts = try SampleContracts(["Contracts/dog-ceo/upstream.json": #"{ "sumary": "" }"#])
    let run = contracts.run(["lint", "--color", choice])
    #expect(run.output.contains("\u{1B}[") == isColoured)
    #expect(run.code == .findings)
    let mistake = contracts.run(["lint", "--color", "sometimes"])
    #expect(
      mistake.errors == """
        understudy: error: found "sometimes" for --color, expected auto, always or never

        """)
  }
}
