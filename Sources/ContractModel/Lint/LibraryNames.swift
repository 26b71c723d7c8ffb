import UnderstudyCore

/// The names that contracts use to refer to other files.
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
