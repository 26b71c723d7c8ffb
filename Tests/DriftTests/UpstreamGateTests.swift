import UnderstudyContractModel
@testable import UnderstudyDrift
import Testing

@Suite struct UpstreamGateTests {
  private static func gate(
    _ rate: String, _ time: TestTime, deadline: Duration = .seconds(7200)
  ) throws -> RateLimiter {
    let library = LiveStage.library(
      upstream: #"{ "summary": "Jokes", "baseURL": "https://a.example", "rate": \#(rate) }"#)
    let upstream = try #require(library.upstreams.first)
    return RateLimiter(
      of: upstream.name, rate: upstream.rate, clock: time.clock, deadline: deadline)
  }

  @Test("admits no more requests in a period than the rate allows")
  func rate() async throws {
    let time = TestTime()
    let gate = try Self.gate(#"{ "requests": 2, "per": "1h" }"#, time)
    for _ in 0..<5 {
      try await gate.enter()
      await gate.leave()
    }
    #expect(time.pauses == [.seconds(3600), .seconds(3600)])
  }

  @Test("says when there is room again, if that is too late")
  func deadline() async throws {
    let time = TestTime()
    let gate = try Self.gate(#"{ "requests": 1, "per": "1h" }"#, time, deadline: .seconds(60))
    try await gate.enter()
    await gate.leave()
    await #expect(
      throws: RateLimitError(
        "the rate in upstream.json is used up: joke accepts requests again at"
          + " 2033-05-18T04:33:20Z")
    ) { try await gate.enter() }
    #expect(time.pauses == [])
  }

  @Test("keeps some of the rate for second answers")
  func secondAnswers() async throws {
    let gate = try Self.gate(
      #"{ "requests": 3, "per": "1h" }"#, TestTime(), deadline: .seconds(60))
    for _ in 0..<2 {
      try await gate.enter(isFirstRound: true)
      await gate.leave()
    }
    await #expect(
      throws: RateLimitError(
        "the rest of the rate in upstream.json is reserved for repeated requests: check joke"
          + " again in another run")
    ) { try await gate.enter(isFirstRound: true) }
    try await gate.enter()
    await gate.leave()
  }

  @Test("reserves no more for second answers than they still need")
  func hadSecondAnswers() async throws {
    let gate = try Self.gate(
      #"{ "requests": 16, "per": "1h" }"#, TestTime(), deadline: .seconds(60))
    for isFirstRound in [false, false, false] + Array(repeating: true, count: 13) {
      try await gate.enter(isFirstRound: isFirstRound)
      await gate.leave()
    }
    await #expect(
      throws: RateLimitError(
        "the rate in upstream.json is used up: joke accepts requests again at"
          + " 2033-05-18T04:33:20Z")
    ) { try await gate.enter() }
  }

  @Test(
    "admits waiting requests one by one, in their order", .timeLimit(.minutes(1)),
    arguments: [true, false])
  func concurrency(isFirstRound: Bool) async throws {
    let gate = try Self.gate(#"{ "concurrency": 1 }"#, TestTime())
    let (passes, order) = AsyncStream.makeStream(of: Int.self)
    try await gate.enter()
    var waiting: [Task<Void, any Error>] = []
    for number in 0..<5 {
      waiting.append(
        Task {
          try await gate.enter(isFirstRound: isFirstRound)
          order.yield(number)
          await gate.leave()
        })
      // The next does not come before this one waits.
      while await gate.waitingCount == number { await Task.yield() }
    }
    await gate.leave()
    for task in waiting { try await task.value }
    order.finish()
    #expect(await passes.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3, 4])
    // Whoever has left leaves room.
    try await gate.enter()
    await gate.leave()
  }

  @Test("admits second answers before first ones", .timeLimit(.minutes(1)))
  func order() async throws {
    let gate = try Self.gate(#"{ "concurrency": 1 }"#, TestTime())
    let (passes, order) = AsyncStream.makeStream(of: String.self)
    @Sendable func pass(_ name: String, isFirstRound: Bool) async throws {
      try await gate.enter(isFirstRound: isFirstRound)
      order.yield(name)
      await gate.leave()
    }
    try await gate.enter()
    let first = Task { try await pass("first", isFirstRound: true) }
    while await gate.queue.isEmpty { await Task.yield() }
    let second = Task { try await pass("second", isFirstRound: false) }
    while await gate.secondQueue.isEmpty { await Task.yield() }
    await gate.leave()
    try await first.value
    try await second.value
    order.finish()
    #expect(await passes.reduce(into: []) { $0.append($1) } == ["second", "first"])
  }

  @Test("stays closed for as long as the upstream asked")
  func closed() async throws {
    let time = TestTime()
    let gate = try Self.gate(#"{ "concurrency": 2 }"#, time, deadline: .seconds(100))
    await gate.close(for: .seconds(20), because: Inconclusive("found status 429", .limited))
    await gate.close(for: .seconds(10), because: Inconclusive("found status 429", .limited))
    try await gate.enter()
    await gate.leave()
    #expect(time.pauses == [.seconds(20)])
    await gate.close(for: .seconds(200), because: Inconclusive("found status 429", .limited))
    await #expect(
      throws: RateLimitError(
        "found status 429; it accepts requests again at 2033-05-18T03:37:00Z")
    ) { try await gate.enter() }
  }
}

extension RateLimiter {
  fileprivate var waitingCount: Int { queue.count + secondQueue.count }
}
