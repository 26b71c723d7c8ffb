import Synchronization
import UnderstudyContractModel

/// A set of contracts ready to be played: an immutable index, and cases compiled when the first
/// request needs their contract.
///
/// Shared by any number of servers. A request keeps the set it began with.
final class PlayableLibrary: Sendable {
  let index: RequestIndex
  /// By contract number.
  let ready: ReadyAnswers
  /// Of all contracts; their cases are numbered in order.
  let caseCount: Int
  /// By contract number.
  private let contracts: [PlayableContract]
  let addresses: LiveAddresses?

  /// Created once for each library, however many servers play it.
  static func shared(_ library: ContractLibrary, rewritesLinks: Bool) -> PlayableLibrary {
    // Created first, since one product must not request another.
    let index = library.index
    return library.products.product(rewritesLinks ? "playable, links rewritten" : "playable") {
      PlayableLibrary(
        index, rewriting: rewritesLinks ? LiveAddresses(of: library.upstreams) : nil)
    }
  }

  /// - Parameter addresses: the live APIs to which its answers may link.
  init(_ index: RequestIndex, rewriting addresses: LiveAddresses?) {
    self.addresses = addresses
    self.index = index
    var caseCount = 0
    contracts = index.upstreams.flatMap(\.contracts).map { contract in
      defer { caseCount += contract.cases.count }
      return PlayableContract(contract, firstCaseNumber: caseCount)
    }
    self.caseCount = caseCount
    ready = ReadyAnswers(count: contracts.count)
  }

  /// `nil` for a case that cannot be played, which lint reports.
  func playable(_ index: Int, ofContract number: Int) -> PlayableCase? {
    let playable = contracts[number]
    return playable.case(at: index) {
      let contract = playable.contract
      let cases = contract.cases.map { PlayableCase($0, of: contract, rewriting: addresses) }
      if !contract.dependsOnSession, contract.triggeredIndices.isEmpty,
        let index = contract.defaultCaseIndex, let first = cases[index]
      {
        let caseNumber = playable.firstCaseNumber + index
        ready.add(first, number: caseNumber, ofContract: number)
      }
      return cases
    }
  }

  func caseNumber(of index: Int, ofContract number: Int) -> Int {
    contracts[number].firstCaseNumber + index
  }

  /// The case with this number.
  func played(_ caseNumber: Int) -> PlayedCase {
    // The last contract that begins at or before it.
    var (low, high) = (0, contracts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if contracts[middle].firstCaseNumber <= caseNumber { low = middle } else { high = middle }
    }
    let contract = contracts[low].contract
    let index = caseNumber - contracts[low].firstCaseNumber
    return PlayedCase(contract: contract.id, caseName: contract.cases[index].name)
  }
}

/// The cases of one contract, compiled on first use.
private final class PlayableContract: Sendable {
  let contract: Contract
  let firstCaseNumber: Int
  /// One that is retained here. An `AtomicLazyReference` would look up its own type for each request.
  private let made = Atomic<Unmanaged<Cases>?>(nil)

  init(_ contract: Contract, firstCaseNumber: Int) {
    self.contract = contract
    self.firstCaseNumber = firstCaseNumber
  }

  deinit { made.load(ordering: .acquiring)?.release() }

  func `case`(at index: Int, make: () -> [PlayableCase?]) -> PlayableCase? {
    let cases =
      made.load(ordering: .acquiring)?.takeUnretainedValue() ?? keep(Cases(make()))
    return cases.all[index]
  }

  /// Those that are kept: these, or what another thread has made meanwhile.
  private func keep(_ cases: Cases) -> Cases {
    let new = Unmanaged.passRetained(cases)
    let (isKept, old) = made.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if !isKept { new.release() }
    return old?.takeUnretainedValue() ?? cases
  }

  private final class Cases: Sendable {
    let all: [PlayableCase?]

    init(_ all: [PlayableCase?]) { self.all = all }
  }
}
