import UnderstudyContractModel
import UnderstudyFakeServer

/// The contracts that a name and a case select from a library.
struct ContractSelection: Sendable {
  /// As given; `nil` for everything.
  let name: String?
  let caseName: String?
  /// The contracts with the case, if one is named. Empty only for a library without contracts.
  let contracts: [Contract]

  init(_ name: String?, case caseName: String?, in library: ContractLibrary) throws(FakeError) {
    let named = try library.contracts(named: name)
    if let caseName {
      contracts = named.filter { $0.case(named: caseName) != nil }
      guard !contracts.isEmpty else {
        var known: [String] = []
        for name in named.flatMap(\.cases).map(\.name) where !known.contains(name) {
          known.append(name)
        }
        throw .unknown("case", caseName, of: name, known: known)
      }
    } else {
      contracts = named
    }
    self.name = name
    self.caseName = caseName
  }

  var upstreamNames: Set<String> { Set(contracts.map(\.upstreamName)) }

  /// A selection of everything includes unmatched requests.
  func selects(_ entry: JournalEntry) -> Bool {
    guard let name else { return caseName == nil || isSelected(entry) }
    // The test's own responses are of the upstream, too.
    if caseName == nil, entry.contract?.hasPrefix("\(name)/") ?? false { return true }
    // A request to an upstream that is off reached it, as far as that was possible.
    if caseName == nil, entry.isByMode {
      return upstreamNames.contains { entry.path.hasPrefix("/\($0)/") || entry.path == "/\($0)" }
    }
    return isSelected(entry)
  }

  private func isSelected(_ entry: JournalEntry) -> Bool {
    (caseName == nil || entry.caseName == caseName)
      && contracts.contains { $0.id == entry.contract }
  }

  /// The words after "request" in a message.
  var target: String {
    (name.map { " to \($0)" } ?? "") + (caseName.map { " responded with \"\($0)\"" } ?? "")
  }
}

extension ContractLibrary {
  /// The contracts of an upstream, one by its id, or all.
  fileprivate func contracts(named name: String?) throws(FakeError) -> [Contract] {
    guard let name else { return contracts }
    if name.contains("/") { return [try contract(name)] }
    guard let upstream = upstreams.first(where: { $0.name == name }) else {
      throw .unknown("upstream", name, known: upstreams.map(\.name))
    }
    return upstream.contracts
  }

  func contract(_ id: String) throws(FakeError) -> Contract {
    guard let contract = contracts.first(where: { $0.id == id }) else {
      throw .unknown("contract", id, known: contracts.map(\.id))
    }
    return contract
  }
}
