import Synchronization

/// Work that all processors share.
package enum AllProcessors {
  /// The results of a job for each item, in the order of the items.
  ///
  /// Items are handed out a few at a time. The calling thread works, too, and alone if there are
  /// few items or no other thread can be started.
  package static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], itemsAtOnce: Int = 1, threadCountMax: Int = .max,
    _ job: @escaping @Sendable (Item) -> Result
  ) -> [Result] {
    let shares = Shares(items, itemsAtOnce, job)
    let threadCount = min(threadCountMax, ThisProcess.processorCount, shares.count)
    guard threadCount > 1 else { return items.map(job) }
    let shortage = Shortage.noticed
    let threads = (1..<threadCount).compactMap { _ in
      try? SystemThread { Shortage.$noticed.withValue(shortage) { shares.work() } }
    }
    shares.work()
    for thread in threads { thread.join() }
    return shares.results
  }

  private final class Shares<Item: Sendable, Result: Sendable>: Sendable {
    let count: Int
    private let items: [Item]
    private let itemsAtOnce: Int
    private let job: @Sendable (Item) -> Result
    private let next = Atomic(0)
    private let done: Mutex<[[Result]]>

    init(_ items: [Item], _ itemsAtOnce: Int, _ job: @escaping @Sendable (Item) -> Result) {
      self.items = items
      self.itemsAtOnce = itemsAtOnce
      self.job = job
      count = (items.count + itemsAtOnce - 1) / itemsAtOnce
      done = Mutex(Array(repeating: [], count: count))
    }

    func work() {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        ThisProcess.makeRoom(byteCount: 1 << 20)
        let start = number * itemsAtOnce
        let results = items[start..<min(start + itemsAtOnce, items.count)].map(job)
        done.withLock { $0[number] = results }
      }
    }

    var results: [Result] { done.withLock { Array($0.joined()) } }
  }
}
