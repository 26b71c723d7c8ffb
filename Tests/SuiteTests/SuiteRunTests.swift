import Synchronization
import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudySuite

@Suite struct SuiteRunTests {
  @Test("passes a consumer that does what the contract says")
  func passes() async throws {
    let results = try await SmallSuite.results(of: SmallSuite.good)
    let text = results.map(\.text).joined(separator: "\n")
    let expected = ["ok", "gone", "slow", "too-slow", "later", "reset", "elsewhere"]
      .map { "pass joke/random#\($0), jokes.random" }.joined(separator: "\n")
    #expect(TextDiff.unified(expected, text) == "")
  }

  @Test("serves each attempt in a session of its own, all at the same time")
  func repeats() async throws {
    // The first call waits for the last, so they have to be under way together.
    let meeting = Meeting(of: 5)
    let consumer = SmallSuite.consumer { call in
      await meeting.wait()
      return try await SmallSuite.ask(call, "/random")
    }
    let results = try await SmallSuite.results(of: consumer, "joke/random#ok") {
      $0.repeatCount = 5
    }
    #expect(results.map(\.text) == ["pass joke/random#ok, jokes.random"])
    #expect(results.map(\.attemptCount) == [5])
  }

  @Test("fewer requests than expected are a finding, and so are more", arguments: [1, 2, 3])
  func requestCount(count: Int) async throws {
    let library = ContractLibrary(reading: [
      "consumers.json": #"{ "jokes.random": { "upstreams": ["joke"], "errors": {} } }"#,
      "joke/upstream.json": #"{ "baseURL": "https://jokes.example/v1" }"#,
      "joke/random.json": #"""
      { "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200, "body": 7,
          "expect": { "jokes.random": { "value": 7, "requests": 2 } } } } }
      """#,
    ])
    let consumer = SmallSuite.consumer { call in
      for _ in 1..<count { _ = try await SmallSuite.ask(call, "/random") }
      return try await SmallSuite.ask(call, "/random")
    }
    let results = try await SmallSuite.results(of: consumer, in: library)
    let list = "GET /joke/v1/random" + (count == 1 ? "" : " (\(count) times)")
    let words = count == 1 ? "1 request" : "\(count) requests"
    #expect(
      results.map(\.text) == [
        count == 2
          ? "pass joke/random#ok, jokes.random"
          : "fail joke/random#ok, jokes.random\n  request-count sent \(words), expected 2: \(list)"
      ])
  }

  @Test("reports how often a flaky check has passed")
  func flaky() async throws {
    let count = Atomic(0)
    let consumer = SmallSuite.consumer { call in
      let value = try await SmallSuite.ask(call, "/random")
      return count.wrappingAdd(1, ordering: .relaxed).newValue == 2 ? Array("{}".utf8) : value
    }
    let results = try await SmallSuite.results(of: consumer, "joke/random#ok") {
      $0.repeatCount = 3
      $0.jobCountMax = 1
    }
    let text = """
      fail joke/random#ok, jokes.random
        value found nothing, expected string "Why?" at /setup
        value found nothing, expected number 7 at /id
        flaky passed 2 of 3 times, expected all
      """
    #expect(TextDiff.unified(text, results.map(\.text).joined(separator: "\n")) == "")
  }

  @Test("starts nothing more after a failure with --fail-fast")
  func stops() async throws {
    let consumer = SmallSuite.consumer { _ in Array("{}".utf8) }
    let results = try await SmallSuite.results(of: consumer, "#ok", "#gone", "#reset") {
      $0.stopsAtFailure = true
      $0.jobCountMax = 1
    }
    #expect(
      results.map(\.text).dropFirst() == [
        "notExercised joke/random#gone, jokes.random\n  the run ended first",
        "notExercised joke/random#reset, jokes.random\n  the run ended first",
      ])
  }

  @Test("reports a doubt when the machine cannot send a request")
  func machine() async throws {
    let consumer = SmallSuite.consumer { call in
      _ = try await SmallSuite.ask(call, "/random")
      throw ConsumerError("connectivity", transport: .init(.failed, "no descriptors are left"))
    }
    let results = try await SmallSuite.results(of: consumer, "joke/random#ok")
    #expect(
      results.map(\.text) == [
        """
        couldNotCheck joke/random#ok, jokes.random
          the fake was not reached: the transport failed: no descriptors are left
        """
      ])
    #expect(results.map(\.attemptCount) == [2])
  }

  @Test("a service that hangs when it is alone, too, has failed")
  func hang() async throws {
    let consumer = SmallSuite.consumer { call in
      _ = try await SmallSuite.ask(call, "/random")
      try await Task.sleep(for: .seconds(1000))
      return []
    }
    let results = try await SmallSuite.results(of: consumer, "joke/random#ok") {
      $0.guardTime = .seconds(1)
    }
    #expect(
      results.map(\.text) == [
        "fail joke/random#ok, jokes.random\n  hang no outcome within 1.0 s"
      ])
    #expect(results.map(\.attemptCount) == [2])
  }

  @Test("reports the start and end of a check")
  func events() async throws {
    let text = try await Self.events(of: SmallSuite.good, "ok", "gone") { $0.jobCountMax = 1 }
    #expect(text == ["begun 0", "pass 0", "begun 1", "pass 1"])
  }

  @Test("an attempt among others that leaves a doubt is made again, before its check is over")
  func doubt() async throws {
    let consumer = SmallSuite.consumer { call in
      _ = try await SmallSuite.ask(call, "/random")
      throw ConsumerError("connectivity", transport: .init(.failed, "no descriptors are left"))
    }
    let text = try await Self.events(of: consumer, "ok")
    #expect(text == ["begun 0", "attempted 0", "begun 0", "attempted 0", "couldNotCheck 0"])
    let alone = try await Self.events(of: consumer, "ok") { $0.isAlone = true }
    #expect(alone == ["begun 0", "couldNotCheck 0"])
  }

  @Test("leaves a check that hangs to another process if configured to")
  func leavesHangs() async throws {
    let consumer = SmallSuite.consumer { _ in
      try await Task.sleep(for: .seconds(1000))
      return []
    }
    let text = try await Self.events(of: consumer, "ok") {
      $0.guardTime = .milliseconds(100)
      $0.leavesHangs = true
    }
    #expect(text == ["begun 0", "attempted 0"])
  }

  private static func events(
    of consumer: ServiceConsumer, _ names: String...,
    change: (inout SuiteConfiguration) -> Void = { _ in }
  ) async throws -> [String] {
    let plan = SuitePlan(SmallSuite.library, ConsumerRegistry([consumer])) { _, served, _ in
      names.contains(served.name)
    }
    var configuration = SuiteConfiguration()
    change(&configuration)
    let log = Log()
    _ = try await SuiteRun(SmallSuite.library, configuration).trials(of: plan.checks) { event in
      log.events.withLock { $0.append(event) }
    }
    return log.events.withLock(\.self).map { event in
      switch event {
      case .begun(let place): "begun \(place)"
      case .attempted(let place): "attempted \(place)"
      case .checked(let place, let check): "\(check.result.rawValue) \(place)"
      }
    }
  }
}

private final class Log: Sendable {
  let events = Mutex<[SuiteRun.Event]>([])
}

/// Holds everybody back until all are there.
private actor Meeting {
  private var missingCount: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of count: Int) { missingCount = count }

  func wait() async {
    missingCount -= 1
    if missingCount <= 0 {
      for continuation in waiting { continuation.resume() }
      waiting = []
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}
