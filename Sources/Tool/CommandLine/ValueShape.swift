/// The form of a value on the command line, used in messages and completions.
enum ValueShape: Hashable, Sendable {
  case oneOf([String])
  /// One of so many that only completions list them, described in words.
  case oneOfMany([String], String)
  case path
  /// Anything else, described in words: `a port number`.
  case other(String)

  var expected: String {
    switch self {
    case .oneOf(let choices):
      guard let last = choices.last, choices.count > 1 else { return choices.joined() }
      return choices.dropLast().joined(separator: ", ") + " or " + last
    case .path: return "a file or folder"
    case .oneOfMany(_, let words), .other(let words): return words
    }
  }

  /// The words that help and messages list.
  var choices: [String] {
    if case .oneOf(let choices) = self { choices } else { [] }
  }
}
