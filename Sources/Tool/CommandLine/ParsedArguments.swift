import UnderstudyCore

/// The words of a command line, grouped by parameter.
struct ParsedArguments: Sendable {
  private let usage: String
  private var given: [ParameterDeclaration: [ArgumentSource]] = [:]
  /// The foreign options that are given, in order.
  let foreign: [String]
  /// The command's environment variables that are set and not empty.
  let variables: [String: String]
  /// An environment variable by name, for names from contracts.
  let environment: @Sendable (String) -> String?

  /// Groups `words`, which follow the command's name. Values are checked when they are read.
  init(
    _ words: some Sequence<String>, of command: Command,
    environment: @escaping @Sendable (String) -> String?
  ) throws(Failure) {
    usage = command.usage
    self.environment = environment
    let set = command.variables.compactMap { name in environment(name).map { (name, $0) } }
    variables = Dictionary(set.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    var parser = ArgumentParser(command: command)
    for word in words {
      try parser.take(word)
    }
    given = try parser.finish()
    foreign = parser.foreign
    for option in command.options where given[option] == nil {
      guard let name = option.environmentVariable, let text = environment(name), !text.isEmpty
      else { continue }
      given[option] = [ArgumentSource(text: text, place: name)]
    }
  }

  /// Whether it stands on the command line; a value from the environment may be meant for other
  /// commands.
  func isGiven(_ declaration: ParameterDeclaration) -> Bool {
    given[declaration]?.contains { $0.place != declaration.environmentVariable } == true
  }

  /// The words given for a parameter.
  func words(of declaration: ParameterDeclaration) -> [String] {
    given[declaration]?.map(\.text) ?? []
  }

  func value<Value>(of parameter: Parameter<Value>) throws(Failure) -> Value {
    let declaration = parameter.declaration
    guard let value = try parameter.read(given[declaration] ?? []) else {
      throw .missingArgument(declaration.name, shape: declaration.shape, usage: usage)
    }
    return value
  }
}

/// Consumes the words of a command line one by one.
private struct ArgumentParser {
  let command: Command
  private var given: [ParameterDeclaration: [ArgumentSource]] = [:]
  /// The option that still needs its value, and its spelling.
  private var pending: (option: ParameterDeclaration, spelling: String)?
  private var argumentCount = 0
  private var optionsHaveEnded = false
  private(set) var foreign: [String] = []
  /// Whether the next word may be the value of a foreign option.
  private var isBehindForeign = false

  init(command: Command) {
    self.command = command
  }

  mutating func take(_ word: String) throws(Failure) {
    let looksLikeOption = word.hasPrefix("-") && word != "-"
    let isForeignValue = isBehindForeign && !looksLikeOption
    isBehindForeign = false
    if isForeignValue { return }
    if let (option, spelling) = pending {
      // No option begins with a digit: -5s is a value, though perhaps an invalid one.
      if looksLikeOption, word.dropFirst().first?.isNumber != true {
        throw .optionForValue(word, of: spelling, shape: option.shape)
      }
      pending = nil
      try set(option, to: word)
    } else if optionsHaveEnded || !looksLikeOption {
      try takeArgument(word)
    } else if word == "--" {
      optionsHaveEnded = true
    } else {
      try takeOption(word)
    }
  }

  func finish() throws(Failure) -> [ParameterDeclaration: [ArgumentSource]] {
    if let (option, spelling) = pending {
      throw .missingValue(of: spelling, shape: option.shape)
    }
    return given
  }

  private mutating func takeArgument(_ word: String) throws(Failure) {
    let last = command.arguments.last.flatMap { $0.isAfterDashes ? $0 : nil }
    if optionsHaveEnded, let last {
      given[last, default: []].append(ArgumentSource(text: word, place: last.name))
      return
    }
    let arguments = command.arguments.filter { !$0.isAfterDashes }
    let index = min(argumentCount, arguments.count - 1)
    guard index >= 0, argumentCount == index || arguments[index].isRepeatable else {
      throw .extraArgument(word, usage: command.usage)
    }
    argumentCount += 1
    given[arguments[index], default: []].append(
      ArgumentSource(text: word, place: arguments[index].name))
  }

  private mutating func takeOption(_ word: String) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = parts.first.map(String.init) ?? word
    let value = parts.count > 1 ? parts.last.map(String.init) : nil
    guard let option = command.options.first(where: { $0.spellings.contains(spelling) }) else {
      guard command.foreignOptions().contains(spelling) else { throw unknown(spelling) }
      if !foreign.contains(spelling) { foreign.append(spelling) }
      isBehindForeign = value == nil
      return
    }
    switch (option.kind, value) {
    case (.flag, let value?): throw .valueOfFlag(spelling, value: value)
    case (.flag, nil): given[option] = [ArgumentSource(text: "", place: spelling)]
    case (_, let value?): try set(option, to: value)
    case (_, nil):
      if let bareValue = option.bareValue {
        try set(option, to: bareValue)
      } else {
        pending = (option, spelling)
      }
    }
  }

  private mutating func set(
    _ option: ParameterDeclaration, to text: String
  ) throws(Failure) {
    let place = "--\(option.name)"
    if !option.isRepeatable, let first = given[option]?.first {
      throw .givenTwice(place, first.text, text)
    }
    given[option, default: []].append(ArgumentSource(text: text, place: place))
  }

  private func unknown(_ spelling: String) -> Failure {
    if let owner = command.subcommands.first(where: { subcommand in
      subcommand.options.contains { $0.spellings.contains(spelling) }
    }) {
      return .misplacedOption(spelling, commandLine: "\(owner.name) \(spelling)")
    }
    return .unknownOption(
      spelling,
      known: command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
        + command.foreignOptions().sorted(),
      help: "\(command.name) --help")
  }
}
