import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

extension OutcomeComparison {
  /// Longer texts are not compared line by line, which could take minutes.
  private static let diffLineCountMax = 500

  mutating func hold(_ ending: CommandEnding, against code: Int) {
    guard ending.reason != .exited(code) else { return }
    let reason = ending.stderr.errorLine.map { ": \($0.quotedAndCut)" } ?? ""
    let names = ending.missingVariables.map { "\"\($0)\"" }.joined(separator: ", ")
    add(
      .outcome, "the command \(ending.words), expected exit code \(code)\(reason)",
      at: expectation.source["exitCode"],
      fix: names.isEmpty
        ? nil
        : "if it needs the variable, add \"environment\": [\(names)] to"
          + " \(expectation.consumer) in consumers.json, which passes no credentials")
  }

  mutating func hold(
    _ printed: PrintedText, against condition: TextCondition?, on stream: String
  ) {
    guard let condition, let first = condition.tests.first else { return }
    guard printed.byteCount == printed.bytes.count else {
      add(
        .value,
        "found \(printed.byteCount) bytes on \(stream), expected at most \(printed.bytes.count)",
        at: first.source)
      return
    }
    guard let text = String(validating: printed.bytes, as: UTF8.self) else {
      let words = String(decoding: printed.bytes, as: UTF8.self).quotedAndCut
      add(.value, "\(words) on \(stream) is not valid UTF-8", at: first.source)
      return
    }
    for test in condition.tests where !test.accepts(text) {
      add(
        .value, "found \(text.quotedAndCut) on \(stream), expected \(test.words)",
        at: test.source, diff: Self.diff(text, from: test))
    }
  }

  /// Only for texts of several lines, which the message does not show.
  private static func diff(_ text: String, from test: TextCondition.Test) -> [String] {
    guard case .equals(let expected) = test.kind else { return [] }
    let lineCounts = [text, expected].map { $0.utf8.count { $0 == UInt8(ascii: "\n") } }
    guard lineCounts.contains(where: { $0 > 1 }),
      lineCounts.allSatisfy({ $0 <= diffLineCountMax })
    else { return [] }
    return TextDiff.unified(expected, text).split(separator: "\n").map(String.init)
  }
}

extension TextCondition.Test {
  fileprivate var words: String {
    switch kind {
    case .equals(let expected): expected.quotedAndCut
    case .contains(let part): "\(part.quotedAndCut) in it"
    case .matches(let pattern): "a match of \(pattern)"
    }
  }
}
