import Synchronization
import UnderstudyContractModel

/// A set of contracts ready to be served: an immutable index, and cases compiled when the first
/// request needs their contract.
///
/// Shared by any number of servers. A request keeps the set it began with.
///
/// The folder turns cases into bytes and steps; it chooses nothing and sends nothing. Read this
/// file, `ServableCase` and `ResponseRecipe`, which hold what does not depend on a request, then
/// `ByteTemplate`, whose placeholders a request fills in through `RequestFacts`. `ResponseHead`
/// writes the head, `ResponseConditions` serves parts and "not modified", and `ReadyResponses` has
/// the bytes of those responses in which only the date changes. `Layer` stacks contracts made at
/// run time on those of files.
///
/// Each case has a `ValueGenerator` of its own in each session, used in the order of headers and
/// body, so the same seed gives the same values.
final class ServableLibrary: Sendable {
  let index: RequestIndex
  /// By contract number.
  let ready: ReadyResponses
  /// The number of cases of all contracts; cases are numbered in the order of their contracts.
  let caseCount: Int
  /// By contract number.
  private let contracts: [ServableContract]
  let addresses: LiveAddresses?

  /// Created once for each library, however many servers serve it.
  static func shared(_ library: ContractLibrary, rewritesLinks: Bool) -> ServableLibrary {
    // Created first, since one product must not request another.
    let index = library.index
    return library.products.product(rewritesLinks ? "servable, links rewritten" : "servable") {
      ServableLibrary(
        index, rewriting: rewritesLinks ? LiveAddresses(of: library.upstreams) : nil)
    }
  }

  /// - Parameter addresses: the live APIs to which its responses may link.
  init(_ index: RequestIndex, rewriting addresses: LiveAddresses?) {
    self.addresses = addresses
    self.index = index
    var caseCount = 0
    contracts = index.upstreams.flatMap(\.contracts).map { contract in
      defer { caseCount += contract.cases.count }
      return ServableContract(contract, firstCaseNumber: caseCount)
    }
    self.caseCount = caseCount
    ready = ReadyResponses(count: contracts.count)
  }

  /// `nil` for a case that cannot be served, which lint reports.
  func servable(_ index: Int, ofContract number: Int) -> ServableCase? {
    let servable = contracts[number]
    return servable.case(at: index) {
      let contract = servable.contract
      let cases = contract.cases.map { ServableCase($0, of: contract, rewriting: addresses) }
      if !contract.dependsOnSession, contract.whenIndices.isEmpty,
        let index = contract.defaultCaseIndex, let first = cases[index]
      {
        let caseNumber = servable.firstCaseNumber + index
        ready.add(first, number: caseNumber, ofContract: number)
      }
      return cases
    }
  }

  func caseNumber(of index: Int, ofContract number: Int) -> Int {
    contracts[number].firstCaseNumber + index
  }

  /// The case with this number.
  func served(_ caseNumber: Int) -> ServedCase {
    // The last contract that begins at or before it.
    var (low, high) = (0, contracts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if contracts[middle].firstCaseNumber <= caseNumber { low = middle } else { high = middle }
    }
    let contract = contracts[low].contract
    let index = caseNumber - contracts[low].firstCaseNumber
    return ServedCase(contract: contract.id, caseName: contract.cases[index].name)
  }
}

/// The cases of one contract, compiled on first use.
private final class ServableContract: Sendable {
  let contract: Contract
  let firstCaseNumber: Int
  /// One that is retained here. An `AtomicLazyReference` would look up its own type for each
  /// request.
  private let made = Atomic<Unmanaged<Cases>?>(nil)

  init(_ contract: Contract, firstCaseNumber: Int) {
    self.contract = contract
    self.firstCaseNumber = firstCaseNumber
  }

  deinit { made.load(ordering: .acquiring)?.release() }

  func `case`(at index: Int, make: () -> [ServableCase?]) -> ServableCase? {
    let cases =
      made.load(ordering: .acquiring)?.takeUnretainedValue() ?? keep(Cases(make()))
    return cases.all[index]
  }

  /// Keeps the cases, unless another thread has made some meanwhile; returns the ones that are
  /// kept.
  private func keep(_ cases: Cases) -> Cases {
    let new = Unmanaged.passRetained(cases)
    let (isKept, old) = made.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if !isKept { new.release() }
    return old?.takeUnretainedValue() ?? cases
  }

  private final class Cases: Sendable {
    let all: [ServableCase?]

    init(_ all: [ServableCase?]) { self.all = all }
  }
}
