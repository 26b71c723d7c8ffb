import UnderstudyCore

/// A typed parameter of a command.
///
/// Help, parsing and completions use the declaration; `read` converts the given words to the value.
struct Parameter<Value: Sendable>: Sendable {
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
  }

  let kind: Kind
  /// `PATH` of an argument, `format` of `--format`.
  let name: String
  var short: Character?
  /// The placeholder of the value in help: `FORMAT`.
  var valueName = ""
  /// The value of an option that is given by name alone: only `=` can give it another.
  var bareValue: String?
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

  /// Whether the word after its name is its value.
  var takesWord: Bool { kind == .option && bareValue == nil }

  /// All spellings of an option, the long one first.
  var spellings: [String] {
    kind == .argument ? [] : ["--\(name)"] + (short.map { ["-\($0)"] } ?? [])
  }
}

/// A command-line word or an environment variable that gives a parameter its value.
struct ArgumentSource: Hashable, Sendable {
  let text: String
  /// The source named in messages: `PATH`, `--format`, `UNDERSTUDY_FORMAT`.
  let place: String
}

extension Parameter<Bool> {
  static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
    Self(
      declaration: ParameterDeclaration(kind: .flag, name: name, short: short, help: help),
      read: { words in !words.isEmpty })
  }
}

extension Parameter {
  static func option(
    _ name: String, short: Character? = nil, _ valueName: String, _ format: ValueFormat<Value>,
    default fallback: Value, environmentVariable: String? = nil, _ help: String
  ) -> Self {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName, shape: format.shape,
        environmentVariable: environmentVariable, help: help, fallback: format.write(fallback)),
      read: { words throws(Failure) in try words.first.map(format.value) ?? fallback })
  }

  static func option<Element>(
    _ name: String, short: Character? = nil, _ valueName: String, _ format: ValueFormat<Element>,
    environmentVariable: String? = nil, _ help: String
  ) -> Self where Value == Element? {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName, shape: format.shape,
        environmentVariable: environmentVariable, help: help),
      read: { words throws(Failure) in .some(try words.first.map(format.value)) })
  }

  /// An option that means a value if it is given by name alone.
  static func option<Element>(
    _ name: String, bare bareValue: Element, _ valueName: String, _ format: ValueFormat<Element>,
    _ help: String
  ) -> Self where Value == Element? {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, valueName: valueName, bareValue: format.write(bareValue),
        shape: format.shape, help: help),
      read: { words throws(Failure) in .some(try words.first.map(format.value)) })
  }

  static func options<Element>(
    _ name: String, short: Character? = nil, _ valueName: String, _ format: ValueFormat<Element>,
    _ help: String
  ) -> Self where Value == [Element] {
    Self(
      declaration: ParameterDeclaration(
        kind: .option, name: name, short: short, valueName: valueName, shape: format.shape,
        isRepeatable: true, help: help),
      read: { words throws(Failure) in try words.map(format.value) })
  }

  static func argument(_ name: String, _ format: ValueFormat<Value>, _ help: String) -> Self {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: format.shape, isRequired: true,
        help: help),
      read: { words throws(Failure) in try words.first.map(format.value) })
  }

  static func optionalArgument<Element>(
    _ name: String, _ format: ValueFormat<Element>, _ help: String
  ) -> Self where Value == Element? {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: format.shape, help: help),
      read: { words throws(Failure) in .some(try words.first.map(format.value)) })
  }

  /// Any number of them, or if they are required, at least one.
  static func arguments<Element>(
    _ name: String, _ format: ValueFormat<Element>, isRequired: Bool = false,
    isAfterDashes: Bool = false, _ help: String
  ) -> Self where Value == [Element] {
    Self(
      declaration: ParameterDeclaration(
        kind: .argument, name: name, valueName: name, shape: format.shape, isRequired: isRequired,
        isRepeatable: true, isAfterDashes: isAfterDashes, help: help),
      read: { words throws(Failure) in
        isRequired && words.isEmpty ? nil : try words.map(format.value)
      })
  }
}
