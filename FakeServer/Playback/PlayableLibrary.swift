import UnderstudyContractModel

/// A set of contracts ready to be played: an immutable index, and every case compiled.
///
/// Shared by any number of servers. A request keeps the set it began with.
final class PlayableLibrary: Sendable {
  let index: RequestIndex
  /// By contract number.
  let ready: ReadyAnswers
  /// Of all contracts; `nil` for a case that cannot be played, which lint reports.
  let cases: [PlayableCase?]
  /// By contract number.
  private let firstCaseNumbers: [Int]

  /// Created once for each library, however many servers play it.
  static func shared(_ library: ContractLibrary, rewritesLinks: Bool) -> PlayableLibrary {
    // Created first, since one product must not request another.
    let index = library.index
    return library.products.product(rewritesLinks ? "playable, links rewritten" : "playable") {
      PlayableLibrary(library, index, rewritesLinks: rewritesLinks)
    }
  }

  private init(_ library: ContractLibrary, _ index: RequestIndex, rewritesLinks: Bool) {
    let addresses = rewritesLinks ? LiveAddresses(of: library.upstreams) : nil
    self.index = index
    let contracts = library.contracts
    var cases: [PlayableCase?] = []
    var firstCaseNumbers: [Int] = []
    for contract in contracts {
      firstCaseNumbers.append(cases.count)
      for played in contract.cases {
        cases.append(PlayableCase(played, of: contract, rewriting: addresses))
      }
    }
    self.cases = cases
    self.firstCaseNumbers = firstCaseNumbers
    ready = ReadyAnswers(
      of: cases,
      at: zip(contracts, firstCaseNumbers).map { contract, first in
        contract.dependsOnSession ? nil : first + contract.defaultCaseIndex
      })
  }

  func caseNumber(of index: Int, inContract contractNumber: Int) -> Int {
    firstCaseNumbers[contractNumber] + index
  }
}

extension Contract {
  /// Whether the played case can depend on the request or on earlier ones.
  var dependsOnSession: Bool { cases.contains { $0.when != nil || !$0.then.isEmpty } }
}
