import UnderstudyCore
import UnderstudyJSON

/// The names that contracts use to refer to other files.
final class LibraryNames: Sendable {
  /// A consumer, with what lint asks of it most.
  final class DeclaredConsumer: Sendable {
    let consumer: Consumer
    let upstreamNames: Set<String>
    /// Empty where there are few, which are searched.
    private let manyArgumentTypes: [ExactText: Consumer.PayloadType]

    init(_ consumer: Consumer) {
      self.consumer = consumer
      upstreamNames = Set(consumer.upstreamNames)
      manyArgumentTypes =
        consumer.arguments.count <= 16
        ? [:]
        : Dictionary(
          consumer.arguments.map { (ExactText($0.name), $0.type) },
          uniquingKeysWith: { first, _ in first })
    }

    /// The type of an argument, if it is declared.
    func argumentType(of member: JSONMember) -> Consumer.PayloadType? {
      manyArgumentTypes.isEmpty
        ? consumer.arguments.first { member.hasKey($0.name) }?.type
        : manyArgumentTypes[ExactText(member.key)]
    }
  }

  let upstreams: [String]
  let consumers: [String: DeclaredConsumer]
  private let knownUpstreams: Set<String>

  init(_ upstreams: [String], _ consumers: [Consumer]) {
    self.upstreams = upstreams
    self.consumers = Dictionary(
      consumers.map { ($0.name, DeclaredConsumer($0)) }, uniquingKeysWith: { $1 })
    knownUpstreams = Set(upstreams)
  }

  var consumerNames: [String] { consumers.keys.sorted() }

  func hasUpstream(_ name: String) -> Bool { knownUpstreams.contains(name) }
}
