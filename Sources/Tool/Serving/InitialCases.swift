import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// What a server plays from the start, as given on the command line.
///
/// Names are resolved before the server listens, so that a wrong name is an error at once.
struct InitialCases {
  private enum Choice {
    case play(Case, of: Contract)
    case run(Script, of: Contract)
    case stage(Scenario, of: Upstream)
  }

  private let choices: [Choice]

  init(_ arguments: ParsedArguments, _ library: ContractLibrary) throws(Failure) {
    choices =
      try Self.read(
        arguments, ServeOptions.scenarios, "upstream", library.upstreams, \.name,
        "scenario", \.scenarios, \.name, Choice.stage)
      + Self.read(
        arguments, ServeOptions.scripts, "contract", library.contracts, \.id,
        "script", \.scripts, \.name, Choice.run)
      + Self.read(
        arguments, ServeOptions.cases, "contract", library.contracts, \.id,
        "case", \.cases, \.name, Choice.play)
  }

  /// The parts that an option names; the option has the name of the kind of part.
  private static func read<Owner, Part>(
    _ arguments: ParsedArguments, _ option: Parameter<[Assignment]>,
    _ ownerKind: String, _ owners: [Owner], _ ownerName: (Owner) -> String,
    _ kind: String, _ parts: (Owner) -> [Part], _ partName: (Part) -> String,
    _ choose: (Part, Owner) -> Choice
  ) throws(Failure) -> [Choice] {
    var choices: [Choice] = []
    for choice in try arguments.value(of: option) {
      let words = "--\(kind) \(choice.argument)"
      let owner = try find(choice.name, ownerKind, words, owners, ownerName)
      let part = try find(choice.value, kind, words, parts(owner), partName)
      choices.append(choose(part, owner))
    }
    return choices
  }

  private static func find<Value>(
    _ name: String, _ kind: String, _ option: String, _ values: [Value],
    _ nameOf: (Value) -> String
  ) throws(Failure) -> Value {
    guard let value = values.first(where: { nameOf($0) == name }) else {
      throw .unknownName(name, kind, of: option, known: values.map(nameOf))
    }
    return value
  }

  func apply(to server: FakeUpstream) {
    for choice in choices {
      switch choice {
      case .play(let played, let contract): server.use(played.name, for: contract.id)
      case .run(let script, let contract): server.play(script.caseNames, for: contract.id)
      case .stage(let scenario, let upstream): server.play(scenario, of: upstream)
      }
    }
  }
}
