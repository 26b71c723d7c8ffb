/// What a `StubTransport` remembers; decides what to do but does no I/O.
///
/// The folder is for unit tests of clients. `StubTransport` is what a test makes, with the lock
/// around this state; `StubResponse` is what it responds with. Responses are given in the order in
/// which they were added, and the last of a route repeats. `finish` reports requests without a
/// response, responses without a request, and responses that are still held.
struct StubState {
  struct Route: Hashable {
    let method: HTTPMethod
    let url: String
  }

  struct Held {
    let number: Int
    let request: ClientRequest
    let result: Result<ClientResponse, TransportError>
    let continuation: CheckedContinuation<Result<ClientResponse, TransportError>, Never>
  }

  enum HoldStep {
    case waits
    case isAwaited(CheckedContinuation<HeldRequest?, Never>)
    /// The task was cancelled or the test has finished.
    case isGivenUp
  }

  private struct Queue {
    let route: Route?
    var responses: [StubResponse] = []
    var usedCount = 0

    var name: String {
      route.map { "\($0.method.rawValue) \($0.url)" } ?? "other requests"
    }

    mutating func next() -> StubResponse? {
      guard let last = responses.last else { return nil }
      defer { usedCount = min(usedCount + 1, responses.count) }
      return usedCount < responses.count ? responses[usedCount] : last
    }

    var complaints: [String] {
      responses.indices.dropFirst(usedCount).map { index in
        "\(name): response \(index + 1) of \(responses.count) was not requested"
          + (responses[index].check == nil ? "" : ", so its check never ran")
      }
    }
  }

  private(set) var requests: [ClientRequest] = []
  private var queues: [Queue] = []
  private var withoutResponse: [ClientRequest] = []
  /// In order of arrival; those not yet given to the test are also in `notGiven`.
  private var held: [Held] = []
  private var notGiven: [Held] = []
  private var waiting: [(number: Int, continuation: CheckedContinuation<HeldRequest?, Never>)] = []
  private var lastNumber = 0
  private var isFinished = false

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ responses: [StubResponse], for route: Route?) {
    if let index = queues.firstIndex(where: { $0.route == route }) {
      queues[index].responses += responses
    } else {
      queues.append(Queue(route: route, responses: responses))
    }
  }

  /// The response for a request, and the number under which it may be held.
  mutating func take(_ request: ClientRequest) -> (number: Int, response: StubResponse?) {
    requests.append(request)
    let route = Route(method: request.method, url: request.url)
    let index =
      queues.firstIndex { $0.route == route } ?? queues.firstIndex { $0.route == nil }
    let response = index.flatMap { queues[$0].next() }
    if response == nil { withoutResponse.append(request) }
    return (nextNumber(), response)
  }

  mutating func hold(_ request: Held, isCancelled: Bool) -> HoldStep {
    guard !isCancelled, !isFinished else { return .isGivenUp }
    held.append(request)
    guard !waiting.isEmpty else {
      notGiven.append(request)
      return .waits
    }
    return .isAwaited(waiting.removeFirst().continuation)
  }

  /// What a waiting test gets at once, or `nil` when there is nothing yet.
  mutating func waitForHeld(
    _ number: Int, _ continuation: CheckedContinuation<HeldRequest?, Never>, isCancelled: Bool
  ) -> Held?? {
    if !notGiven.isEmpty { return .some(notGiven.removeFirst()) }
    if isFinished || isCancelled { return .some(nil) }
    waiting.append((number, continuation))
    return nil
  }

  mutating func stopWaiting(_ number: Int) -> CheckedContinuation<HeldRequest?, Never>? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).continuation }
  }

  mutating func release(
    _ number: Int
  ) -> CheckedContinuation<Result<ClientResponse, TransportError>, Never>? {
    notGiven.removeAll { $0.number == number }
    return held.firstIndex { $0.number == number }.map { held.remove(at: $0).continuation }
  }

  mutating func finish() -> (
    complaints: [String], held: [Held], waiting: [CheckedContinuation<HeldRequest?, Never>]
  ) {
    let complaints =
      withoutResponse.map { "\($0.method.rawValue) \($0.url): has no response" }
      + queues.flatMap(\.complaints)
      + held.map { "\($0.request.method.rawValue) \($0.request.url): is still held" }
    defer { (held, notGiven, waiting, isFinished) = ([], [], [], true) }
    return (complaints, held, waiting.map(\.continuation))
  }
}
