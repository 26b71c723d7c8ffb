import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Checks that the cases of other contracts that an expectation names exist.
struct CompanionLint {
  let contract: Contract
  let names: ContractNames
  let complaints: Complaints

  func check() {
    for expectation in contract.cases.flatMap(\.expectations) {
      for companion in expectation.companions { check(companion, of: expectation) }
    }
  }

  private func check(_ companion: CompanionCase, of expectation: Expectation) {
    let id = companion.contractID(beside: contract)
    let place = expectation.source["with"]?[companion.name] ?? expectation.source
    guard let cases = names.cases(of: id) else {
      complaints.add(
        .unknownEndpoint, at: place, "\"\(companion.name)\" is not a contract",
        fix: spellingSuggestion(for: id, among: names.contractIDs, noun: "the contracts"))
      return
    }
    guard let served = cases.first(where: { $0.name == companion.caseName }) else {
      let names = cases.map(\.name)
      complaints.add(
        .unknownCase, at: place, "\"\(companion.caseName)\" is not a case of \(id)",
        fix: spellingSuggestion(for: companion.caseName, among: names, noun: "the cases"))
      return
    }
    if let fault = served.fault, fault.isInHandshake {
      complaints.add(
        .badValue, at: place,
        "\(fault.rawValue) turns every client away before its request is known, so it cannot be"
          + " served beside another case",
        fix: "name another case of \(id)")
    }
  }
}

/// The cases of all contracts.
struct ContractNames {
  let contractIDs: [String]
  private let casesByContract: [String: [Case]]

  init(_ upstreams: [Upstream]) {
    let contracts = upstreams.flatMap(\.contracts)
    contractIDs = contracts.map(\.id)
    casesByContract = Dictionary(
      contracts.map { ($0.id, $0.cases) }, uniquingKeysWith: { first, _ in first })
  }

  /// The cases of a contract, `nil` when there is no such contract.
  func cases(of contractID: String) -> [Case]? { casesByContract[contractID] }
}

extension Contract {
  /// Whether an expectation names cases of other contracts.
  var hasCompanions: Bool {
    cases.contains { $0.expectations.contains { !$0.companions.isEmpty } }
  }
}
