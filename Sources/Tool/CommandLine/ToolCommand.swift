import UnderstudyCore

/// A command of your own, with the same help, completions and messages as the tool's.
///
///     ToolCommand(
///       "joke", summary: "Tells a joke",
///       options: [.option("base-url", "URL", "Where the jokes are.")]
///     ) { input in
///       print(try await JokeClient(input["base-url"]).randomJoke())
///       return .pass
///     }
public struct ToolCommand: Sendable {
  /// An option of the command.
  public struct Option: Sendable {
    fileprivate let declaration: ParameterDeclaration

    /// An option with a value: `--base-url URL`.
    ///
    /// - Parameters:
    ///   - name: without its dashes: `base-url`.
    ///   - valueName: what the value is, in capitals: `URL`.
    ///   - fallback: the value if the option is not given; help shows it.
    ///   - help: a sentence for the help page.
    public static func option(
      _ name: String, _ valueName: String, default fallback: String? = nil, _ help: String
    ) -> Option {
      Option(
        declaration: ParameterDeclaration(
          kind: .option, name: name, valueName: valueName, shape: .other("a value"), help: help,
          fallback: fallback))
    }

    /// An option without a value: `--verbose`.
    public static func flag(_ name: String, _ help: String) -> Option {
      Option(declaration: ParameterDeclaration(kind: .flag, name: name, help: help))
    }
  }

  /// The arguments and options of one run.
  public struct Input: Sendable {
    /// The words that are not options.
    public let arguments: [String]
    fileprivate let values: [String: String]

    /// The value of an option, or its default; `nil` without either. A flag that is given is empty.
    public subscript(option: String) -> String? { values[option] }
  }

  /// Ends the command with a message and exit code 2.
  public struct UsageError: Error {
    let failure: Failure

    /// - Parameters:
    ///   - message: what was found, and what was expected.
    ///   - fix: what to write instead.
    public init(_ message: String, fix: String? = nil) {
      failure = Failure(message: message, fix: fix)
    }
  }

  /// The word that calls it on the command line.
  public let name: String
  private let summary: String
  private let discussion: [String]
  private let parameters: [ParameterDeclaration]
  private let examples: Command.Examples
  private let run: @Sendable (Input) async throws -> ExitCode

  /// - Parameters:
  ///   - name: the word that calls it on the command line.
  ///   - summary: one line without a full stop.
  ///   - discussion: paragraphs for its help page.
  ///   - argument: what the words that are not options mean, such as `NAME`; `nil` if it takes none.
  ///   - options: in the order of its help page.
  ///   - examples: for its help page.
  ///   - run: does the work. Any error is printed and ends the process with exit code 2.
  public init(
    _ name: String, summary: String, discussion: [String] = [],
    argument: (name: String, help: String)? = nil, options: [Option] = [],
    examples: [(line: String, meaning: String)] = [],
    run: @escaping @Sendable (Input) async throws -> ExitCode
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    let words = argument.map {
      ParameterDeclaration(
        kind: .argument, name: $0.name, valueName: $0.name, shape: .other("a word"),
        isRepeatable: true, help: $0.help)
    }
    parameters = [words].compactMap(\.self) + options.map(\.declaration)
    self.examples = Command.Examples(examples.map { ($0, $1) })
    self.run = run
  }

  /// The command in the tool's own form.
  func command(of tool: String) -> Command {
    Command(
      name: "\(tool) \(name)", summary: summary, discussion: discussion.joined(separator: "\n\n"),
      parameters: parameters, examples: examples,
      run: { arguments, _ throws(Failure) in
        try Blocking.value { () async throws(Failure) in try await outcome(of: arguments) }
      })
  }

  func outcome(of arguments: ParsedArguments) async throws(Failure) -> ExitCode {
    do {
      return try await run(input(arguments))
    } catch let error as UsageError {
      throw error.failure
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  private func input(_ arguments: ParsedArguments) -> Input {
    var values: [String: String] = [:]
    for option in parameters where option.kind != .argument {
      values[option.name] = arguments.words(of: option).first ?? option.fallback
    }
    let words = parameters.first { $0.kind == .argument }.map(arguments.words)
    return Input(arguments: words ?? [], values: values)
  }

  /// The tool's own commands cannot be replaced, since its documentation refers to them.
  static func check(_ commands: [ToolCommand], beside tool: Command) throws(Failure) {
    let known = tool.subcommands.map(\.verb) + tool.workers.map(\.verb)
    for (index, command) in commands.enumerated() {
      let name = command.name
      guard !name.isEmpty, !name.hasPrefix("-"), !name.contains(where: \.isWhitespace) else {
        throw Failure(
          message: "found \"\(name)\" as the name of a command, expected a word such as \"joke\"")
      }
      guard !known.contains(name) else {
        throw Failure(
          message: "Understudy already has a command \"\(name)\"",
          fix: "give it another name")
      }
      guard !commands[..<index].contains(where: { $0.name == name }) else {
        throw Failure(
          message: "two commands are named \"\(name)\"", fix: "give one of them another name")
      }
    }
  }
}
