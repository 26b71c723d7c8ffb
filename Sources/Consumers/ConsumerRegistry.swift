package import ContractModel

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

  /// How these differ from what `consumers.json` declares, a sentence each; empty when they are the
  /// same, as they must be: a consumer that nobody calls proves nothing.
  package func differences(from declared: [Consumer]) -> [String] {
    let names = consumers.map(\.name)
    let twice = Set(names.filter { name in names.count { $0 == name } > 1 }).sorted()
    let declaredNames = declared.map(\.name)
    return twice.map { "consumer \"\($0)\" is registered twice" }
      + declaredNames.filter { !names.contains($0) }.sorted()
      .map { "consumer \"\($0)\" is declared in consumers.json and not registered" }
      + Set(names).filter { !declaredNames.contains($0) }.sorted()
      .map { "consumer \"\($0)\" is registered and not declared in consumers.json" }
  }
}
