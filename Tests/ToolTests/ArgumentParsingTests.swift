import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// A command with every kind of parameter, which prints what it was given.
private enum Sample {
  enum Size: String, CaseIterable {
    case small
    case large
  }

  static let size = Parameter<Size>.option(
    "size", short: "s", "SIZE", .choice, default: .small, environmentVariable: "UNDERSTUDY_SIZE",
    "How much to pack.")
  static let counts = Parameter.options(
    "count", short: "c", "N", ValueFormat(.other("a whole number")) { Int($0) },
    "How many, each time.")
  static let lid = Parameter<Size?>.option(
    "lid", bare: .small, "SIZE", .choice, "Whether to put a lid on it.")
  static let isLoud = Parameter.flag("loud", "Say so.")
  static let box = Parameter<Size>.argument("BOX", .choice, "What to pack it in.")
  static let paths = Parameter.arguments("PATH", .path, "What to pack.")

  static let pack = Command(
    name: "sample pack",
    summary: "Packs things",
    parameters: [
      size.declaration, counts.declaration, lid.declaration,
      isLoud.declaration, box.declaration, paths.declaration,
    ],
    run: { arguments, terminal throws(Failure) in
      let size = try arguments.value(of: size)
      let counts = try arguments.value(of: counts)
      let isLoud = try arguments.value(of: isLoud)
      let box = try arguments.value(of: box)
      let paths = try arguments.value(of: paths)
      let lid = try arguments.value(of: lid).map { ", with a \($0) lid" } ?? ""
      terminal.output.write("\(size) \(counts) \(isLoud) \(box) \(paths)\(lid)")
      return .pass
    })

  static let root = Command(
    name: "sample", summary: "Is a sample", subcommands: [pack],
    run: { _, _ throws(Failure) in .pass })
}

@Suite struct ArgumentParsingTests {
  @Test(
    "reads options, flags and arguments in any order",
    arguments: [
      ("pack large", "small [] false large []"),
      ("pack --size large small", "large [] false small []"),
      ("pack --size=large small", "large [] false small []"),
      ("pack -s large small a b", #"large [] false small ["a", "b"]"#),
      ("pack small a -s large b --loud", #"large [] true small ["a", "b"]"#),
      ("pack -c 1 --count 2 --count=-3 small", "small [1, 2, -3] false small []"),
      ("pack --count -3 small", "small [-3] false small []"),
      ("pack small -- --loud -s", #"small [] false small ["--loud", "-s"]"#),
      ("pack small -", #"small [] false small ["-"]"#),
      ("pack --loud --loud small", "small [] true small []"),
      ("pack --lid large", "small [] false large [], with a small lid"),
      ("pack --lid=large large", "small [] false large [], with a large lid"),
    ])
  func reads(line: String, expected: String) {
    let run = CommandLineRun(line, of: Sample.root)
    #expect(run.errors == "")
    #expect(run.output == expected)
    #expect(run.code == .pass)
  }

  @Test(
    "reads an option that was not given from the environment",
    arguments: [
      ("pack small", "large", "large [] false small []"),
      ("pack --size small small", "large", "small [] false small []"),
      ("pack small", "", "small [] false small []"),
    ])
  func environment(line: String, value: String, expected: String) {
    let run = CommandLineRun(line, of: Sample.root, environment: ["UNDERSTUDY_SIZE": value])
    #expect(run.output == expected)
  }

  @Test("names the environment variable whose value is bad")
  func badEnvironment() {
    let run = CommandLineRun(
      "pack small", of: Sample.root, environment: ["UNDERSTUDY_SIZE": "lrge"])
    #expect(
      run.errors == """
        understudy: error: found "lrge" for UNDERSTUDY_SIZE, expected small or large
          fix: did you mean "large"?

        """)
  }

  @Test("says what is wrong and how to fix it", arguments: mistakes)
  func mistake(line: String, expected: String) {
    let run = CommandLineRun(line, of: Sample.root)
    #expect(run.errors == "understudy: error: \(expected)\n")
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  private static let mistakes = [
    (
      "pakc",
      """
      unknown command "pakc"
        fix: did you mean "pack"?
      """
    ),
    (
      "unwrap",
      """
      unknown command "unwrap"
        fix: the commands are pack
      """
    ),
    (
      "pack --siz small",
      """
      unknown option "--siz"
        fix: did you mean "--size"?
      """
    ),
    (
      "pack -size small",
      """
      unknown option "-size"
        fix: did you mean "--size"?
      """
    ),
    (
      "pack --frobnicate=3 small",
      """
      unknown option "--frobnicate"
        fix: see "sample pack --help"
      """
    ),
    (
      "pack -x",
      """
      unknown option "-x"
        fix: see "sample pack --help"
      """
    ),
    (
      "--size small pack",
      """
      option "--size" comes before the command
        fix: put it after the command: sample pack --size
      """
    ),
    ("pack --size", #"missing value of "--size", expected small or large"#),
    ("pack small -c", #"missing value of "-c", expected a whole number"#),
    (
      "pack --count -x small",
      """
      found "-x" after "--count", expected a whole number
        fix: if "-x" is the value, write --count=-x
      """
    ),
    ("pack --size -x small", #"found "-x" after "--size", expected small or large"#),
    (
      "pack --loud=yes",
      """
      "--loud" takes no value, found "yes"
        fix: write only --loud
      """
    ),
    (
      "pack --size small --size large",
      """
      --size is given twice, as "small" and "large"
        fix: keep one of them
      """
    ),
    (
      "pack --size lareg small",
      """
      found "lareg" for --size, expected small or large
        fix: did you mean "large"?
      """
    ),
    ("pack -s= small", #"found "" for --size, expected small or large"#),
    ("pack --count many small", #"found "many" for --count, expected a whole number"#),
    ("pack tiny", #"found "tiny" for BOX, expected small or large"#),
    (
      "pack",
      """
      missing BOX, expected small or large
        fix: write sample pack [OPTIONS] BOX [PATH...]
      """
    ),
    (
      "-- pack",
      """
      unexpected argument "pack"
        fix: write sample COMMAND [OPTIONS]
      """
    ),
  ]

  @Test("refuses an empty path")
  func emptyPath() {
    let run = CommandLineRun(words: ["pack", "small", ""], of: Sample.root)
    #expect(
      run.errors == "understudy: error: found \"\" for PATH, expected a file or folder\n")
  }

  @Test(
    "help wins over every mistake before the options end",
    arguments: [
      "pack --help", "pack --frobnicate --help", "--help pack", "pack a b c --size --help",
    ])
  func help(line: String) {
    let run = CommandLineRun(line, of: Sample.root)
    #expect(run.output == HelpPage(Sample.pack).text)
    #expect(run.code == .pass)
  }

  @Test("after -- help is a word like any other")
  func noHelp() {
    let run = CommandLineRun("pack small -- --help", of: Sample.root)
    #expect(run.output == #"small [] false small ["--help"]"#)
  }

  @Test("help explains every kind of parameter")
  func page() {
    #expect(
      HelpPage(Sample.pack).text == """
        Packs things.

        Usage: sample pack [OPTIONS] BOX [PATH...]

        Arguments:
          BOX   What to pack it in. One of small or large.
          PATH  What to pack. Repeatable.

        Options:
          -s, --size SIZE   How much to pack. One of small or large. Default: small.
                            Also read from UNDERSTUDY_SIZE.
          -c, --count N     How many, each time. Repeatable.
              --lid[=SIZE]  Whether to put a lid on it. One of small or large.
              --loud        Say so.
              --color WHEN  When to print in colour. One of auto, always or never.
                            Default: auto.
          -h, --help        Show this help, or with -h its beginning.

        """)
  }
}
