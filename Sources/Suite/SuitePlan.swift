package import Consumers
package import ContractModel

/// What a run is to check, and what nothing can check.
package struct SuitePlan: Sendable {
  /// A case that says nothing about a consumer of its contract; of a contract without any, about
  /// whom is open.
  package struct Gap: Hashable, Sendable {
    package let caseID: String
    package let consumer: String?
  }

  /// In the order of the contracts.
  package let checks: [Check]
  package let gaps: [Gap]

  /// - Parameters:
  ///   - globs: only these cases; all if there are none.
  ///   - names: only these consumers; all if there are none.
  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry, cases globs: [CaseGlob] = [],
    consumers names: [String] = []
  ) {
    var checks: [Check] = []
    var gaps: [Gap] = []
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        let consumers = Self.consumers(of: contract)
        for played in contract.cases
        where globs.isEmpty || globs.contains(where: { $0.matches(contract, played) }) {
          for name in consumers where names.isEmpty || names.contains(name) {
            if let expectation = played.expectations.first(where: { $0.consumer == name }),
              let consumer = registry[name]
            {
              checks.append(
                Check(
                  contract: contract, played: played, expectation: expectation, consumer: consumer))
            } else if upstream.retired == nil {
              gaps.append(Gap(caseID: "\(contract.id)#\(played.name)", consumer: name))
            }
          }
          if consumers.isEmpty, names.isEmpty, upstream.retired == nil {
            gaps.append(Gap(caseID: "\(contract.id)#\(played.name)", consumer: nil))
          }
        }
      }
    }
    self.checks = checks
    self.gaps = gaps
  }

  /// Those any case of the contract speaks of, in the order in which they appear.
  private static func consumers(of contract: Contract) -> [String] {
    var names: [String] = []
    for name in contract.cases.flatMap(\.expectations).map(\.consumer) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
