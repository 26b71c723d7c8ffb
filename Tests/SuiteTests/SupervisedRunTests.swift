import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudySuite

/// Services that end or block the process they are called in, which real workers show.
@Suite struct SupervisedRunTests {
  @Test(
    "a service that ends or blocks its process fails its own check, and no other",
    arguments: [
      ("crash", "CRASH crashed: Fatal error: a joke too far"),
      ("exit", "CRASH crashed: exited with 0"),
      ("spin", "HANG found no outcome within 2.0 s"),
      ("block", "HANG found no outcome within 2.0 s"),
    ])
  func guilty(setup: String, finding: String) async throws {
    let results = try await WildSuite.results(of: ["ok", setup, "fine"])
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
    let lines = (0..<count).map { "fail \($0)-block\n  HANG found no outcome within 2.0 s" }
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
      ERR CRASH the services crashed: Fatal error: two jokes at once while 1 check was running, and \
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
        CRASH crashed: Fatal error: a joke too far
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
    let results = try await WildSuite.results(of: ["ok"], program: program)
    #expect(results.text == "couldNotCheck 0-ok\n  \(reason)")
  }
}
