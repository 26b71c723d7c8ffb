package import UnderstudyContractModel

/// The consumers that can be called, by name.
package struct ConsumerRegistry: Sendable {
  /// In the order they were given.
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

  /// The executable that a declared consumer is left to; `nil` when it is this one, or none is
  /// declared.
  private func otherTool(of declared: Consumer) -> String? {
    guard self[declared.name] == nil, declared.toolName != toolName else { return nil }
    return declared.toolName
  }

  /// By the name of the consumer.
  package func otherTools(of declared: [Consumer]) -> [String: String] {
    declared.reduce(into: [:]) { $0[$1.name] = otherTool(of: $1) }
  }

  /// How these differ from the services that `consumers.json` declares; empty when they are the same,
  /// as they must be: a consumer that nobody calls proves nothing.
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
