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

  @Test(
    "keeps some of the rate while a case without a result may need it", arguments: [0, 1, 2, 3])
  func secondResponses(sentCount: Int) async throws {
    let gate = try Self.gate(
      #"{ "requests": 3, "per": "1h" }"#, TestTime(), deadline: .seconds(60))
    for _ in 0..<sentCount {
      try await gate.enter()
      await gate.leave()
    }
    let never = Admission.never(
      "the rate in upstream.json is used up: joke accepts requests again at 2033-05-18T04:33:20Z")
    // With no case, one and two that were started and have no result.
    let admissions: [[Admission]] = [
      [.now, .now, .later], [.now, .later, .later], [.now, .later, .later], [never, never, never],
    ]
    for openCount in 0...2 {
      #expect(
        await gate.admission(openCount: openCount) == admissions[sentCount][openCount],
        "\(openCount) without a result")
    }
  }

  @Test("counts the requests of earlier runs, each for one period")
  func earlierRuns() async throws {
    let time = TestTime()
    try await time.clock.sleep(.seconds(10_000))
    let upstream = try #require(
      LiveStage.library(
        upstream: """
          { "summary": "Jokes", "baseURL": "https://a.example",
            "rate": { "requests": 2, "per": "1h" } }
          """
      ).upstreams.first)
    let gate = RateLimiter(
      of: upstream.name, rate: upstream.rate, clock: time.clock, deadline: .seconds(11_000),
      after: [.seconds(6_300), .seconds(7_000)])
    // One is out of the period, the other will be in 600 seconds.
    for _ in 0..<2 {
      try await gate.enter()
      await gate.leave()
    }
    #expect(time.pauses == [.seconds(10_000), .seconds(600)])
    await #expect(throws: RateLimitError.self) { try await gate.enter() }
  }

  @Test("gives an upstream up after three time-outs, unless something was served meanwhile")
  func hanging() async throws {
    let gate = try Self.gate(#"{ "concurrency": 8 }"#, TestTime())
    func sent(_ count: Int) async throws -> [Int] {
      var numbers: [Int] = []
      for _ in 0..<count { numbers.append(try await gate.enter()) }
      for _ in 0..<count { await gate.leave() }
      return numbers
    }
    let first = try await sent(4)
    await gate.note(first[3], failure: nil, isTimeout: false)
    for number in first.dropLast() {
      await gate.note(number, failure: "timedOut", isTimeout: true)
    }
    for number in try await sent(3) {
      await gate.note(number, failure: "timedOut", isTimeout: true)
    }
    await #expect(
      throws: RateLimitError("not sent: joke was given up after 3 time-outs in a row", .away)
    ) { try await gate.enter() }
    let traffic = await gate.traffic
    #expect(traffic.sentCount == 7)
    #expect(traffic.failures == ["timedOut": 6])
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

  @Test("admits second responses before first ones", .timeLimit(.minutes(1)))
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
