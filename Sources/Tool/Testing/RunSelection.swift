import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

/// The selection of a run on the command line.
struct RunSelection {
  private let globs: [CaseGlob]
  private let consumers: [String]
  /// Checks that did not pass in the last run; `nil` for all.
  private let open: Set<Check.Identity>?

  /// Every name must match something: an empty run would pass.
  init(
    _ arguments: ParsedArguments, _ globs: [CaseGlob], in library: ContractLibrary
  ) throws(Failure) {
    self.globs = globs
    consumers = try arguments.value(of: TestOptions.consumers)
    let names = library.consumers.map(\.name)
    for name in consumers where !names.contains(name) {
      throw .unknownName(name, "consumer", of: "--consumer", known: names)
    }
    open = try arguments.value(of: TestOptions.failed) ? try LastRun.open() : nil
    let isEmpty = !library.contracts.contains { contract in
      contract.cases.contains { served in
        served.expectations.contains { contains(contract, served, $0.consumer) }
      }
    }
    if isEmpty, !globs.isEmpty || !consumers.isEmpty { throw .selectsNothing() }
    // The failed checks no longer exist.
    if isEmpty, open != nil { throw LastRun.nothingFailed }
  }

  /// Whether everything in the contracts is selected.
  var isEverything: Bool { globs.isEmpty && consumers.isEmpty && open == nil }

  /// For reports: `understudy test joke`.
  func command(isMutation: Bool) -> String {
    (["understudy test"] + (isMutation ? ["--mutate"] : []) + globs.map(\.text))
      .joined(separator: " ")
  }

  /// Whether the globs match a case, for any consumer.
  func names(_ contract: Contract, _ served: Case) -> Bool {
    globs.selects(contract, served)
  }

  func contains(_ contract: Contract, _ served: Case, _ consumer: String?) -> Bool {
    names(contract, served)
      && (consumers.isEmpty || consumer.map(consumers.contains) ?? false)
      && open?.contains(Check.Identity(contract.id, served.name, consumer: consumer)) ?? true
  }
}

extension Failure {
  fileprivate static func selectsNothing() -> Self {
    Self(
      message: "nothing to check: no selected case has an \"expect\" for a consumer that was",
      fix: "add \"expect\" to a case, or name others")
  }
}
