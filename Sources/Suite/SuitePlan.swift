package import Consumers
package import ContractModel
package import Findings
import JSON

/// What a run is to check, and what nothing can check.
package struct SuitePlan: Sendable {
  /// In the order of the contracts.
  package private(set) var checks: [PlannedCheck] = []
  /// Cases that say nothing about a consumer of their contract; where the contract has none, about
  /// whom is open. Upstreams that are retired have no gaps.
  package private(set) var gaps: [Check] = []
  /// Errors of the consumers in `checks` that no contract provokes.
  package private(set) var unprovokedErrors: [Finding] = []

  /// - Parameter selects: whether the run is about a case and a consumer of its contract; the
  ///   consumer is `nil` where the contract has none.
  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry,
    where selects: (Contract, Case, _ consumer: String?) -> Bool = { _, _, _ in true }
  ) {
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        let names = contract.consumerNames
        for played in contract.cases {
          for name in names.isEmpty ? [nil] : names where selects(contract, played, name) {
            add(contract, played, name.flatMap { registry[$0] }, isRetired: upstream.retired != nil)
          }
        }
      }
    }
    unprovokedErrors = Self.unprovokedErrors(library, of: Set(checks.map(\.consumer.name)))
  }

  /// Without the checks and gaps that are for others.
  package func part(where isOurs: (Check.Identity) -> Bool) -> SuitePlan {
    var part = self
    part.checks.removeAll { !isOurs($0.identity) }
    part.gaps.removeAll { !isOurs($0.identity) }
    return part
  }

  private mutating func add(
    _ contract: Contract, _ played: Case, _ consumer: ServiceConsumer?, isRetired: Bool
  ) {
    let expectation = played.expectations.first { $0.consumer == consumer?.name }
    if let expectation, let consumer {
      checks.append(
        PlannedCheck(
          contract: contract, played: played, expectation: expectation, consumer: consumer))
    } else if !isRetired {
      gaps.append(
        .notExercised(
          Check.Identity(contract.id, played.name, consumer: consumer?.name),
          at: Place(contract.file, played.source.position),
          because: consumer == nil
            ? "no consumer expects anything of its contract"
            : "the case does not say what to expect"
        ))
    }
  }

  private static func unprovokedErrors(
    _ library: ContractLibrary, of names: Set<String>
  ) -> [Finding] {
    let expectations = library.contracts.flatMap(\.cases).flatMap(\.expectations)
    return library.consumers.filter { names.contains($0.name) }.flatMap { consumer in
      let provoked = expectations.filter { $0.consumer == consumer.name }.compactMap(\.errorName)
      return consumer.errors.map(\.name).filter { !provoked.contains($0) }.map { name in
        Finding(
          .info, .coverage, "no contract provokes the error \(name) of \(consumer.name)",
          fix: "add a case that does, or take it from consumers.json")
      }
    }
  }
}

extension Contract {
  /// The consumers any of its cases speaks of, in the order in which they appear.
  fileprivate var consumerNames: [String?] {
    var names: [String] = []
    for name in cases.flatMap(\.expectations).map(\.consumer) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

extension Expectation {
  fileprivate var errorName: String? {
    if case .error(let name, _) = outcome { name } else { nil }
  }
}
