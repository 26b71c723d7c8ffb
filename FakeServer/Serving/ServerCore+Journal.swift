import Synchronization
import UnderstudyContractModel
import UnderstudySecrets

extension ServerCore {
  /// Asks the server on the loop of each listener. `then` gets the responses, on the thread of the
  /// last one; a loop that has ended gives none.
  private func askAll<Response: Sendable>(
    _ job: @escaping @Sendable (inout Loop, _ number: Int, PortServer) -> Response,
    then: @escaping @Sendable ([Response]) -> Void
  ) {
    let listeners = listeners
    let gathering = ResponseCollector(count: listeners.count, then)
    for listener in listeners {
      let isPosted = listener.loop.mailbox.post { [number = listener.number] loop in
        let server = loop.listeners[number]?.handler as? PortServer
        gathering.add(server.map { job(&loop, number, $0) })
      }
      if !isPosted { gathering.add(nil) }
    }
  }

  /// Why no contract matched each of the unmatched requests, secrets masked.
  func unmatched(
    _ query: JournalQuery,
    then: @escaping @Sendable ([(entry: JournalEntry, explanation: Explanation)]) -> Void
  ) {
    var query = query
    query.isUnmatched = true
    readJournal(query) { [self] found in
      then(
        found.map { request in
          // Asking about its requests does not bring back a session that is gone.
          let layer = knownSession(named: request.session).map(layer) ?? layer
          // What came to other ports with an upstream of their own is not told apart.
          let name = configuration.rootUpstream
          var named = request.request
          if let name { named.path = "/\(name)\(named.path)" }
          return (request, mask.masked(layer.explain(named).withoutName(name)))
        })
    }
  }

  /// The selected requests in order of arrival, including all that were received before the call,
  /// on any loop.
  ///
  /// Loops only copy; `then` is called on its own thread, where formatting thousands of requests
  /// blocks no clients.
  func readJournal(
    _ query: JournalQuery, then: @escaping @Sendable ([JournalEntry]) -> Void
  ) {
    let isMeant = query.meansRecord
    askAll { _, _, server in
      server.journal.copies(after: query.since, where: isMeant)
    } then: { [self] journals in
      // Read last: the request log of a loop that the server leaves meanwhile is in either list, or
      // in both.
      let left = leftJournal.withLock { $0 }.filter { isMeant($0.record) }
      let all = Self.merged(left + journals.joined())
      EventLoop.inBackground { [self] in
        var reader = JournalReader(limits: configuration.limits.message)
        then(reader.entries(query, in: all))
      }
    }
  }

  /// In order of arrival, without duplicates.
  private static func merged(_ entries: [JournalRing.Copy]) -> [JournalRing.Copy] {
    var told: Set<UInt64> = []
    return entries.filter { told.insert($0.record.sequence).inserted }
      .sorted { $0.record.sequence < $1.record.sequence }
  }

  /// Deletes the requests of a session, or all requests; of these only those with certain numbers.
  func clearJournal(
    session: String?, _ numbers: Set<UInt64>? = nil, then: @escaping @Sendable () -> Void
  ) {
    callbacks.remove { sequence, name in
      (session == nil || name == session) && (numbers?.contains(sequence) ?? true)
    }
    askAll { _, _, server in
      guard let session else { return server.journal.removeAll() }
      let found = server.entries(JournalQuery { $0.session = session }).map(\.sequence)
      server.journal.remove(found.filter { numbers?.contains($0) ?? true })
    } then: { [self] _ in
      clearLeftJournal(session: session, numbers)
      then()
    }
  }

  private func clearLeftJournal(session: String?, _ numbers: Set<UInt64>? = nil) {
    exchanges.remove(session: session, numbers)
    guard let session else { return leftJournal.withLock { $0 = [] } }
    let query = JournalQuery { $0.session = session }
    let isMeant = query.meansRecord
    var reader = JournalReader(limits: configuration.limits.message)
    leftJournal.withLock { entries in
      entries.removeAll { entry in
        (numbers?.contains(entry.record.sequence) ?? true) && isMeant(entry.record)
          && !reader.entries(query, in: [entry]).isEmpty
      }
    }
  }

  /// Returns to the initial state: no chosen cases or modes, no state, no journal, no responses in
  /// progress.
  func reset(session: String?, then: @escaping @Sendable () -> Void) {
    if let session {
      return end(self.session(named: session)) { [events] _ in
        events.add(.reset, session: session)
        then()
      }
    }
    resetSessions()
    callbacks.remove { _, _ in true }
    askAll { loop, number, server in
      loop.cancelResponses(of: number, group: nil)
      server.journal.removeAll()
    } then: { [self] _ in
      clearLeftJournal(session: nil)
      events.add(.reset)
      openPorts { _ in then() }
    }
  }

  /// Resets a session and deletes it. `then` gets its requests, oldest first.
  func endSession(
    named name: String, then: @escaping @Sendable ([JournalEntry]) -> Void
  ) {
    end(session(named: name)) { [self] found in
      removeSession(named: name)
      hasEnded(named: name)
      then(found)
    }
  }

  /// Tells those who listen to a session that it has ended.
  func hasEnded(named name: String) {
    exchanges.remove(session: name)
    recordings.forget(name)
    events.add(.reset, session: name)
    events.end(session: name)
  }

  private func end(
    _ session: Session, then: @escaping @Sendable ([JournalEntry]) -> Void
  ) {
    session.reset()
    stubsChanged(of: session)
    begin(session: session.name)
    let query = JournalQuery {
      $0.session = session.name; $0.since = session.journalStart
    }
    askAll { [name = session.name] loop, number, server in
      // Requests in progress are returned as such.
      let found = server.entries(query)
      loop.cancelResponses(of: number, group: name)
      server.journal.remove(found.map(\.sequence))
      return found
    } then: { [self, name = session.name] found in
      callbacks.remove { $1 == name }
      clearLeftJournal(session: name)
      then(found.joined().sorted { $0.sequence < $1.sequence })
    }
  }
}

/// Collects a number of responses; the thread that adds the last passes them on.
final class ResponseCollector<Response: Sendable>: Sendable {
  private let state: Mutex<(withoutResponse: Int, responses: [Response])>
  private let then: @Sendable ([Response]) -> Void

  init(count: Int, _ then: @escaping @Sendable ([Response]) -> Void) {
    state = Mutex((count, []))
    self.then = then
    if count == 0 { then([]) }
  }

  func add(_ response: Response?) {
    let all = state.withLock { state -> [Response]? in
      state.withoutResponse -= 1
      if let response { state.responses.append(response) }
      return state.withoutResponse == 0 ? state.responses : nil
    }
    if let all { then(all) }
  }
}
