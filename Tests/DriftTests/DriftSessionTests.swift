import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings

/// Drift as a program runs it, without the command line.
@Suite struct DriftSessionTests {
  @Test("a program finds drift, updates the contract, and then finds none")
  func updates() async throws {
    let folder = TestFolder()
    let contracts = "\(folder.path)/contracts"
    let files = [
      "upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example" }"#,
      "random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200, "body": { "id": "7" }, "live": {} } } }
      """,
    ]
    for (name, text) in files {
      try folder.write(Array(text.utf8), "\(contracts)/joke/\(name)")
    }
    let server = try await FakeUpstream.start(LiveStage.live)
    var options = DriftSession.Options()
    options.folder = "\(folder.path)/drift"
    options.baseURLs["joke"] = server.baseURL(of: "joke").flatMap { WebURL(base: $0) }
    options.configuration.failsOn = .warning
    options.configuration.confirmPause = .zero

    func session() throws -> DriftSession {
      try DriftSession(
        ContractLibrary.load([contracts]), ConsumerRegistry([]), options, environment: { _ in nil },
        warn: { _, _ in })
    }

    do {
      let first = try session()
      let outcome = first.outcome(of: await first.answers(), toolVersion: "1.2.3")
      #expect(outcome.report.verdict == .fail)
      #expect(outcome.remarks.isEmpty)
      let trial = try await first.update(.update, after: outcome)
      for file in trial.update.files { try file.write() }
      // Another run is kept out as long as this one lives.
      #expect(throws: Failure.self) { try session() }
      withExtendedLifetime(first) {}
    }
    let text = try FileRoot(contracts).read("\(contracts)/joke/random.json")
    #expect(String(decoding: text, as: UTF8.self).contains(#""id": 8"#))
    let after = try session()
    let outcome = after.outcome(of: await after.answers(), toolVersion: "1.2.3")
    #expect(outcome.report.verdict == .pass)
    await server.close()
  }
}
