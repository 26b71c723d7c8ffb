import UnderstudyCore

/// The names that a command in a network of its own may ask for.
struct NameTable: Sendable {
  /// Those of upstreams.
  let declared: Set<String>
  /// That of this machine.
  let own: String

  /// What a query gets, and whether it is for a name that nobody has declared.
  func response(to query: NameQuery) -> (NameQuery.Response, isForeign: Bool) {
    let isOfMachine = NetworkHost(query.name).isLoopback || query.name == own
    guard isOfMachine || declared.contains(query.name) else {
      // Programs ask by themselves for the names of addresses.
      return (.noSuchName, isForeign: !query.isReverse && !query.name.isEmpty)
    }
    switch query.type {
    case NameQuery.ipv4: return (.address([127, 0, 0, 1]), false)
    case NameQuery.ipv6 where isOfMachine:
      return (.address(Array(repeating: 0, count: 15) + [1]), false)
    default: return (.nothing, false)
    }
  }
}
