import UnderstudyContractModel

extension ServerCore {
  /// The selected requests: at once if there is one, else when the first has come, and none after
  /// `patience`. `nil` when nobody waits any more: the task is cancelled or the server is closed.
  func awaitRequests(
    _ query: JournalQuery, within patience: Duration
  ) async -> [JournalEntry]? {
    await withTaskGroup(of: [JournalEntry]?.self) { group in
      group.addTask { await self.firstRequests(query) }
      group.addTask {
        do { try await Task.sleep(for: patience) } catch { return nil }
        // A busy machine may not have looked even once.
        return await self.journal(query)
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func firstRequests(_ query: JournalQuery) async -> [JournalEntry]? {
    var unlimited = query
    unlimited.countMax = nil
    while !Task.isCancelled, !arrivals.isClosed {
      // Later requests may be known to one loop but not yet in another's journal.
      let (last, outcomes) = (lastSequence, outcomeCount)
      let found = query.newest(await self.journal(unlimited).filter { $0.sequence <= last })
      if !found.isEmpty { return found }
      // A request that does not match now never will, unless its outcome matters.
      if query.status == nil, query.outcome == nil, query.callback == nil {
        unlimited.since = max(query.since, last)
      }
      await arrivals.wait { lastSequence > last || outcomeCount > outcomes }
    }
    return nil
  }

  func journal(_ query: JournalQuery) async -> [JournalEntry] {
    await withCheckedContinuation { continuation in
      readJournal(query) { continuation.resume(returning: $0) }
    }
  }
}
