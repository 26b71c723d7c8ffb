/// The form of a value on the command line, used in messages and completions.
enum ValueShape: Hashable, Sendable {
  case oneOf([String])
  case path
  /// Anything else, described in words: `a port number`.
  case other(String)

  var expected: String {
    switch self {
    case .oneOf(let choices):
      guard let last = choices.last, choices.count > 1 else { return choices.joined() }
      return choices.dropLast().joined(separator: ", ") + " or " + last
    case .path: return "a file or folder"
    case .other(let words): return words
    }
  }

  var choices: [String] {
    if case .oneOf(let choices) = self { choices } else { [] }
  }
}
