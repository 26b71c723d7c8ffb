package import UnderstudyContractModel

/// The difference between two sets of contracts, by names of contracts and upstreams.
package struct LibraryChange: Hashable, Sendable {
  package private(set) var added: [String] = []
  package private(set) var removed: [String] = []
  package private(set) var changed: [String] = []

  package init(from old: ContractLibrary, to new: ContractLibrary) {
    let oldContracts = Self.byName(old.contracts.map { ($0.id, $0) })
    let newContracts = Self.byName(new.contracts.map { ($0.id, $0) })
    compare(oldContracts, newContracts) { $0.isSame(as: $1) }
    let oldUpstreams = Self.byName(old.upstreams.map { ($0.name, $0) })
    let newUpstreams = Self.byName(new.upstreams.map { ($0.name, $0) })
    compare(oldUpstreams, newUpstreams) { $0.isDeclaredAs($1) }
    added.sort()
    removed.sort()
    changed.sort()
  }

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  private static func byName<Value>(_ pairs: [(String, Value)]) -> [String: Value] {
    Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private mutating func compare<Value>(
    _ old: [String: Value], _ new: [String: Value], isSame: (Value, Value) -> Bool
  ) {
    added += new.keys.filter { old[$0] == nil }
    removed += old.keys.filter { new[$0] == nil }
    changed += new.filter { name, value in old[name].map { !isSame($0, value) } ?? false }.keys
  }
}

extension LibraryChange: CustomStringConvertible {
  /// `changed joke/random-joke; added dog-ceo/breeds and 3 more`
  package var description: String {
    [("added", added), ("removed", removed), ("changed", changed)].filter { !$0.1.isEmpty }.map {
      verb, names in
      let more = names.count > 3 ? " and \(names.count - 3) more" : ""
      return "\(verb) \(names.prefix(3).joined(separator: ", "))\(more)"
    }.joined(separator: "; ")
  }
}

extension Contract {
  /// Whether both files have the same contents, including body files.
  fileprivate func isSame(as other: Contract) -> Bool {
    contentHash == other.contentHash && cases.map(\.bodyBytes) == other.cases.map(\.bodyBytes)
  }
}
