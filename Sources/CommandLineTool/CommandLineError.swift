import Diagnostics

/// Why a command could not run, and how to mend it.
struct CommandLineError: Error, Hashable, Sendable {
  /// One sentence without a full stop, quoting the word it is about.
  let message: String
  /// What to do about it, as an instruction, where the message does not say it already.
  let fix: String?

  init(message: String, fix: String? = nil) {
    self.message = message
    self.fix = fix
  }

  /// Its own failure rather than a plain help page: a script whose command got lost must not pass.
  static func missingCommand(known: [String]) -> Self {
    Self(
      message: "no command was given, so nothing was checked",
      fix: "name one: \(known.joined(separator: ", "))")
  }

  static func incomplete(without files: [String]) -> Self {
    Self(
      message: "found no contract in \(files.count.of("file")): \(files.joined(separator: ", "))",
      fix: "see \"understudy lint\"")
  }

  static func unknownCommand(_ word: String, known: [String]) -> Self {
    Self(
      message: "unknown command \"\(word)\"",
      fix: Spelling.suggestion(for: word, among: known)
        ?? "the commands are \(known.joined(separator: ", "))")
  }

  static func unknownOption(_ word: String, known: [String], help: String) -> Self {
    Self(
      message: "unknown option \"\(word)\"",
      fix: Spelling.suggestion(for: word, among: known) ?? "see \"\(help)\"")
  }

  static func misplacedOption(_ word: String, commandLine: String) -> Self {
    Self(
      message: "option \"\(word)\" stands before the command",
      fix: "put it after the command: \(commandLine)")
  }

  static func missingValue(of option: String, shape: ValueShape) -> Self {
    Self(message: "missing value of \"\(option)\", expected \(shape.expected)")
  }

  /// A forgotten value is likelier than one that looks like an option.
  static func optionForValue(_ word: String, of option: String, shape: ValueShape) -> Self {
    Self(
      message: "found \"\(word)\" after \"\(option)\", expected \(shape.expected)",
      fix: "if \"\(word)\" is the value, write \(option)=\(word)")
  }

  static func valueOfFlag(_ option: String, value: String) -> Self {
    Self(
      message: "found value \"\(value)\" after \"\(option)\", expected none",
      fix: "write only \(option)")
  }

  static func givenTwice(_ option: String, _ first: String, _ second: String) -> Self {
    Self(
      message: "found two values of \(option), \"\(first)\" and \"\(second)\"",
      fix: "keep one of them")
  }

  static func badValue(_ value: String, of place: String, shape: ValueShape) -> Self {
    Self(
      message: "found \"\(value)\" for \(place), expected \(shape.expected)",
      fix: Spelling.suggestion(for: value, among: shape.choices))
  }

  static func missingArgument(_ name: String, shape: ValueShape, usage: String) -> Self {
    Self(message: "missing \(name), expected \(shape.expected)", fix: "write \(usage)")
  }

  static func extraArgument(_ word: String, usage: String) -> Self {
    Self(message: "unexpected argument \"\(word)\"", fix: "write \(usage)")
  }
}
