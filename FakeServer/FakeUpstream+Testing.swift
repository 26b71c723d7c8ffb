import Synchronization
package import UnderstudyContractModel

/// What tests ask of a server in their own process.
///
///     let library = try ContractLibrary(drafts: [
///       ContractDraft("joke/random", "GET", "/random")
///         .case("ok", status: 200, body: #"{ "setup": "Why?" }"#)
///         .case("gone", status: 410)
///     ])
///     let server = try await FakeUpstream.start(library)
///     server.use("gone", for: "joke/random")
///     async let outcome = client.randomJoke(from: server.baseURL(of: "joke"))
///     let request = await server.nextRequest()
///     …
///     await server.close()
extension FakeUpstream {
  /// The address to give a client of the upstream of this name; `nil` when there is none.
  package func baseURL(of upstreamName: String, session: String? = nil) -> String? {
    core.library.index.upstream(named: upstreamName).map { baseURL(of: $0, session: session) }
  }

  /// The first request that was received after the one this method gave before, as soon as there is
  /// one that the query selects; `nil` when the server is closed or the task cancelled.
  ///
  /// It is there as soon as it is complete, answered or not. No request is given twice, and those
  /// passed over are not given later.
  package func nextRequest(_ query: JournalQuery = JournalQuery()) async -> JournalEntry? {
    var query = query
    query.countMax = nil
    while !Task.isCancelled, !core.arrivals.isClosed {
      // Later requests may have come to one loop and be on their way to another's journal.
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

  /// What was received, the oldest first, secrets and all: who shows them masks them.
  package func journal(_ query: JournalQuery = JournalQuery()) async -> [JournalEntry] {
    await found(query).map(\.entry)
  }

  private func found(_ query: JournalQuery) async -> [JournalReader.Found] {
    await withCheckedContinuation { continuation in
      core.readJournal(query) { continuation.resume(returning: $0) }
    }
  }

  /// What nearly answered each of the requests that no contract did, by the request's number.
  package func nearMisses() async -> [UInt64: [NearMiss]] {
    await withCheckedContinuation { continuation in
      core.nearMisses(JournalQuery()) { found in
        let pairs = found.map { ($0.entry.sequence, $0.nearest) }
        continuation.resume(returning: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  /// How many of the requests are as a contract's `request` could say.
  package func count(
    of pattern: RequestPattern, _ query: JournalQuery = JournalQuery()
  ) async -> Int {
    await found(query).count { pattern.matches(RequestParts($0.request)) }
  }

  /// Lets the answers of a contract wait until they are released one by one, in any order.
  package func hold(_ contractID: String, session: String = "") -> Hold {
    core.session(named: session).hold(contractID)
  }

  /// Starts a scenario of an upstream. Fails when there is none of this name.
  package func play(scenario name: String, of upstreamName: String, session: String = "") -> Bool {
    guard let upstream = core.library.index.upstream(named: upstreamName),
      let scenario = upstream.scenarios.first(where: { $0.name == name })
    else { return false }
    core.session(named: session).start(scenario, of: upstream)
    return true
  }

  /// Ends a session: nothing of it is kept, answers under way or held are broken off. A request
  /// that comes later finds a new one. Gives the requests it had, the oldest first.
  @discardableResult
  package func forget(session name: String) async -> [JournalEntry] {
    let found = await withCheckedContinuation { continuation in
      core.endSession(named: name) { continuation.resume(returning: $0) }
    }
    return found.map(\.entry)
  }

  /// As it was when it started: nothing chosen, no state, no journal. Answers under way or held are
  /// broken off and their connections closed. Of one session only, if it is named.
  package func reset(session: String? = nil) async {
    await withCheckedContinuation { continuation in
      core.reset(session: session) { continuation.resume() }
    }
  }
}
