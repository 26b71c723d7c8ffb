import Foundation
import Synchronization
import Testing
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudySuite

/// Services that end or block the process they are called in, which real workers show.
@Suite struct SupervisedRunTests {
  @Test(
    "a service that ends or blocks its process fails its own check, and no other",
    arguments: [
      ("crash", "crash crashed: Fatal error: a joke too far"),
      ("exit", "crash crashed: exited with 0"),
      ("spin", "hang no outcome within 2.0 s"),
      ("block", "hang no outcome within 2.0 s"),
    ])
  func guilty(setup: String, finding: String) async throws {
    let counts = Mutex((done: 0, failed: 0))
    let results = try await WildSuite.results(
      of: ["ok", setup, "fine"],
      progress: { done, failed in counts.withLock { $0 = (done, failed) } })
    #expect(counts.withLock { $0 } == (3, 1))
    let expected = """
      pass 0-ok
      fail 1-\(setup)
        \(finding)
      pass 2-fine
      """
    #expect(TextDiff.unified(expected, results.text) == "")
    #expect(results.checks[1].attemptCount == 2)
  }

  @Test("services that block all threads are found one by one, and the others pass")
  func blocked() async throws {
    // More than there are threads in a worker.
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let results = try await WildSuite.results(
      of: Array(repeating: "block", count: count) + ["ok"])
    let lines = (0..<count).map { "fail \($0)-block\n  hang no outcome within 2.0 s" }
    let expected = (lines + ["pass \(count)-ok"]).joined(separator: "\n")
    #expect(TextDiff.unified(expected, results.text) == "")
  }

  @Test("a crash that no check causes alone fails the run")
  func shared() async throws {
    let results = try await WildSuite.results(of: ["ok", "shared", "shared"], "--jobs", "1")
    let expected = """
      pass 0-ok
      pass 1-shared
      pass 2-shared
      error crash the services crashed: Fatal error: two jokes at once while 1 check was running, and \
      none crashes alone
      """
    #expect(TextDiff.unified(expected, results.text) == "")
  }

  @Test("with --fail-fast nothing more is started after a crash")
  func failFast() async throws {
    let results = try await WildSuite.results(
      of: ["ok", "crash", "fine"], "--jobs", "1", "--fail-fast"
    ) { $0.stopsAtFailure = true }
    let expected = """
      pass 0-ok
      fail 1-crash
        crash crashed: Fatal error: a joke too far
      notExercised 2-fine
        the run ended first
      """
    #expect(TextDiff.unified(expected, results.text) == "")
  }

  @Test("what a service writes into a worker's pipes is ignored")
  func noise() async throws {
    let results = try await WildSuite.results(of: ["noise", "ok"])
    #expect(results.text == "pass 0-noise\npass 1-ok")
  }

  @Test("a run that is interrupted reports the results so far")
  func interrupted() async throws {
    let ends = Pipe()
    try ends.fileHandleForWriting.close()
    let results = try await WildSuite.results(
      of: ["ok"], endedBy: ends.fileHandleForReading.fileDescriptor)
    #expect(results.text == "couldNotCheck 0-ok\n  the run was interrupted")
    withExtendedLifetime(ends) {}
  }

  @Test(
    "without a worker nothing could be checked",
    arguments: [
      ("/no/such/program", "cannot start a worker process"),
      ("/bin/true", "the worker process exited with 0 before its first check"),
    ])
  func noWorker(path: String, reason: String) async throws {
    let program = WorkerProgram([path], at: path, showsOutput: false)
    let results = try await WildSuite.results(of: ["ok"], program: { _ in program })
    #expect(results.text == "couldNotCheck 0-ok\n  \(reason)")
  }

  /// What a worker says of two checks that pass, the first one at the second attempt.
  private static func lines(of checks: [PlannedCheck]) -> [WorkerLine] {
    let passed = checks.map {
      Check.checked($0.identity, at: $0.place, findings: [], attemptCount: 1)
    }
    return [
      .begun(check: 0), .attempted(check: 0), .begun(check: 0), .checked(check: 0, passed[0]),
      .begun(check: 1), .checked(check: 1, passed[1]), .finished,
    ]
  }

  @Test(
    "a worker that dies at a step of its protocol costs no more than it had not ended",
    arguments: [
      ("exit 0", "exited with 0"), ("exit 3", "exited with 3"),
      ("kill -9 $$", "ended by signal 9"),
      ("echo 'a.swift:1: Fatal error: torn' >&2; kill -6 $$", "Fatal error: torn"),
    ], 0...7)
  func deaths(death: (script: String, words: String), stepCount: Int) async throws {
    let unbegun = "the worker process \(death.words) before its first check"
    let crash = "crash crashed: \(death.words)"
    let unexplained = """
      error crash the services crashed: \(death.words) while 0 checks were running, and none crashes \
      alone
      """
    // The worker that is started for one check dies as the first one did.
    let expected =
      switch stepCount {
      case 0: ["couldNotCheck 0-ok", "  \(unbegun)", "couldNotCheck 1-ok", "  \(unbegun)"]
      case ...3: ["fail 0-ok", "  \(crash)", "couldNotCheck 1-ok", "  \(unbegun)"]
      case 4: ["pass 0-ok", "couldNotCheck 1-ok", "  \(unbegun)", unexplained]
      case 5: ["pass 0-ok", "fail 1-ok", "  \(crash)"]
      case 6: ["pass 0-ok", "pass 1-ok", unexplained]
      default: ["pass 0-ok", "pass 1-ok"]
      }
    // Before the next line, and in the middle of it.
    for isHalf in [false, true] {
      let results = try await WildSuite.results(
        of: ["ok", "ok"],
        program: { checks in
          let lines = Self.lines(of: checks).map(\.bytes)
          let next = stepCount < lines.count && isHalf ? lines[stepCount] : []
          let text = lines[..<stepCount].flatMap(\.self) + next.prefix(next.count / 2)
          let script = "printf %s '\(String(decoding: text, as: UTF8.self))'\n\(death.script)"
          return WorkerProgram(["/bin/sh", "-c", script], at: "/bin/sh", showsOutput: false)
        })
      #expect(TextDiff.unified(expected.joined(separator: "\n"), results.text) == "")
    }
  }
}
