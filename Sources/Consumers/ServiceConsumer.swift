/// A service as contracts know it: a name from `consumers.json`, and how it is called.
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

  /// Calls the service and says what it made of the answers.
  package func outcome(of call: ConsumerCall) async -> ConsumerOutcome {
    do {
      return ConsumerOutcome(json: try await body(call))
    } catch let error as ConsumerError {
      return .error(error)
    } catch {
      return .undeclared("\(error)")
    }
  }

  /// `nil` when there is none in time; the call is cancelled then, and not waited for.
  package func outcome(of call: ConsumerCall, within limit: Duration) async -> ConsumerOutcome? {
    let (stream, race) = AsyncStream<ConsumerOutcome?>.makeStream()
    let work = Task {
      // Not before: where many wait for a processor, the time until then is not the service's.
      let alarm = Self.alarms.set(after: limit) { race.yield(nil) }
      race.yield(await outcome(of: call))
      Self.alarms.cancel(alarm)
    }
    defer { work.cancel() }
    for await outcome in stream { return outcome }
    return nil
  }
}
