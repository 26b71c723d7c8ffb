import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON

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
    let server = try await FakeServer.start(LiveStage.live)
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
      let outcome = first.outcome(of: await first.responses(), toolVersion: "1.2.3")
      #expect(outcome.report.result == .fail)
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
    let outcome = after.outcome(of: await after.responses(), toolVersion: "1.2.3")
    #expect(outcome.report.result == .pass)
    await server.close()
  }

  /// A list of more than a megabyte, as an upstream responds and as a file.
  private static func list(token: String, last: String) -> String {
    let note = String(repeating: "x", count: 1000)
    let first = #"{ "id": 0, "token": "\#(token)" }"#
    let middle = (1...1100).map { #"{ "id": \#($0), "note": "\#(note)" }"# }
    return "[\(([first] + middle + [#"{ "id": \#(last) }"#]).joined(separator: ",\n"))]"
  }

  @Test("the end of a large body in a file is compared, and captured responses keeps its beginning")
  func largeFile() async throws {
    let folder = TestFolder()
    let contracts = "\(folder.path)/contracts"
    let files = [
      "upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example" }"#,
      "files/random.json": Self.list(token: "invented", last: "1101"),
      "random.json": """
      { "summary": "Jokes", "request": { "method": "GET", "path": "/random" },
        "cases": { "ok": { "status": 200, "live": {}, "file": "files/random.json",
          "schema": { "items": { "properties": { "id": { "type": "integer" } } } } } } }
      """,
    ]
    for (name, text) in files {
      try folder.write(Array(text.utf8), "\(contracts)/joke/\(name)")
    }
    var live = JSONWriter()
    live.string(Self.list(token: "abc-hidden", last: #"{ "new": true }"#))
    let server = try await FakeServer.start(
      ContractLibrary(reading: [
        "joke/upstream.json": #"{ "summary": "Jokes" }"#,
        "joke/random.json": """
        { "summary": "Jokes", "request": { "method": "GET", "path": "/random" },
          "cases": { "ok": { "status": 200, "headers": { "Content-Type": "application/json" },
            "text": \(String(decoding: live.bytes, as: UTF8.self)) } } }
        """,
      ]))
    var options = DriftSession.Options()
    options.folder = "\(folder.path)/drift"
    options.baseURLs["joke"] = server.baseURL(of: "joke").flatMap { WebURL(base: $0) }
    options.configuration.failsOn = .warning
    options.configuration.confirmPause = .zero
    let session = try DriftSession(
      ContractLibrary.load([contracts]), ConsumerRegistry([]), options, environment: { _ in nil },
      warn: { _, _ in })
    let outcome = session.outcome(of: await session.responses(), toolVersion: "1.2.3")
    #expect(
      outcome.report.checks.map(\.text) == [
        """
        fail joke/random#ok after 2
          error schema-type-changed found object with 1 member, expected integer, in 1 of 1102 elements
        """
      ])
    #expect(outcome.report.checks.first?.findings.first?.path?.description == "/1101/id")
    let update = try await session.update(.update, after: outcome).update
    #expect(
      update.leftOver.map(\.reason) == ["its body is in its own file: record it again"])
    await server.close()

    let captures = "\(options.folder)/captures"
    let run = try #require(try FileRoot(captures).names(in: captures).first)
    let kept = try FileRoot(captures).read("\(captures)/\(run)/joke/random#ok.json")
    let exchanges = try #require(try JSONDocument(parsing: kept).root["exchanges"])
    #expect(exchanges.count == 2)
    for exchange in exchanges.elements {
      #expect(exchange["body"]?.string?.utf8.count == 1 << 20)
      #expect(exchange["body"]?.string?.contains(#""token": "[redacted]""#) == true)
      #expect(exchange["cutFromBytes"]?.int ?? 0 > 1 << 20)
    }
  }
}
