package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON

/// The checks of a run, and its gaps.
package struct SuitePlan: Sendable {
  /// In the order of the contracts.
  package private(set) var checks: [PlannedCheck] = []
  /// Cases without an expectation of a consumer of their contract, or of any consumer if the
  /// contract has none. Retired upstreams have no gaps.
  package private(set) var gaps: [Check] = []
  /// Consumers that other executables call, by the name of the executable.
  package private(set) var leftToOthers: [String: [String]] = [:]
  /// Errors of the consumers in `checks` that no contract provokes, and other tools that exercise
  /// cases.
  package private(set) var remarks: [Finding] = []

  /// - Parameter selects: whether a case and a consumer of its contract are selected; the consumer
  ///   is `nil` if the contract has none.
  package init(
    _ library: ContractLibrary, _ registry: ConsumerRegistry,
    where selects: (Contract, Case, _ consumer: String?) -> Bool = { _, _, _ in true }
  ) {
    let others = registry.otherTools(of: library.consumers)
    var otherCounts: [String: Int] = [:]
    for (upstream, contract, served) in library.cases {
      let names = contract.consumerNames
      for name in names.isEmpty ? [nil] : names where selects(contract, served, name) {
        if let name, let tool = others[name] {
          otherCounts[tool, default: 0] += 1
          if leftToOthers[tool]?.contains(name) != true {
            leftToOthers[tool, default: []] += [name]
          }
        } else {
          let callee = name.flatMap { registry.callee($0, among: library.consumers) }
          add(
            contract, served, callee == nil ? nil : name, callee, isRetired: upstream.isRetired)
        }
      }
    }
    remarks =
      Self.unprovokedErrors(library, of: Set(checks.map(\.expectation.consumer)))
      + otherCounts.sorted { $0.key < $1.key }.map { tool, count in
        let names = (leftToOthers[tool] ?? []).sorted().joined(separator: ", ")
        return Finding(
          .note, .coverage,
          "left \(count.of("case")) of \(names) to \(tool), as consumers.json declares",
          fix: "run \(tool) test")
      }
  }

  /// Without the checks and gaps of other tools.
  package func part(where isOurs: (Check.Identity) -> Bool) -> SuitePlan {
    var part = self
    part.checks.removeAll { !isOurs($0.identity) }
    part.gaps.removeAll { !isOurs($0.identity) }
    return part
  }

  private mutating func add(
    _ contract: Contract, _ served: Case, _ name: String?,
    _ callee: Callee?, isRetired: Bool
  ) {
    if let callee, let expectation = served.expectations.first(where: { $0.consumer == name }) {
      checks.append(PlannedCheck(contract, served, expectation, calling: callee))
    } else if !isRetired {
      gaps.append(
        .notExercised(
          Check.Identity(contract.id, served.name, consumer: name),
          at: Place(contract.file, served.source.position),
          because: name == nil
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
          .note, .coverage, "no contract provokes the error \(name) of \(consumer.name)",
          fix: "add a case that does, or remove it from consumers.json")
      }
    }
  }
}

extension ContractLibrary {
  fileprivate var cases: [(Upstream, Contract, Case)] {
    upstreams.flatMap { upstream in
      upstream.contracts.flatMap { contract in contract.cases.map { (upstream, contract, $0) } }
    }
  }
}

extension Upstream {
  fileprivate var isRetired: Bool { retired != nil }
}

extension Contract {
  /// The consumers named in its cases, in order of appearance.
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
