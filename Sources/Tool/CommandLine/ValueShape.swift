import UnderstudyCore

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

/// A type whose values can be written as one word on the command line.
protocol ArgumentValue: Sendable {
  static var shape: ValueShape { get }
  /// The shape where help calls the value by this name.
  static func shape(of valueName: String) -> ValueShape
  /// `nil` when the word does not have the shape.
  init?(argument: String)
  /// The word for this value; help shows defaults this way.
  var argument: String { get }
  /// How to fix a word of the wrong shape, if there is more to say than the shape.
  static func fix(for argument: String) -> String?
}

extension ArgumentValue {
  static func shape(of valueName: String) -> ValueShape { shape }

  static func fix(for argument: String) -> String? {
    Spelling.suggestion(for: argument, among: shape.choices)
  }
}

/// Enumerations use the names of their cases.
extension ArgumentValue where Self: CaseIterable & RawRepresentable<String> {
  static var shape: ValueShape { .oneOf(allCases.map(\.rawValue)) }
  init?(argument: String) { self.init(rawValue: argument) }
  var argument: String { rawValue }
}

/// A file or folder as the user named it, relative to the current directory.
struct FilePath: ArgumentValue {
  static let shape = ValueShape.path
  let argument: String

  init(_ text: String) { argument = text }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.argument = argument
  }
}
