package import UnderstudySecrets

/// Completed requests in the order of completion, on their way to a server's listener.
///
/// Most are kept as bytes: describing a request in strings takes longer than responding to it.
package struct ExchangeBatch: Sendable {
  /// A request that a case served at once.
  package struct Brief: Sendable {
    package let record: JournalRecord
    package let method: ArraySlice<UInt8>
    /// As sent, so it may contain secrets.
    package let target: ArraySlice<UInt8>

    /// The number of the served case.
    package var served: Int { Int(record.servedNumber) }
  }

  /// A request in either of its forms, so that only what is needed of it becomes strings.
  package enum Entry: Sendable {
    case brief(Brief)
    case whole(Exchange)
  }

  private enum Item {
    /// With a method and a target in `texts`, after those of the items before.
    case brief(JournalRecord, methodByteCount: UInt32, targetByteCount: UInt32)
    /// The next of the whole exchanges.
    case whole
  }

  private var items: [Item] = []
  private var texts: [UInt8] = []
  private var exchanges: [Exchange] = []
  package let cases: ServedCases
  package let mask: SecretMask

  init(_ cases: ServedCases, _ mask: SecretMask) {
    self.cases = cases
    self.mask = mask
  }

  package var count: Int { items.count }

  /// About how much memory it takes.
  package var byteCount: Int {
    items.count * MemoryLayout<Item>.stride + texts.count
      + exchanges.count * MemoryLayout<Exchange>.stride
  }

  /// Visits the requests in order. Items do not say where their texts are, so that batches are
  /// joined without a change to any.
  package func visit(_ body: (Entry) -> Void) {
    var (textIndex, exchangeIndex) = (0, 0)
    for item in items {
      switch item {
      case .whole:
        body(.whole(exchanges[exchangeIndex]))
        exchangeIndex += 1
      case .brief(let record, let methodByteCount, let targetByteCount):
        let middle = textIndex + Int(methodByteCount)
        let end = middle + Int(targetByteCount)
        body(
          .brief(
            Brief(record: record, method: texts[textIndex..<middle], target: texts[middle..<end])))
        textIndex = end
      }
    }
  }

  package func exchange(_ brief: Brief) -> Exchange {
    Exchange(
      brief.record, method: String(decoding: brief.method, as: UTF8.self),
      target: mask.masked(target: String(decoding: brief.target, as: UTF8.self)),
      .served(cases[brief.served]))
  }

  mutating func append(_ exchange: Exchange) {
    items.append(.whole)
    exchanges.append(exchange)
  }

  // SAFETY: the bytes are copied, and not kept.
  mutating func append(
    _ record: JournalRecord, method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer
  ) {
    items.append(
      .brief(
        record, methodByteCount: UInt32(method.count), targetByteCount: UInt32(target.count)))
    texts.append(contentsOf: method)
    texts.append(contentsOf: target)
  }

  /// The other batch must be of the same server.
  package mutating func append(_ other: ExchangeBatch) {
    items += other.items
    texts += other.texts
    exchanges += other.exchanges
  }

  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    exchanges.removeAll(keepingCapacity: true)
  }
}

extension ExchangeBatch: Sequence {
  package func makeIterator() -> some IteratorProtocol<Exchange> {
    var all: [Exchange] = []
    visit { entry in
      switch entry {
      case .brief(let brief): all.append(exchange(brief))
      case .whole(let exchange): all.append(exchange)
      }
    }
    return all.makeIterator()
  }
}
