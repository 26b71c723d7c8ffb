import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

@Suite struct ExtremeOptionTests {
  @Test("an option takes a number within its range, and refuses any other")
  func numbers() {
    for number in ExtremeNumbers.texts {
      Self.check(.count, number) { 1...1_000_000 ~= $0 }
      Self.check(.number(1...128), number) { 1...128 ~= $0 }
      Self.check(.percentage, number) { 0...100 ~= $0 }
      Self.check(.factor, number) { 0...1000 ~= $0 }
      Self.check(.port, number) { $0 == 0 || String($0) == number }
      Self.check(.seed, number) { $0 == 0 || String($0) == number }
      for unit in ["", "K", "M"] {
        Self.check(.bytes(), number + unit) { 1...1 << 30 ~= $0 }
        Self.check(.bytes(from: 256), number + unit) { 256...1 << 30 ~= $0 }
      }
      for unit in ["", "ms", "s", "m", "h", "d"] {
        Self.check(.time, number + unit) { $0 > .zero }
        Self.check(.timeOrZero, number + unit) { $0 >= .zero }
        Self.check(.age, number + unit) { $0 > .zero }
      }
    }
  }

  private static func check<Value>(
    _ format: ValueFormat<Value>, _ word: String, _ isInRange: (Value) -> Bool
  ) {
    guard let value = format.parse(word) else { return }
    #expect(isInRange(value), "\(word)")
    #expect(format.write(value) != "")
  }

  @Test(
    "no number on a command line ends a command by a trap",
    arguments: [
      ("test", ["--repeat", "--seed", "--time-scale", "--jobs", "--require-coverage", "--shard"]),
      (
        "drift --replay nowhere",
        [
          "--timeout", "--confirm", "--samples", "--deadline", "--outage-runs",
          "--certificate-days",
        ]
      ),
      ("history", ["--max-age"]),
      ("call dog-ceo/random-images", ["--timeout"]),
      ("record http://127.0.0.1:1/", ["--samples", "--timeout"]),
      // What follows the numbers is a mistake, so nothing is served.
      (
        "serve --case nope=ok",
        [
          "--port", "--threads", "--time-scale", "--seed", "--limit connections", "--limit head",
          "--limit body", "--limit headers", "--limit idle", "--limit request", "--limit log",
          "--limit sessions",
        ]
      ),
      ("run --timeout 1s", ["--seed", "--time-scale"]),
    ])
  func commandLines(command: String, options: [String]) async throws {
    try await offPool { try Self.run(command, options) }
  }

  private static func run(_ command: String, _ options: [String]) throws {
    let samples = try SampleContracts()
    let base = command.split(separator: " ").map(String.init)
    let contracts = samples.folder.appendingPathComponent("Contracts").path
    let ending: [String] =
      switch base[0] {
      case "record": []
      case "serve": [contracts]
      case "run": ["--contracts", contracts, "--", "true"]
      default: ["--contracts", contracts]
      }
    for option in options {
      let words = option.split(separator: " ").map(String.init)
      #expect(
        CommandLineRun(words: [base[0], "--help"]).output.contains("\(words[0]) "), "\(option)")
      for number in ExtremeNumbers.texts.flatMap({ text in ["", "s", "M"].map { text + $0 } }) {
        let run = CommandLineRun(
          words: base + words.dropLast() + ["\(words[words.count - 1])=\(number)"] + ending)
        #expect(
          run.code != .couldNotRun || run.errors.hasPrefix("understudy: error: "),
          "\(option)=\(number): \(run.errors)")
      }
    }
  }
}
