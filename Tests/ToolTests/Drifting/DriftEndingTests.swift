import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What becomes of a run of `understudy drift` when something happens while it waits for a
/// response.
@Suite struct DriftEndingTests {
  private static let file = "Contracts/joke/random-joke.json"

  /// Runs the command until a live API has its request, which it responds when `meanwhile` is over,
  /// or only when the command is, if that is to end it.
  private static func run(
    _ contracts: ShippedContracts, _ words: [String], isEnded: Bool = false,
    meanwhile: @Sendable (Process) throws -> Void
  ) async throws -> ProcessRun {
    let server = try await FakeServer.start(
      try ContractLibrary(drafts: [DriftUpdateTests.changed]))
    let hold = server.hold("joke/random-joke")
    let url = try #require(server.baseURL(of: "joke"))
    let process = Process()
    process.executableURL = Checkout.showcase
    // Nobody knows when this test goes on after the request has come: other tests have the pool.
    process.arguments =
      ["drift", "joke/random-joke#ok", "--base-url", "joke=\(url)"]
      + ["--confirm", "0s", "--timeout", "600s"] + words
    process.currentDirectoryURL = contracts.folder
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let held = try #require(await hold.next())
    try meanwhile(process)
    await hold.end()
    let (outputEnd, errorsEnd) = (output.fileHandleForReading, errors.fileHandleForReading)
    async let run = offPool {
      let output = String(decoding: outputEnd.readOn(), as: UTF8.self)
      let errors = String(decoding: errorsEnd.readOn(), as: UTF8.self)
      process.waitUntilExit()
      return ProcessRun(code: process.terminationStatus, output: output, errors: errors)
    }
    if !isEnded { await held.release() }
    let result = try await run
    if isEnded { await held.release() }
    await server.close()
    return result
  }

  @Test(
    "a signal ends the run, and the results so far are reported",
    arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")])
  func signal(number: Int32, name: String) async throws {
    let contracts = try ShippedContracts()
    let words = ["--history", "runs.jsonl", "--update", "--report", "json=report.json"]
    let run = try await Self.run(contracts, words, isEnded: true) { process in
      kill(process.processIdentifier, number)
    }
    #expect(
      run.errors == """
        interrupted by \(name), so not everything was checked
        left all contracts unchanged: the run was interrupted

        """)
    #expect(run.output.contains("joke/random-joke#ok: the run was interrupted\n"))
    #expect(run.output.contains("joke/random-joke#ok, jokes.random: the run was interrupted\n"))
    #expect(run.output.contains("2 checks: 2 could not be checked"))
    #expect(run.code == 3)
    #expect(try contracts.read("report.json").contains("the run was interrupted"))
    // It is no run on which the upstream was away, but its request counts against the rate.
    let history = try contracts.read("runs.jsonl")
    #expect(history.contains(#""upstream":"joke","requests":"#))
    #expect(!history.contains("result"))
    let runs = contracts.folder.appendingPathComponent(".understudy/drift/captures")
    #expect(try FileManager.default.contentsOfDirectory(atPath: runs.path).count == 1)
  }

  @Test("leaves a contract edited meanwhile unchanged, and still reports")
  func edited() async throws {
    let contracts = try ShippedContracts()
    let old = try contracts.read(Self.file)
    let run = try await Self.run(contracts, ["--update"]) { _ in
      try (old + "\n").write(
        to: contracts.folder.appendingPathComponent(Self.file), atomically: false, encoding: .utf8)
    }
    #expect(
      run.errors == """
        understudy: error: left \(Self.file) unchanged: it was edited since it was read
          fix: run the command again

        """)
    #expect(try contracts.read(Self.file) == old + "\n")
    #expect(run.output.contains("2 checks: 2 passed"))
    #expect(run.code == 2)
  }
}
