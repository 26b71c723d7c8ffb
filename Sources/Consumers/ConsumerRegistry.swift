package import UnderstudyContractModel

/// The registered consumers, by name.
///
/// The target calls consumers and compares what they make of a response with what the contract
/// expects; `Suite` and `Drift` decide when. Read `ServiceConsumer` and `ConsumerCall`, which users
/// write against, `CommandConsumer` and its `CommandEnding`, then `Callee`, which is either of
/// them. `ConsumerOutcome` is a result, and `OutcomeComparison` finds its differences from an
/// expectation.
///
/// Where a service is to reach only a fake, it gets a `FakeOnlyTransport`. A call ends in time, by
/// `Timeouts`, even if the service does not return. Declared and registered services must match, or
/// a run would prove nothing for some of them.
package struct ConsumerRegistry: Sendable {
  /// In the order given.
  package let consumers: [ServiceConsumer]
  /// The name of this executable, as `consumers.json` has it under `in`.
  package let toolName: String

  package init(_ consumers: [ServiceConsumer], toolName: String = "understudy") {
    self.consumers = consumers
    self.toolName = toolName
  }

  package subscript(name: String) -> ServiceConsumer? {
    consumers.first { $0.name == name }
  }

  /// The executable declared for a consumer; `nil` when it is this one, or none is declared.
  private func otherTool(of declared: Consumer) -> String? {
    guard self[declared.name] == nil, !declared.isCommand, declared.toolName != toolName else {
      return nil
    }
    return declared.toolName
  }

  /// By the name of the consumer.
  package func otherTools(of declared: [Consumer]) -> [String: String] {
    declared.reduce(into: [:]) { $0[$1.name] = otherTool(of: $1) }
  }

  /// The differences from the services declared in `consumers.json`. They must match, since a
  /// consumer that is never called proves nothing.
  package func differences(from declared: [Consumer]) -> [String] {
    let names = consumers.map(\.name)
    let services = declared.filter { !$0.isCommand }
    let declaredNames = services.map(\.name)
    let missing = services.filter { self[$0.name] == nil && otherTool(of: $0) == nil }
    return [
      ("registered twice", names.filter { name in names.count { $0 == name } > 1 }),
      ("declared and not registered", missing.map(\.name)),
      ("registered and not declared", names.filter { !declaredNames.contains($0) }),
    ].filter { !$0.1.isEmpty }.map { difference, names in
      "\(difference): \(Set(names).sorted().joined(separator: ", "))"
    }
  }
}
