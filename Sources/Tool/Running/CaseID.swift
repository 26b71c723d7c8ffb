import UnderstudyContractModel
import UnderstudyCore
import UnderstudySuite

/// One case of one contract.
struct CaseID: Sendable {
  let contract: Contract
  let caseName: String

  /// `dog-ceo/random-images#slow`
  var text: String { "\(contract.id)#\(caseName)" }

  var served: Case? { contract.case(named: caseName) }

  /// The cases that match names on the command line, each once, in the order of the library. A name
  /// without a match is an error.
  static func named(
    by words: [String], in library: ContractLibrary
  ) throws(Failure) -> [CaseID] {
    let globs = words.map { CaseGlob($0) }
    for glob in globs { try glob.requireMatch(in: library) }
    return library.contracts.flatMap { contract in
      contract.cases.filter { served in globs.contains { $0.matches(contract, served) } }
        .map { CaseID(contract: contract, caseName: $0.name) }
    }
  }
}
