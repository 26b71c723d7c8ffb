import ContractModel

/// A set of contracts made ready to be played: an immutable index, and every case compiled.
///
/// Shared by any number of servers. A request keeps the set it began with.
final class PlayableLibrary: Sendable {
  /// What is looked at of a contract by every request to it.
  struct Entry {
    /// The number of its first case; the others follow.
    let firstCase: Int
    let defaultCase: Int
    /// Whether which case is played can depend on the request or on what was played before.
    let dependsOnSession: Bool
  }

  let index: RequestIndex
  /// By number.
  let entries: [Entry]
  let ready: ReadyAnswers
  private let contracts: [Contract]
  /// By number; `nil` for a case that cannot be played, which lint complains about.
  private let cases: [PlayableCase?]

  init(_ library: ContractLibrary) {
    index = RequestIndex(library.upstreams)
    contracts = library.contracts
    var cases: [PlayableCase?] = []
    entries = contracts.map { contract in
      let first = cases.count
      cases += contract.cases.map { PlayableCase($0, of: contract) }
      return Entry(
        firstCase: first, defaultCase: first + contract.defaultCaseIndex,
        dependsOnSession: contract.dependsOnSession)
    }
    ready = ReadyAnswers(cases)
    self.cases = cases
  }

  var caseCount: Int { cases.count }

  func playable(_ number: Int) -> PlayableCase? { cases[number] }
}
