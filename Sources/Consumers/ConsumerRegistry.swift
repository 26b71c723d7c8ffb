package import UnderstudyContractModel

/// The consumers that can be called, by name.
package struct ConsumerRegistry: Sendable {
  /// In the order they were given.
  package let consumers: [ServiceConsumer]

  package init(_ consumers: [ServiceConsumer]) {
    self.consumers = consumers
  }

  package subscript(name: String) -> ServiceConsumer? {
    consumers.first { $0.name == name }
  }

  /// How these differ from the services that `consumers.json` declares; empty when they are the same,
  /// as they must be: a consumer that nobody calls proves nothing.
  package func differences(from declared: [Consumer]) -> [String] {
    let names = consumers.map(\.name)
    let declaredNames = declared.filter { !$0.isCommand }.map(\.name)
    return [
      ("registered twice", names.filter { name in names.count { $0 == name } > 1 }),
      ("declared and not registered", declaredNames.filter { !names.contains($0) }),
      ("registered and not declared", names.filter { !declaredNames.contains($0) }),
    ].filter { !$0.1.isEmpty }.map { difference, names in
      "\(difference): \(Set(names).sorted().joined(separator: ", "))"
    }
  }
}
