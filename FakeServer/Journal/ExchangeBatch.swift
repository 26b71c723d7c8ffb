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
    /// Where the method is in `texts`, and the target after it.
    case brief(JournalRecord, textStart: Int, methodByteCount: Int, targetByteCount: Int)
    /// Which of the whole exchanges.
    case whole(Int)
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

  package subscript(index: Int) -> Entry {
    switch items[index] {
    case .whole(let number): return .whole(exchanges[number])
    case .brief(let record, let start, let methodByteCount, let targetByteCount):
      let middle = start + methodByteCount
      return .brief(
        Brief(
          record: record, method: texts[start..<middle],
          target: texts[middle..<middle + targetByteCount]))
    }
  }

  package func exchange(_ brief: Brief) -> Exchange {
    Exchange(
      brief.record, method: String(decoding: brief.method, as: UTF8.self),
      target: mask.masked(target: String(decoding: brief.target, as: UTF8.self)),
      .served(cases[brief.served]))
  }

  mutating func append(_ exchange: Exchange) {
    items.append(.whole(exchanges.count))
    exchanges.append(exchange)
  }

  // SAFETY: the bytes are copied, and not kept.
  mutating func append(
    _ record: JournalRecord, method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer
  ) {
    items.append(
      .brief(
        record, textStart: texts.count, methodByteCount: method.count,
        targetByteCount: target.count))
    texts.append(contentsOf: method)
    texts.append(contentsOf: target)
  }

  /// The other batch must be of the same server.
  package mutating func append(_ other: ExchangeBatch) {
    let (textCount, exchangeCount) = (texts.count, exchanges.count)
    for item in other.items {
      switch item {
      case .brief(let record, let start, let methodByteCount, let targetByteCount):
        items.append(
          .brief(
            record, textStart: start + textCount, methodByteCount: methodByteCount,
            targetByteCount: targetByteCount))
      case .whole(let number): items.append(.whole(number + exchangeCount))
      }
    }
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
    items.indices.lazy.map { index in
      switch self[index] {
      case .brief(let brief): exchange(brief)
      case .whole(let exchange): exchange
      }
    }.makeIterator()
  }
}
