import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// What a server serves from the start, as given on the command line.
///
/// Names are resolved before the server listens, so that a wrong name is an error at once.
struct InitialCases {
  private enum Choice {
    case use(Case, of: Contract)
    case run(Script, of: Contract)
    case stage(Scenario, of: Upstream)
  }

  private let choices: [Choice]

  /// Nothing but what contracts say.
  init() { choices = [] }

  init(_ arguments: ParsedArguments, _ library: ContractLibrary) throws(Failure) {
    var choices: [Choice] = []
    for option in try arguments.value(of: ServeOptions.scenarios) {
      let words = "--scenario \(option.argument)"
      let upstream = try Self.find(option.name, "upstream", library.upstreams, \.name, words)
      let scenario = try Self.find(option.value, "scenario", upstream.scenarios, \.name, words)
      choices.append(.stage(scenario, of: upstream))
    }
    for option in try arguments.value(of: ServeOptions.scripts) {
      let words = "--script \(option.argument)"
      let contract = try Self.find(option.name, "contract", library.contracts, \.id, words)
      let script = try Self.find(option.value, "script", contract.scripts, \.name, words)
      choices.append(.run(script, of: contract))
    }
    for option in try arguments.value(of: ServeOptions.cases) {
      let words = "--case \(option.argument)"
      let contract = try Self.find(option.name, "contract", library.contracts, \.id, words)
      let served = try Self.find(option.value, "case", contract.cases, \.name, words)
      choices.append(.use(served, of: contract))
    }
    self.choices = choices
  }

  private static func find<Value>(
    _ name: String, _ kind: String, _ values: [Value], _ nameOf: (Value) -> String,
    _ option: String
  ) throws(Failure) -> Value {
    guard let value = values.first(where: { nameOf($0) == name }) else {
      throw .unknownName(name, kind, of: option, known: values.map(nameOf))
    }
    return value
  }

  /// Fails where no client can meet what was chosen.
  func check(_ configuration: ServerConfiguration) throws(Failure) {
    guard configuration.certificates == nil else { return }
    let cases = choices.flatMap { choice -> [Case] in
      switch choice {
      case .use(let served, _): [served]
      case .run(let script, let contract): script.caseNames.compactMap(contract.case(named:))
      case .stage: []
      }
    }
    guard let fault = cases.compactMap(\.fault).first(where: \.needsTLS) else { return }
    let refusal = HandshakeRefusal.noTLS(fault)
    throw Failure(message: refusal.message, fix: refusal.fix)
  }

  func apply(to server: FakeServer) throws(SystemError) {
    for choice in choices {
      switch choice {
      case .use(let served, let contract): server.use(served.name, for: contract.id)
      case .run(let script, let contract): server.use(script.caseNames, for: contract.id)
      case .stage(let scenario, let upstream):
        server.use(scenario, of: upstream)
        try Blocking.run { await server.portsOpened() }
      }
    }
  }
}
