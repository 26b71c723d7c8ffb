package import UnderstudyContractModel

/// A consumer that this executable can check: a service is called, a command is run.
package enum Callee: Sendable {
  case service(ServiceConsumer)
  case command(CommandConsumer)

  package var name: String {
    switch self {
    case .service(let service): service.name
    case .command(let command): command.name
    }
  }

  package var command: CommandConsumer? {
    if case .command(let command) = self { command } else { nil }
  }
}

extension ConsumerRegistry {
  /// Returns `nil` for a service that is not registered.
  package func callee(_ name: String, among declared: [Consumer]) -> Callee? {
    declared.first { $0.name == name }.flatMap(CommandConsumer.init).map { .command($0) }
      ?? self[name].map { .service($0) }
  }
}
