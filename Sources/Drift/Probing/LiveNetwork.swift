package import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyRecording

/// The source of responses for a check: the live APIs, or stored responses.
package protocol ResponseSource: Sendable {
  /// - Parameter status: the expected status, which is never retried.
  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome

  /// Whether secrets are masked in the responses.
  var isMasked: Bool { get }
}

extension ResponseSource {
  package var isMasked: Bool { false }
}

/// The live APIs, at the rate they allow, with retries where useful.
///
/// The folder sends the requests of a run. Read `LiveUpstream`, an address with its secrets;
/// `LiveTransport`, which each consumer gets, and which follows redirects and notes every
/// `LiveExchange`; this file, which it asks for responses; `RateLimiter` and `RateWindow`, which
/// make a request wait for its turn; and `EarlierResponses`, which an upstream may confirm by a
/// 304.
///
/// Secrets are added last, so no consumer ever sees them, and only to requests for their own
/// origin. Each upstream has a `RateLimiter`; whoever enters it leaves it, whatever happens. No
/// request starts after the deadline, and none that could change something is sent unless its case
/// allows that.
package final class LiveNetwork: ResponseSource {
  private let transport: any Transport
  /// The transport for addresses of this machine, which no proxy can reach.
  private let localTransport: any Transport
  private let gates: [String: RateLimiter]
  private let clock: DriftClock
  private let timeout: Duration
  private let deadline: Duration
  private let policy: RetryPolicy
  private let earlier: EarlierResponses

  /// - Parameters:
  ///   - earlier: responses that the first round revalidates.
  ///   - timeout: of one request.
  ///   - deadline: by the clock's `elapsed`.
  ///   - starts: when earlier runs sent requests to an upstream, by the clock's `elapsed`.
  package init(
    _ transport: any Transport, local: any Transport, upstreams: [LiveUpstream],
    earlier: EarlierResponses = EarlierResponses(), clock: DriftClock, timeout: Duration,
    deadline: Duration, after starts: [String: [Duration]] = [:]
  ) {
    self.transport = transport
    localTransport = local
    gates = Dictionary(
      upstreams.map { upstream in
        (
          upstream.name,
          RateLimiter(
            of: upstream.name, rate: upstream.upstream.rate, clock: clock, deadline: deadline,
            after: starts[upstream.name] ?? [])
        )
      }, uniquingKeysWith: { first, _ in first })
    self.earlier = earlier
    self.clock = clock
    self.timeout = timeout
    self.deadline = deadline
    var policy = RetryPolicy()
    // An upstream that limits requests gives a time for the next one, or gets no more.
    policy.statuses = [502, 503, 504]
    self.policy = policy
  }

  /// - Parameter round: the first revalidates earlier responses; the requests of others take
  ///   precedence.
  package func responses(inRound round: Int) -> any ResponseSource {
    round > 1 ? self : FirstRound(network: self, earlier: earlier)
  }

  /// Whether to start one more case of an upstream.
  package func admission(to name: String, openCount: Int) async -> Admission {
    await gates[name]?.admission(openCount: openCount) ?? .now
  }

  /// What was sent, in the order of the upstreams' names.
  package var traffic: [Traffic] {
    get async {
      var traffic: [Traffic] = []
      for (_, gate) in gates.sorted(by: { $0.key < $1.key }) { traffic.append(await gate.traffic) }
      return traffic
    }
  }

  package func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    await outcome(
      of: request, to: upstream, target: target, expecting: status, isFirstRound: false,
      EarlierResponses())
  }

  fileprivate func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?,
    isFirstRound: Bool, _ earlier: EarlierResponses
  ) async -> LiveExchange.Outcome {
    guard let gate = gates[upstream.name] else {
      return .withheld(Inconclusive("unknown upstream"))
    }
    var earlier = earlier.response(to: request, of: upstream, target: target)
    var attempt = 1
    var last: LiveExchange.Outcome?
    while true {
      let number: Int
      do throws(RateLimitError) {
        number = try await gate.enter(isFirstRound: isFirstRound)
      } catch {
        // What hung says more than that the upstream was given up meanwhile.
        if let last, await gate.traffic.isGivenUp { return last }
        return .withheld(error.inconclusive)
      }
      let result = await send(request, to: upstream, unlessHolds: earlier)
      // The end of the run says nothing about the upstream.
      await gate.note(
        number, failure: result.failure(expecting: status),
        isTimeout: result.isTimeout && clock.elapsed() < deadline,
        resentCount: (try? result.get())?.resentCount ?? 0)
      if case .success(let response) = result {
        await gate.noteResponse(
          from: upstream.baseURL.origin, certificateEnd: response.certificateEnd)
      }
      if let pause = await pause(after: result, attempt, of: request, gate, expecting: status) {
        await gate.leave()
        if case .failure(let error) = result { last = .failure(error) }
        do {
          try await clock.sleep(pause)
        } catch {
          return .withheld(Inconclusive("the check was cancelled"))
        }
        attempt += 1
        continue
      }
      await gate.leave()
      switch result {
      case .success(let response):
        guard response.status == 304, let held = earlier else {
          return .response(LiveResponse(response))
        }
        if let response = held.confirmed(by: response) { return .response(response) }
        earlier = nil
      case .failure(let error): return .failure(error)
      }
    }
  }

  private func send(
    _ request: ClientRequest, to upstream: LiveUpstream, unlessHolds earlier: EarlierResponse?
  ) async -> Result<ClientResponse, TransportError> {
    var request = request
    let remaining = max(.milliseconds(1), deadline - clock.elapsed())
    let own = request.options.totalTimeout ?? timeout
    request.options.totalTimeout = min(own, timeout, remaining)
    if let earlier { request.headers["If-None-Match"] = earlier.tag }
    // Some upstreams refuse requests without one.
    if request.headers["User-Agent"] == nil {
      request.headers.append("User-Agent", Recording.userAgent)
    }
    for secret in upstream.secrets where request.headers[secret.name] == nil {
      request.headers.append(secret.name, secret.value)
    }
    do throws(TransportError) {
      let transport = upstream.baseURL.isLoopback ? localTransport : transport
      return .success(try await transport.send(request))
    } catch {
      return .failure(error)
    }
  }

  /// The pause before another attempt; `nil` when this one counts.
  private func pause(
    after result: Result<ClientResponse, TransportError>, _ attempt: Int, of request: ClientRequest,
    _ gate: RateLimiter, expecting status: Int?
  ) async -> Duration? {
    if await gate.traffic.isGivenUp { return nil }
    if case .success(let response) = result {
      let isRefused =
        response.status != status && [403, 429, 502, 503, 504].contains(response.status)
      if let asked = LiveResponse(response).retryPause {
        var wait = Duration.seconds(asked.seconds(now: clock.now()))
        // An upstream that refused without asking for a pause gets one anyway.
        if isRefused {
          wait = max(wait, policy.pause(afterAttempt: attempt, chance: .random(in: 0...1)))
        }
        await gate.close(
          for: wait,
          because: Inconclusive(
            "found status \(response.status), \(asked.words)",
            response.status < 500 ? .limited : .away))
        if isRefused {
          let isWorthIt = attempt < policy.attemptCountMax && !request.goesOnce
          // The gate does the waiting.
          return isWorthIt && clock.elapsed() + wait <= deadline ? .zero : nil
        }
      }
      if response.status == status { return nil }
    }
    let pause = policy.pause(
      afterAttempt: attempt, of: request, result, chance: .random(in: 0...1),
      now: clock.now())
    return pause.flatMap { clock.elapsed() + $0 < deadline ? $0 : nil }
  }
}

private struct FirstRound: ResponseSource {
  let network: LiveNetwork
  let earlier: EarlierResponses

  func outcome(
    of request: ClientRequest, to upstream: LiveUpstream, target: String, expecting status: Int?
  ) async -> LiveExchange.Outcome {
    await network.outcome(
      of: request, to: upstream, target: target, expecting: status, isFirstRound: true, earlier)
  }
}

extension Result<ClientResponse, TransportError> {
  fileprivate var isTimeout: Bool {
    if case .failure(let error) = self, case .timedOut = error.kind { true } else { false }
  }

  /// What went wrong at the upstream or on the way there, in a word: `reset`, `status 503`.
  fileprivate func failure(expecting status: Int?) -> String? {
    switch self {
    case .success(let response):
      return response.status >= 500 && response.status != status
        ? "status \(response.status)" : nil
    case .failure(let error):
      switch error.kind {
      case .cancelled, .invalidRequest, .cannotStore, .failed, .tooLarge, .badEncoding: return nil
      default: return error.kind.name
      }
    }
  }
}
