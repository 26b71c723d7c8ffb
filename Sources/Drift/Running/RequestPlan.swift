import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudySecrets

/// The requests that a run would send before it repeats any.
///
/// What services send is known from their requests when the contracts respond.
package struct RequestPlan: Sendable {
  /// A request as `--dry-run` shows it.
  package struct Request: Sendable {
    package let caseID: String
    /// `nil` for the request of the contract itself.
    package let consumer: String?
    package let method: String
    /// With secrets masked.
    package let url: String
  }

  /// What one upstream gets.
  package struct Part: Sendable {
    package let upstream: LiveUpstream
    /// The requests, in the order in which they are sent.
    fileprivate(set) package var requests: [Request] = []
    /// The number of its cases.
    fileprivate(set) package var caseCount = 0
    /// How many of these get all their requests in this run.
    fileprivate(set) package var caseCountNow = 0
    /// How long its rate makes the requests of this run last.
    fileprivate(set) package var duration = Duration.zero

    /// How many runs like this one all cases take; `nil` when none gets its requests.
    package var runCount: Int? {
      caseCount == 0 ? 1 : caseCountNow == 0 ? nil : (caseCount - 1) / caseCountNow + 1
    }
  }

  /// The upstreams that get requests, in the order of their contracts.
  package let parts: [Part]
  /// The checks that need none, or get none.
  package let settled: [Check]
}

extension DriftPlan {
  /// - Parameters:
  ///   - starts: when earlier runs sent requests to an upstream, by the clock's `elapsed`.
  ///   - start: when the run would begin, by the same clock.
  func requests(
    _ index: RequestIndex, after history: History, _ starts: [String: [Duration]],
    from start: Duration, until deadline: Duration
  ) async -> RequestPlan {
    var parts = upstreams.map { RequestPlan.Part(upstream: $0) }
    let places = Dictionary(
      upstreams.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var windows = upstreams.map { RateWindow(of: $0.upstream.rate, after: starts[$0.name] ?? []) }
    let prober = Prober(
      upstreams: upstreams, index: index, source: { _, _ in NoResponses() }, bypassesCaches: false,
      limit: { .seconds(10) })
    let mask = SecretMask(of: upstreams)
    for turn in turns(after: history) {
      let liveCase = liveCases[turn]
      var isWhole = true
      for (consumer, exchange) in await prober.requests(of: liveCase) {
        guard let place = places[exchange.upstream] else { continue }
        let target = mask.masked(SecretMask.standard.masked(target: exchange.target))
        parts[place].requests.append(
          RequestPlan.Request(
            caseID: liveCase.identity.caseID, consumer: consumer, method: exchange.method,
            url: parts[place].upstream.baseURL.description + target))
        guard let next = windows[place]?.next(after: start) else { continue }
        guard next <= deadline else {
          isWhole = false
          continue
        }
        windows[place]?.add(next)
        parts[place].duration = max(parts[place].duration, next - start)
      }
      guard let place = places[liveCase.upstream.name] else { continue }
      parts[place].caseCount += 1
      if isWhole { parts[place].caseCountNow += 1 }
    }
    return RequestPlan(parts: parts.filter { !$0.requests.isEmpty }, settled: settled)
  }
}

extension Prober {
  /// The requests of a run for a case, as its contract serves them, with their senders.
  fileprivate func requests(
    of liveCase: PlannedCase
  ) async -> [(consumer: String?, exchange: LiveExchange)] {
    let stand = StandIn(LiveResponse(of: liveCase.served), for: liveCase, index, others: [])
    var exchanges: [(consumer: String?, exchange: LiveExchange)] =
      zip(liveCase.readers, await calls(for: liveCase, from: stand)).flatMap { reader, called in
        (called?.exchanges ?? []).map { (reader.consumer.name, $0) }
      }
    let isCovered = exchanges.contains {
      isChecked($0.exchange, of: liveCase) && liveCase.isAbout($0.exchange, index)
    }
    if !isCovered, let request = try? liveCase.exampleRequest() {
      let transport = transport(for: liveCase, nil, from: stand)
      _ = try? await transport.send(request)
      exchanges += transport.exchanges.map { (nil, $0) }
    }
    // What could change something is not sent.
    let isSafe = liveCase.served.live?.isSafe ?? false
    return exchanges.filter { isSafe || ["GET", "HEAD"].contains($0.exchange.method) }
  }
}

/// Matches nothing: whoever asks has a stand-in.
private struct NoResponses: ResponseSource {
  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    .withheld(Inconclusive("no request is sent"))
  }
}
