import Synchronization
package import UnderstudyContractModel

/// What tests in the server's own process can do with it.
///
///     let library = try ContractLibrary(drafts: [
///       ContractDraft("joke/random", "GET", "/random")
///         .case("ok", status: 200, body: #"{ "setup": "Why?" }"#)
///         .case("gone", status: 410)
///     ])
///     let server = try await FakeServer.start(library)
///     server.use("gone", for: "joke/random")
///     async let outcome = client.randomJoke(from: server.baseURL(of: "joke"))
///     let request = await server.nextRequest()
///     …
///     await server.close()
extension FakeServer {
  /// The base URL for clients of the upstream of this name; `nil` when there is none.
  package func baseURL(of upstreamName: String, session: String? = nil) -> String? {
    core.layer.upstream(named: upstreamName).map { baseURL(of: $0, session: session) }
  }

  /// Waits for the first selected request after the one this method last returned; `nil` when the
  /// server is closed or the task is cancelled.
  ///
  /// A request is returned once it is complete, served or not. No request is returned twice, and
  /// skipped ones are not returned later.
  package func nextRequest(_ query: JournalQuery = JournalQuery()) async -> JournalEntry? {
    var query = query
    query.countMax = nil
    while !Task.isCancelled, !core.arrivals.isClosed {
      // Later requests may be known to one loop but not yet in another's journal.
      let last = core.lastSequence
      query.since = max(query.since, given.load(ordering: .acquiring))
      for entry in await journal(query) where entry.sequence <= last {
        let before = given.max(entry.sequence, ordering: .acquiringAndReleasing).oldValue
        if before < entry.sequence { return entry }
      }
      await core.arrivals.wait { core.lastSequence > last }
    }
    return nil
  }

  /// The received requests, oldest first, secrets included: mask them before showing them.
  package func journal(_ query: JournalQuery = JournalQuery()) async -> [JournalEntry] {
    await core.journal(query)
  }

  /// The nearest contracts for each unmatched request, by the request's number.
  package func nearMisses() async -> [UInt64: [NearMiss]] {
    await withCheckedContinuation { continuation in
      core.unmatched(JournalQuery()) { found in
        let pairs = found.map { ($0.entry.sequence, $0.explanation.nearMisses) }
        continuation.resume(returning: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  /// How many requests match a contract's `request`.
  package func count(
    of pattern: RequestPattern, _ query: JournalQuery = JournalQuery()
  ) async -> Int {
    await core.journal(query).count { pattern.matches(RequestParts($0.request, at: $0.receivedAt)) }
  }

  /// Holds back the responses of a contract, or of one of its cases, until they are released one by
  /// one, in any order.
  package func hold(_ contractID: String, case caseName: String? = nil, session: String = "")
    -> Hold
  {
    core.session(named: session).hold(contractID, caseName)
  }

  /// Starts a scenario of an upstream. Fails when there is none of this name.
  package func use(scenario name: String, of upstreamName: String, session: String = "") -> Bool {
    guard let upstream = core.layer.upstream(named: upstreamName),
      let scenario = upstream.scenarios.first(where: { $0.name == name })
    else { return false }
    use(scenario, of: upstream, session: session)
    return true
  }

  /// Waits until no callback of a session, or of any, is to come or under way, or the time is over.
  package func callbacksEnded(
    session: String? = nil, within patience: Duration = .seconds(60)
  ) async {
    await core.callbacksEnded(session: session, within: patience)
  }

  /// Deletes a session: its responses in progress or held are cut off, and later requests create a
  /// new one. Returns its requests, oldest first.
  @discardableResult
  package func forget(session name: String) async -> [JournalEntry] {
    await withCheckedContinuation { continuation in
      core.endSession(named: name) { continuation.resume(returning: $0) }
    }
  }

  /// Returns to the initial state: no chosen cases, no state, no journal. Responses in progress or
  /// held are cut off and their connections closed. Limited to one session, if named.
  package func reset(session: String? = nil) async {
    await withCheckedContinuation { continuation in
      core.reset(session: session) { continuation.resume() }
    }
  }
}
