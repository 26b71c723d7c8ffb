import UnderstudyCore

/// What a value on the command line may look like: told to people in messages, to shells in
/// completions.
enum ValueShape: Hashable, Sendable {
  case oneOf([String])
  case path
  /// Anything else, said in words: `a port number`.
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

/// A type whose values can be written as one word on the command line.
protocol ArgumentValue: Sendable {
  static var shape: ValueShape { get }
  /// `nil` when the word does not have the shape.
  init?(argument: String)
  /// The word that stands for this value, as help shows a default.
  var argument: String { get }
  /// How to mend a word that does not have the shape, where more can be said than the shape does.
  static func fix(for argument: String) -> String?
}

extension ArgumentValue {
  static func fix(for argument: String) -> String? {
    Spelling.suggestion(for: argument, among: shape.choices)
  }
}

/// Enumerations are written by the names of their cases.
extension ArgumentValue where Self: CaseIterable & RawRepresentable<String> {
  static var shape: ValueShape { .oneOf(allCases.map(\.rawValue)) }
  init?(argument: String) { self.init(rawValue: argument) }
  var argument: String { rawValue }
}

/// A file or folder as named by the user, relative to where she stands.
struct FilePath: ArgumentValue {
  static let shape = ValueShape.path
  let argument: String

  init(_ text: String) { argument = text }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.argument = argument
  }
}
