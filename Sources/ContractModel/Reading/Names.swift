import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reports a name that cannot be used in a path, a glob or a shell without quotes.
func checkName(
  _ name: String, at position: @autoclosure () -> SourcePosition?, noun: String,
  _ complaints: Complaints
) {
  let isGood =
    name.utf8.first != UInt8(ascii: "-") && !name.isEmpty
    && name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
  guard !isGood else { return }
  complaints.add(
    .badName, at: position(),
    "found \(noun) \"\(name)\", expected a name of lower-case letters, digits and dashes")
}

/// Names in quotes, with commas between them.
func listed(_ names: [String]) -> String {
  names.map { "\"\($0)\"" }.joined(separator: ", ")
}

/// How many names are searched for the nearest, so that a file with only wrong names still takes
/// linear time.
let candidateCountMax = 200

/// The nearest name, or a list of names when none is near; `nil` when there are none.
func spellingSuggestion(for word: String, among names: [String], noun: String) -> String? {
  guard !names.isEmpty else { return nil }
  if let suggestion = Spelling.suggestion(for: word, among: names.prefix(candidateCountMax)) {
    return suggestion
  }
  let shown = names.prefix(8).joined(separator: ", ")
  return "\(noun) are \(shown)\(names.count > 8 ? ", …" : "")"
}
