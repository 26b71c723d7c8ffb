import Foundation
import Testing
import UnderstudyCLinux
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What becomes of a run, and of its workers, that somebody ends, or that a service does.
@Suite(.timeLimit(.minutes(10))) struct TestEndingTests {
  /// A run whose services say by a pipe what they have come to.
  private struct Running {
    private static let tool = Checkout.products.appendingPathComponent("wrong-consumers").path

    let process = Process()
    /// The pipe's descriptor.
    let events: Int32
    /// Their folder is there for as long as they are.
    private let contracts: WildContracts
    private let output = Pipe()
    private let errors = Pipe()

    init(
      _ contracts: WildContracts, _ words: [String], ignoring signal: String? = nil
    ) throws {
      self.contracts = contracts
      events = try contracts.pipe("events")
      let ignoring = signal.map { "trap '' \($0); " } ?? ""
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", #"\#(ignoring)exec "$0" "$@""#, Self.tool, "test"] + words
      process.currentDirectoryURL = URL(fileURLWithPath: contracts.folder)
      process.standardInput = FileHandle.nullDevice
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    func end() async throws -> ProcessRun {
      let (output, errors) = (output.fileHandleForReading, errors.fileHandleForReading)
      return try await offPool { [process] in
        let outputText = String(decoding: output.readOn(), as: UTF8.self)
        let errorText = String(decoding: errors.readOn(), as: UTF8.self)
        process.waitUntilExit()
        return ProcessRun(
          code: process.terminationStatus, output: outputText, errors: errorText)
      }
    }
  }

  private static let remark = """
    the run as a whole
      note: no contract provokes the error invalidData of jokes.wild [coverage]
        fix: add a case that does, or remove it from consumers.json

    """

  /// The id of the process that told something, and a descriptor that is readable when it has
  /// ended;
  /// -1 if it is gone already.
  private static func teller(_ events: Int32) async throws -> (id: pid_t, descriptor: Int32) {
    let line = try await offPool {
      var (bytes, byte): ([UInt8], UInt8) = ([], 0)
      while read(events, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }
    let id = try #require(pid_t(line))
    let descriptor = clinux_pidfd_open(id)
    try #require(descriptor >= 0 || errno == ESRCH, "process \(id)")
    return (id, descriptor)
  }

  private static func hasEnded(_ descriptor: Int32) async throws -> Bool {
    if descriptor < 0 { return true }
    return try await offPool {
      var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      defer { close(descriptor) }
      return poll(&file, 1, 300_000) == 1
    }
  }

  @Test(
    "a signal ends the run and its worker, and the results so far are reported",
    arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")])
  func signal(number: Int32, name: String) async throws {
    let contracts = try WildContracts(["ok", "wait", "fine"])
    // Waits for what never comes.
    let release = try contracts.pipe("release")
    defer { close(release) }
    let running = try Running(contracts, ["--jobs", "1", "--report", "json=report.json"])
    let worker = try await Self.teller(running.events)
    running.send(number)
    let run = try await running.end()
    #expect(try await Self.hasEnded(worker.descriptor))
    let output = """
      could not be checked
        joke/random#1-wait, jokes.wild: the run was interrupted
        joke/random#2-fine, jokes.wild: the run was interrupted

      \(Self.remark)
      wrong-consumers test 0.1.0, seed 0, TIME
      3 checks: 1 passed, 2 could not be checked
      coverage: 1 of 3

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    #expect(run.errors == "interrupted by \(name), so not everything was checked\n")
    #expect(run.code == 3)
    let report = try String(contentsOfFile: "\(contracts.folder)/report.json", encoding: .utf8)
    #expect(report.contains("the run was interrupted"))
  }

  @Test("a hangup that is ignored from the start, as by nohup, stays ignored")
  func nohup() async throws {
    let contracts = try WildContracts(["wait", "ok"])
    let release = try contracts.pipe("release")
    let running = try Running(contracts, ["--jobs", "1"], ignoring: "HUP")
    let worker = try await Self.teller(running.events)
    running.send(SIGHUP)
    close(release)
    let run = try await running.end()
    close(worker.descriptor)
    #expect(run.timelessOutput.contains("2 checks: 2 passed\n"), "\(run.output)\(run.errors)")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(
    "a worker ends with the process that started it, though all its threads are busy",
    arguments: [["spin"], ["block", "block", "block", "block"]])
  func killed(setups: [String]) async throws {
    let contracts = try WildContracts(setups)
    let running = try Running(contracts, [])
    let worker = try await Self.teller(running.events)
    running.send(SIGKILL)
    #expect(try await Self.hasEnded(worker.descriptor))
    _ = try await running.end()
  }

  @Test("a worker of mutants ends with the process that started it, and by a signal to that")
  func mutants() async throws {
    for (number, code) in [(SIGKILL, SIGKILL), (SIGINT, 3)] {
      let contracts = try WildContracts(["ok"])
      let running = try Running(contracts, ["--mutate"])
      // For the mutant with an empty setup, for which the service spins.
      let worker = try await Self.teller(running.events)
      running.send(number)
      #expect(try await Self.hasEnded(worker.descriptor))
      let run = try await running.end()
      #expect(run.code == code)
      if number == SIGINT {
        #expect(run.output.contains("joke/random#0-ok, jokes.wild: the run ended after "))
        #expect(run.errors == "interrupted by SIGINT, so not everything was checked\n")
      }
    }
  }

  @Test(
    "a worker is over when it has ended, though what a service started still has its pipes",
    .enabled(if: ProcessRun.find("setsid") != nil, "setsid is not installed"))
  func orphan() async throws {
    let running = try Running(try WildContracts(["orphan", "ok"]), [])
    let orphans = [
      try await Self.teller(running.events), try await Self.teller(running.events),
    ]
    let run = try await running.end()
    for orphan in orphans { #expect(try await Self.hasEnded(orphan.descriptor)) }
    let output = """
      failed joke/random#0-orphan, jokes.wild  after 2 attempts
        Contracts/joke/random.json:3:29: error: crashed: Fatal error: left somebody behind [crash]

      \(Self.remark)
      wrong-consumers test 0.1.0, seed 0, TIME
      2 checks: 1 passed, 1 failed
      coverage: 2 of 2

      """
    #expect(TextDiff.unified(output, run.timelessOutput) == "")
    // By the worker of all, and by that of the one check.
    #expect(run.errors.matches(of: /Fatal error: left somebody behind\n/).count == 2)
    #expect(run.code == 1)
  }
}
