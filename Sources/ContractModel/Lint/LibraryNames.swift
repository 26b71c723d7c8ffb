import UnderstudyCore

/// The names that files use to refer to other files.
///
/// Owned by one lint. Case names are collected on first use.
final class LibraryNames {
  let upstreams: [String]
  let consumers: [String: Consumer]
  private let knownUpstreams: Set<String>
  private(set) lazy var consumerNames: [String] = consumers.keys.sorted()
  private(set) lazy var contractIDs: [String] = library.flatMap { $0.contracts.map(\.id) }
  private lazy var caseNames: [String: [String]] = Dictionary(
    library.flatMap { $0.contracts.map { ($0.id, $0.cases.map(\.name)) } },
    uniquingKeysWith: { first, _ in first })
  private var argumentTypes: [String: [ExactText: Consumer.PayloadType]] = [:]
  private let library: [Upstream]

  init(_ library: [Upstream], _ consumers: [Consumer]) {
    self.library = library
    self.consumers = Dictionary(consumers.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    upstreams = library.map(\.name)
    knownUpstreams = Set(upstreams)
  }

  /// The declared type of a consumer's argument; `nil` when it is not declared.
  func type(ofArgument name: String, of consumer: Consumer) -> Consumer.PayloadType? {
    if let types = argumentTypes[consumer.name] { return types[ExactText(name)] }
    let types = Dictionary(
      consumer.arguments.map { (ExactText($0.name), $0.type) },
      uniquingKeysWith: { first, _ in first })
    argumentTypes[consumer.name] = types
    return types[ExactText(name)]
  }

  func hasUpstream(_ name: String) -> Bool { knownUpstreams.contains(name) }

  /// The cases of a contract, `nil` when there is no such contract.
  func cases(of contractID: String) -> [String]? { caseNames[contractID] }
}
