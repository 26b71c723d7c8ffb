import UnderstudyContractModel

/// A set of contracts ready to be played: an immutable index, and every case compiled.
///
/// Shared by any number of servers. A request keeps the set it began with.
final class PlayableLibrary: Sendable {
  let index: RequestIndex
  /// By contract number.
  let ready: ReadyAnswers
  private let cases: [String: [PlayableCase?]]

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
    let cases = Dictionary(
      contracts.map { contract in
        (
          contract.id,
          contract.cases.map { PlayableCase($0, of: contract, rewriting: addresses) }
        )
      }, uniquingKeysWith: { first, _ in first })
    ready = ReadyAnswers(
      contracts.map { contract in
        contract.dependsOnSession ? nil : cases[contract.id]?[contract.defaultCaseIndex]
      })
    self.cases = cases
  }

  /// `nil` for a case that cannot be played, which lint reports.
  func playable(_ index: Int, of contract: Contract) -> PlayableCase? {
    guard let cases = cases[contract.id], cases.indices.contains(index) else { return nil }
    return cases[index]
  }
}

extension Contract {
  /// Whether the played case can depend on the request or on earlier ones.
  var dependsOnSession: Bool { cases.contains { $0.when != nil || !$0.then.isEmpty } }
}
