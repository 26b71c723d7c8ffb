import Synchronization
import UnderstudyCore

/// The names that files use to refer to other files.
///
/// Any thread may use it. What only mistakes and companions need is collected on first use.
final class LibraryNames: Sendable {
  /// A consumer, with what lint asks of it most.
  final class DeclaredConsumer: Sendable {
    let consumer: Consumer
    let upstreamNames: Set<String>
    let argumentTypes: [ExactText: Consumer.PayloadType]

    init(_ consumer: Consumer) {
      self.consumer = consumer
      upstreamNames = Set(consumer.upstreamNames)
      argumentTypes = Dictionary(
        consumer.arguments.map { (ExactText($0.name), $0.type) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  private final class Collected: Sendable {
    let consumerNames: [String]
    let contractIDs: [String]
    let casesByContract: [String: [String]]

    init(_ library: [Upstream], _ consumers: some Sequence<String>) {
      consumerNames = consumers.sorted()
      contractIDs = library.flatMap { $0.contracts.map(\.id) }
      casesByContract = Dictionary(
        library.flatMap { $0.contracts.map { ($0.id, $0.cases.map(\.name)) } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  let upstreams: [String]
  let consumers: [String: DeclaredConsumer]
  private let knownUpstreams: Set<String>
  private let collectedWhenAsked = AtomicLazyReference<Collected>()
  private let library: [Upstream]

  init(_ library: [Upstream], _ consumers: [Consumer]) {
    self.library = library
    self.consumers = Dictionary(
      consumers.map { ($0.name, DeclaredConsumer($0)) }, uniquingKeysWith: { $1 })
    upstreams = library.map(\.name)
    knownUpstreams = Set(upstreams)
  }

  private var collected: Collected {
    collectedWhenAsked.load()
      ?? collectedWhenAsked.storeIfNil(Collected(library, consumers.keys))
  }

  var consumerNames: [String] { collected.consumerNames }
  var contractIDs: [String] { collected.contractIDs }

  func hasUpstream(_ name: String) -> Bool { knownUpstreams.contains(name) }

  /// The cases of a contract, `nil` when there is no such contract.
  func cases(of contractID: String) -> [String]? { collected.casesByContract[contractID] }
}
