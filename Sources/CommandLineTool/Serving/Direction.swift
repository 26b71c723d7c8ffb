import ContractModel
import Diagnostics
import FakeServer

/// What a server plays from its start, as the command line says.
///
/// Looked up before anything listens, so that a wrong name is an error and not a surprise later.
struct Direction {
  private enum Choice {
    case play(Case, of: Contract)
    case run(Script, of: Contract)
    case stage(Scenario, of: Upstream)
  }

  private var choices: [Choice] = []

  init(_ arguments: ParsedArguments, _ library: ContractLibrary) throws(CommandLineError) {
    for choice in try arguments.value(of: ServeOptions.scenarios) {
      let upstream = try Self.find(
        choice.name, "upstream", "--scenario \(choice.argument)", library.upstreams, \.name)
      let scenario = try Self.find(
        choice.value, "scenario", "--scenario \(choice.argument)", upstream.scenarios, \.name)
      choices.append(.stage(scenario, of: upstream))
    }
    for choice in try arguments.value(of: ServeOptions.scripts) {
      let contract = try Self.find(
        choice.name, "contract", "--script \(choice.argument)", library.contracts, \.id)
      let script = try Self.find(
        choice.value, "script", "--script \(choice.argument)", contract.scripts, \.name)
      choices.append(.run(script, of: contract))
    }
    for choice in try arguments.value(of: ServeOptions.cases) {
      let contract = try Self.find(
        choice.name, "contract", "--case \(choice.argument)", library.contracts, \.id)
      let chosen = try Self.find(
        choice.value, "case", "--case \(choice.argument)", contract.cases, \.name)
      choices.append(.play(chosen, of: contract))
    }
  }

  private static func find<Value>(
    _ name: String, _ kind: String, _ option: String, _ values: [Value],
    _ nameOf: (Value) -> String
  ) throws(CommandLineError) -> Value {
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
