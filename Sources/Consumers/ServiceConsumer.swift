/// A service as contracts use it: its name in `consumers.json`, and how to call it.
///
///     ServiceConsumer("jokes.random") { call in
///       let client = JokeClient(call.transport, baseURL: try call.baseURL(of: "jokes"))
///       do {
///         return Array(try JSONEncoder().encode(try await client.randomJoke()))
///       } catch JokeError.badStatus(let status) {
///         throw ConsumerError("unexpectedStatus", payload: "\(status)")
///       }
///     }
///
/// Throw a ``ConsumerError`` for errors that `consumers.json` declares. No contract can expect any
/// other error.
public struct ServiceConsumer: Sendable {
  /// Calls the service and returns its value as JSON.
  public typealias Body = @Sendable (_ call: ConsumerCall) async throws -> [UInt8]

  /// As `consumers.json` has it: `jokes.random`.
  public let name: String
  private let body: Body
  private static let alarms = Timeouts()

  /// Makes a consumer of a name and a closure that calls the service.
  public init(_ name: String, _ body: @escaping Body) {
    self.name = name
    self.body = body
  }

  /// Calls the service and returns its outcome.
  package func outcome(of call: ConsumerCall) async -> ConsumerOutcome {
    do {
      return ConsumerOutcome(json: try await body(call))
    } catch let error as ConsumerError {
      return .error(error)
    } catch {
      return .undeclared("\(error)")
    }
  }

  /// Returns `nil` when there is none in time; the call is then cancelled, without waiting for it.
  package func outcome(of call: ConsumerCall, within limit: Duration) async -> ConsumerOutcome? {
    let (stream, race) = AsyncStream<ConsumerOutcome?>.makeStream()
    let work = Task {
      // Starts here: time spent waiting for a processor is not the service's.
      let alarm = Self.alarms.set(after: limit) { race.yield(nil) }
      race.yield(await outcome(of: call))
      Self.alarms.cancel(alarm)
    }
    defer { work.cancel() }
    for await outcome in stream { return outcome }
    return nil
  }
}
