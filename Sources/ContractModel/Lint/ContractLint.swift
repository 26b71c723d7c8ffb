/// Checks one contract by itself, knowing only the names of upstreams and the declared consumers.
///
/// The folder has the rules that a contract can break although it can be read. This file runs those
/// for one contract: `ConditionLint`, `ExpectationLint`, `TemplateLint`, `DeliveryLint`,
/// `CallbackLint`, `LiveLint`. `CrossLint` runs those that need several files: `CompanionLint`, `ReachabilityLint`
/// with its `Rival`s, and `CoverageLint`, whose rules can be waived with a reason. `LibraryNames`
/// has the names of all files, and `FindingType+Lint` the rules that may be waived.
///
/// A rule only adds to the complaints of a file; it changes no contract, and none depends on what
/// another has found, but for coverage, which is not checked in full where a file has errors.
struct ContractLint {
  let contract: Contract
  let upstream: Upstream
  let names: LibraryNames
  let checksExpectations: Bool
  let complaints: Complaints

  func check() {
    ConditionLint(contract: contract, complaints: complaints).check()
    let expectations = ExpectationLint(contract: contract, names: names, complaints: complaints)
    let templates = TemplateLint(contract, names, complaints)
    let callbacks = CallbackLint(upstream: upstream, complaints: complaints)
    let delivery = DeliveryLint(contract: contract, complaints: complaints)
    for served in contract.cases {
      if checksExpectations { expectations.check(served) }
      templates.check(served)
      delivery.check(served)
      callbacks.check(served)
    }
    LiveLint(contract: contract, upstream: upstream, complaints: complaints).check()
  }
}
