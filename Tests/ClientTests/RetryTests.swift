import Synchronization
import Testing
import UnderstudyCore

@testable import UnderstudyClient

@Suite struct RetryTests {
  private let stub = StubTransport()
  private let clock = PausingClock()
  private let url = "https://dog.ceo/api"

  private func transport(chance: Double = 0) -> RetryingTransport<StubTransport, PausingClock> {
    // Sunday, 6 November 1994, 08:49:37.
    RetryingTransport(
      stub, policy: RetryPolicy(), clock: clock, chance: { chance },
      now: { Moment(unixSeconds: 784_111_777) })
  }

  @Test("sends again what failed in passing, with growing pauses")
  func growing() async throws {
    stub.respond(url: url, .failure(.reset), .response(503), .response(200))
    #expect(try await transport().send(ClientRequest(url: url)).status == 200)
    #expect(clock.pauses == [.milliseconds(200), .milliseconds(400)])
    #expect(stub.finish() == [])
  }

  @Test("gives the last outcome when nothing helps")
  func exhausted() async throws {
    stub.respond(url: url, .failure(.reset), .failure(.emptyReply), .response(503))
    #expect(try await transport().send(ClientRequest(url: url)).status == 503)
    #expect(stub.finish() == [])
  }

  @Test(
    "does not repeat what would fail again",
    arguments: [.cancelled, .tls(.expired), .tooLarge, .malformedResponse, .invalidRequest]
      as [TransportError.Kind])
  func hopeless(kind: TransportError.Kind) async {
    stub.respond(url: url, .failure(kind))
    await #expect(throws: TransportError(kind, "a stub responded")) {
      try await transport().send(ClientRequest(url: url))
    }
    #expect(stub.requests.count == 1)
  }

  @Test(
    "repeats a request that may be sent only once only if it was never sent",
    arguments: [(.cannotConnect, 3), (.cannotResolve, 3), (.reset, 1), (.timedOut(.waiting), 1)]
      as [(TransportError.Kind, Int)])
  func once(kind: TransportError.Kind, count: Int) async {
    stub.respond(to: .post, url: url, .failure(kind))
    _ = try? await transport().send(ClientRequest(.post, url: url))
    #expect(stub.requests.count == count)
  }

  @Test("a status is not a reason to repeat a request that may be sent only once")
  func statusOnce() async throws {
    stub.respond(to: .post, url: url, .response(503))
    #expect(try await transport().send(ClientRequest(.post, url: url)).status == 503)
    #expect(stub.requests.count == 1)
  }

  @Test(
    "waits as long as Retry-After asks, if that is not too long",
    arguments: [
      ("3", .seconds(3)), ("0", .zero), ("Sun, 06 Nov 1994 08:49:42 GMT", .seconds(5)),
      ("Sun, 06 Nov 1994 08:49:00 GMT", .zero),
      ("Mon, 06 Nov 1994 08:49:42 GMT", .milliseconds(200)),
      ("soon", .milliseconds(200)), ("11", nil), ("4294967295", nil),
      ("99999999999999999999", nil), ("+3", .milliseconds(200)),
      ("Sun, 06 Nov 1994 09:49:42 GMT", nil),
    ] as [(String, Duration?)])
  func retryAfter(value: String, pause: Duration?) async throws {
    stub.respond(
      url: url, .response(429, headers: ["Retry-After": value]), .response(200))
    let response = try await transport().send(ClientRequest(url: url))
    #expect(response.status == (pause == nil ? 429 : 200))
    #expect(clock.pauses == (pause.map { [$0] } ?? []))
  }

  @Test("chance shortens a pause, up to half", arguments: [(0, 200), (0.5, 150), (1, 100)])
  func jitter(chance: Double, milliseconds: Int) async throws {
    stub.respond(url: url, .failure(.reset), .response(200))
    _ = try await transport(chance: chance).send(ClientRequest(url: url))
    #expect(clock.pauses == [.milliseconds(milliseconds)])
  }

  @Test("makes no attempt that would begin after the deadline")
  func deadline() async {
    stub.respond(url: url, .failure(.reset))
    var request = ClientRequest(url: url)
    request.options.deadline = .now
    _ = try? await transport().send(request)
    #expect(stub.requests.count == 1)
  }

  @Test("a task cancelled while it pauses ends there")
  func cancelled() async {
    stub.respond(url: url, .failure(.reset))
    let stub = stub, url = url
    let task = Task {
      try await RetryingTransport(
        stub, policy: RetryPolicy(), clock: ContinuousClock(),
        chance: {
          withUnsafeCurrentTask { $0?.cancel() }
          return 0
        }, now: { .epoch }
      ).send(ClientRequest(url: url))
    }
    await #expect(throws: TransportError(.cancelled)) { try await task.value }
    #expect(stub.requests.count == 1)
  }
}

/// A clock on which every pause is over at once, and noted.
private final class PausingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let noted = Mutex<[Duration]>([])
  let now = ContinuousClock.now
  let minimumResolution = Duration.zero

  var pauses: [Duration] { noted.withLock { $0 } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    noted.withLock { $0.append(deadline - now) }
  }
}
