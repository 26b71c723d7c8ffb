package import UnderstudyCore
package import UnderstudySecrets

/// Completed requests in the order of completion, on their way to a server's listener.
///
/// Most are kept as bytes: describing a request in strings takes longer than responding to it.
package struct ExchangeBatch: Sendable {
  /// A request that a case served at once.
  package struct Brief: Sendable {
    package let receivedAt: Moment
    package let sentByteCount: Int
    package let status: Int
    /// The number of the served case.
    package let served: Int
    package let method: ArraySlice<UInt8>
    /// As sent, so it may contain secrets.
    package let target: ArraySlice<UInt8>
  }

  /// A request in either of its forms, so that only what is needed of it becomes strings.
  package enum Entry: Sendable {
    case brief(Brief)
    case whole(Exchange)
  }

  private struct Item {
    var receivedAt = Moment.epoch
    var sentByteCount: UInt64 = 0
    /// The number of the served case, or -1 for the first of the whole exchanges, -2 for the second.
    var served: Int32
    /// Where the method is in `texts`, and the target after it.
    var textStart: UInt32 = 0
    var targetByteCount: UInt32 = 0
    var methodByteCount: UInt16 = 0
    var status: UInt16 = 0
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
    let item = items[index]
    guard item.served >= 0 else { return .whole(exchanges[Int(-1 - item.served)]) }
    let middle = Int(item.textStart) + Int(item.methodByteCount)
    return .brief(
      Brief(
        receivedAt: item.receivedAt, sentByteCount: Int(item.sentByteCount),
        status: Int(item.status), served: Int(item.served),
        method: texts[Int(item.textStart)..<middle],
        target: texts[middle..<middle + Int(item.targetByteCount)]))
  }

  package func exchange(_ brief: Brief) -> Exchange {
    let served = cases[brief.served]
    return Exchange(
      receivedAt: brief.receivedAt, method: String(decoding: brief.method, as: UTF8.self),
      target: mask.masked(target: String(decoding: brief.target, as: UTF8.self)),
      source: .served(contractID: served.contract, caseName: served.caseName),
      status: brief.status, sentByteCount: brief.sentByteCount)
  }

  mutating func append(_ exchange: Exchange) {
    exchanges.append(exchange)
    items.append(Item(served: Int32(-exchanges.count)))
  }

  // SAFETY: the bytes are copied, and not kept.
  mutating func append(
    _ record: JournalRing.Record, method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer
  ) {
    items.append(
      Item(
        receivedAt: record.receivedAt, sentByteCount: record.sentByteCount, served: record.label,
        textStart: UInt32(texts.count), targetByteCount: UInt32(target.count),
        methodByteCount: UInt16(clamping: method.count), status: record.status))
    texts.append(contentsOf: method)
    texts.append(contentsOf: target)
  }

  /// The other batch must be of the same server.
  package mutating func append(_ other: ExchangeBatch) {
    let (start, textCount, exchangeCount) = (items.count, texts.count, exchanges.count)
    items += other.items
    texts += other.texts
    exchanges += other.exchanges
    for index in start..<items.count {
      if items[index].served >= 0 {
        items[index].textStart += UInt32(textCount)
      } else {
        items[index].served -= Int32(exchangeCount)
      }
    }
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
