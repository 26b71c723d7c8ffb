/// Checks one contract by itself, knowing only the names of upstreams and the declared consumers.
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
    let delivery = DeliveryLint(contract: contract, complaints: complaints)
    for served in contract.cases {
      if checksExpectations { expectations.check(served) }
      templates.check(served)
      delivery.check(served)
    }
    LiveLint(contract: contract, upstream: upstream, complaints: complaints).check()
  }
}
