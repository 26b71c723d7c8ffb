package import UnderstudyCore
import UnderstudyHTTP
import UnderstudySystem

/// When a request is sent again, and after how long.
public struct RetryPolicy: Sendable {
  /// How often a request is sent at most, including the first time.
  public var attemptCountMax = 3
  /// The pause before the second attempt; it doubles before each further one.
  public var backoff: Duration = .milliseconds(200)
  /// The longest pause. If an upstream asks for a longer one in `Retry-After`, its response is
  /// final.
  public var backoffMax: Duration = .seconds(10)
  /// The random part of each pause, from 0 to 1, so that clients that failed together do not all
  /// return at the same time.
  public var jitter = 0.5
  /// Statuses of responses that are worth another attempt.
  public var statuses: Set<Int> = [429, 502, 503, 504]
  /// Failures that are worth another attempt.
  public var retries: @Sendable (TransportError.Kind) -> Bool = { kind in
    switch kind {
    case .cannotResolve, .cannotConnect, .timedOut, .reset, .emptyReply, .truncated: true
    default: false
    }
  }

  /// Three attempts after failures that tend to pass.
  public init() {}

  /// The pause after an attempt, counted from 1; `nil` for no further attempt.
  ///
  /// `chance` is from 0 to 1; a date in `Retry-After` is compared with `now`.
  package func pause(
    afterAttempt attempt: Int, of request: ClientRequest,
    _ result: Result<ClientResponse, TransportError>, chance: Double, now: Moment
  ) -> Duration? {
    // A request that must be sent only once is retried only if it never reached the upstream.
    guard attempt < attemptCountMax else { return nil }
    switch result {
    case .failure(let error):
      let hasLeft = ![.cannotResolve, .cannotConnect].contains(error.kind)
      guard retries(error.kind), !(hasLeft && request.goesOnce) else { return nil }
    case .success(let response):
      guard statuses.contains(response.status), !request.goesOnce else { return nil }
      if let asked = response.headers["Retry-After"].flatMap({ Self.seconds($0, now: now) }) {
        let pause = Duration.seconds(asked)
        return pause > backoffMax ? nil : pause
      }
    }
    return pause(afterAttempt: attempt, chance: chance)
  }

  /// The pause if the upstream did not ask for one.
  package func pause(afterAttempt attempt: Int, chance: Double) -> Duration {
    let doubled = backoff * (1 << min(attempt - 1, 30))
    return min(doubled, backoffMax) * (1 - jitter * min(max(chance, 0), 1))
  }

  /// How long `Retry-After` asks to wait: seconds or a date (RFC 9110, section 10.2.3).
  package static func seconds(_ value: String, now: Moment) -> Int? {
    let isNumber = value.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if isNumber, !value.isEmpty { return Int(value) ?? .max }
    return Moment(httpDate: value).map { max(0, $0.unixSeconds - now.unixSeconds) }
  }
}

/// Sends requests by another transport, and sends them again after failures that tend to pass.
///
/// The total time-out of a request applies to each attempt, its deadline to all of them together.
/// A request that ``ClientRequest/goesOnce`` is sent again only if it never reached the upstream.
public struct RetryingTransport<Base: Transport, Time: Clock<Duration>>: Transport {
  private let base: Base
  private let policy: RetryPolicy
  private let clock: Time
  private let chance: @Sendable () -> Double
  private let now: @Sendable () -> Moment

  /// - Parameters:
  ///   - base: sends each attempt.
  ///   - policy: when a request is sent again.
  ///   - clock: measures the pauses; a test gives its own.
  public init(
    _ base: Base, policy: RetryPolicy = RetryPolicy(), clock: Time = ContinuousClock()
  ) {
    self.init(
      base, policy: policy, clock: clock, chance: { .random(in: 0...1) }, now: { .now })
  }

  init(
    _ base: Base, policy: RetryPolicy, clock: Time, chance: @escaping @Sendable () -> Double,
    now: @escaping @Sendable () -> Moment
  ) {
    self.base = base
    self.policy = policy
    self.clock = clock
    self.chance = chance
    self.now = now
  }

  /// Sends a request until it succeeds or the policy ends the attempts.
  public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    var attempt = 1
    while true {
      let result: Result<ClientResponse, TransportError>
      do throws(TransportError) {
        result = .success(try await base.send(request))
      } catch {
        result = .failure(error)
      }
      let pause = policy.pause(
        afterAttempt: attempt, of: request, result, chance: chance(), now: now())
      guard let pause, request.options.deadline.map({ .now + pause < $0 }) ?? true else {
        return try result.get()
      }
      do {
        try await clock.sleep(for: pause)
      } catch {
        throw TransportError(.cancelled)
      }
      attempt += 1
    }
  }
}
