import UnderstudyCore

/// A typed parameter of a command.
///
/// Help, parsing and completions use the declaration; `read` converts the given words to the value.
struct Parameter<Value>: Sendable {
  let declaration: ParameterDeclaration
  /// Returns `nil` when it is required and was not given.
  let read: @Sendable (_ words: [ArgumentSource]) throws(Failure) -> Value?
}

/// A parameter without its type.
struct ParameterDeclaration: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Given by position: `PATH`.
    case argument
    /// Given by name, with a value: `--format json`.
    case option
    /// Given by name alone: `--help`.
    case flag
    /// Read from the environment only, since other users can see a process's arguments.
    case secret
  }

  let kind: Kind
  /// `PATH` of an argument, `format` of `--format`.
  let name: String
  var short: Character?
  /// The placeholder of the value in help: `FORMAT`.
  var valueName = ""
  var shape = ValueShape.other("")
  var isRequired = false
  var isRepeatable = false
  /// Whether it takes the words after `--`, and no others.
  var isAfterDashes = false
  /// The environment variable that is read when the option is not given.
  var environmentVariable: String?
  let help: String
  /// The default, as help shows it.
  var fallback: String?

  /// All spellings of an option, the long one first.
  var spellings: [String] {
    kind == .argument || kind == .secret ? [] : ["--\(name)"] + (short.map { ["-\($0)"] } ?? [])
  }
}

/// A command-line word or an environment variable that gives a parameter its value.
struct ArgumentSource: Hashable, Sendable {
  let text: String
  /// The source named in messages: `PATH`, `--format`, `UNDERSTUDY_FORMAT`.
  let place: String
  let shape: ValueShape

  func value<Value: ArgumentValue>() throws(Failure) -> Value {
    guard let value = Value(argument: text) else {
      throw .badValue(text, of: place, shape: shape, fix: Value.fix(for: text))
    }
    return value
  }
}

extension Parameter where Value == Bool {
  static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
    Self(
      declaration: ParameterDeclaration(kind: .flag, name: name, short: short, help: help),
      read: { words in !words.isEmpty })
  }
}

extension Parameter where Value == String? {
  static func secret(_ environmentVariable: String, _ help: String) -> Self {
    Self(
      declaration: ParameterDeclaration(
        kind: .secret, name: environmentVariable, environmentVariable: environmentVariable,
        help: help),
      read: { words in .some(words.first?.text) })
  }
}

extension Parameter where Value == String? {
  /// One of a set of words known only at run time.
  static func optionalChoice(_ name: String, of choices: [String], _ help: String) -> Self {
    let shape = ValueShape.oneOf(choices)
    return Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: shape, help: help),
      read: { words throws(Failure) in
        guard let word = words.first else { return .some(nil) }
        guard choices.contains(word.text) else {
          throw .badValue(
            word.text, of: word.place, shape: shape,
            fix: Spelling.suggestion(for: word.text, among: choices))
        }
        return .some(word.text)
      })
  }
}

extension Parameter where Value == String? {
  /// One of some words, as an option; `nil` where it is not given.
  static func optionalChoiceOption(
    _ name: String, _ valueName: String, of choices: [String], _ help: String
  ) -> Self {
    let argument = optionalChoice(name, of: choices, help)
    return Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, valueName: valueName, shape: .oneOf(choices), help: help),
      read: argument.read)
  }
}

extension Parameter where Value: ArgumentValue {
  static func option(
    _ name: String, short: Character? = nil, _ valueName: String, default fallback: Value,
    environmentVariable: String? = nil, _ help: String
  ) -> Self {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName, shape: Value.shape,
        environmentVariable: environmentVariable, help: help, fallback: fallback.argument),
      read: { words throws(Failure) in try words.first?.value() ?? fallback })
  }

  static func argument(_ name: String, _ help: String) -> Self {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: Value.shape, isRequired: true,
        help: help),
      read: { words throws(Failure) in
        try words.first?.value()
      })
  }
}

extension Parameter {
  static func optionalOption<Element: ArgumentValue>(
    _ name: String, short: Character? = nil, _ valueName: String,
    environmentVariable: String? = nil, _ help: String
  ) -> Self where Value == Element? {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName, shape: Element.shape,
        environmentVariable: environmentVariable, help: help),
      read: { words throws(Failure) in .some(try words.first?.value()) })
  }

  static func optionalArgument<Element: ArgumentValue>(
    _ name: String, _ help: String
  ) -> Self where Value == Element? {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: Element.shape, help: help),
      read: { words throws(Failure) in .some(try words.first?.value()) })
  }

  static func arguments<Element: ArgumentValue>(
    _ name: String, default fallback: [Element], _ help: String
  ) -> Self where Value == [Element] {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: Element.shape(of: name),
        isRepeatable: true, help: help,
        fallback: fallback.isEmpty ? nil : fallback.map(\.argument).joined(separator: " ")),
      read: { words throws(Failure) in
        words.isEmpty ? fallback : try words.values()
      })
  }

  /// One or more.
  static func requiredArguments<Element: ArgumentValue>(
    _ name: String, isAfterDashes: Bool = false, _ help: String
  ) -> Self where Value == [Element] {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: Element.shape(of: name),
        isRequired: true, isRepeatable: true, isAfterDashes: isAfterDashes, help: help),
      read: { words throws(Failure) in words.isEmpty ? nil : try words.values() })
  }

  static func options<Element: ArgumentValue>(
    _ name: String, short: Character? = nil, _ valueName: String, _ help: String
  ) -> Self where Value == [Element] {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName,
        shape: Element.shape(of: valueName), isRepeatable: true, help: help),
      read: { words throws(Failure) in try words.values() })
  }
}

extension [ArgumentSource] {
  fileprivate func values<Value: ArgumentValue>() throws(Failure) -> [Value] {
    try map { word throws(Failure) in try word.value() }
  }
}
