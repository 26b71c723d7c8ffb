import Foundation
import Testing

@testable import UnderstudyTool

/// Runs every example of every help page as it is printed there.
@Suite struct ExampleTests {
  struct Example: CustomTestStringConvertible {
    let line: String

    var isServing: Bool {
      line.hasPrefix("understudy serve") || line.hasPrefix("understudy wiremock")
    }

    var isRunning: Bool { line.hasPrefix("understudy run") }

    var isWatching: Bool { line.hasPrefix("understudy drift") }

    var testDescription: String { line }

    /// The shell whose syntax the example is in.
    var shell: String {
      ["zsh", "fish"].first(where: line.contains) ?? "bash"
    }
  }

  private static let all = ([Understudy.command] + Understudy.command.subcommands)
    .flatMap(\.examples.list).map { Example(line: $0.0) }

  private static let examples = all.filter {
    ProcessRun.find($0.shell) != nil && !$0.isServing && !$0.isRunning && !$0.isWatching
  }

  private static let servingExamples = all.filter(\.isServing)

  private static let runningExamples = all.filter(\.isRunning)

  private static let watchingExamples = all.filter(\.isWatching)

  private static let jokes = """
    { "openapi": "3.1.0", "paths": {
      "/random_joke": { "get": { "responses": { "200": { "content": {
        "application/json": {} } } } } },
      "/jokes/{id}": { "get": { "responses": { "200": { "content": {
        "application/json": {} } } } } } } }
    """

  /// Where every live API is said to be gone, so that no test asks one.
  @Test("an example that calls live APIs runs and reports", arguments: watchingExamples)
  func watches(example: Example) async throws {
    let shipped = try ShippedContracts()
    let contracts = shipped.folder.appendingPathComponent("Contracts").path
    for name in try FileManager.default.contentsOfDirectory(atPath: contracts) {
      let file = "Contracts/\(name)/upstream.json"
      guard (try? shipped.read(file))?.contains("\"retired\"") == false else { continue }
      try shipped.edit(file, "\"$schema\":", "\"retired\": \"for a test\", \"$schema\":")
    }
    try Data(Self.jokes.utf8).write(to: shipped.folder.appendingPathComponent("openapi.json"))
    let server = try RunningServer([], in: shipped.folder)
    let words = example.line.replacing(":8080", with: ":\(server.port)").split(separator: " ")
    // Where the services are; the tool itself has none.
    let run = try await shipped.run(words.dropFirst().map(String.init))
    withExtendedLifetime(server) {}
    let isDryRun = example.line.contains("--dry-run")
    let isUpdate = isDryRun && ["--update", "--add-cases"].contains(where: example.line.contains)
    let isPlan = isDryRun && !isUpdate
    #expect(run.errors.hasPrefix(isUpdate ? "nothing to update\n" : ""))
    #expect((isUpdate ? run.errors : run.output).contains(" checks: ") != isPlan)
    // Our own server or the document gives the responses; without them nothing is exercised.
    let hasResponses = ["--base-url", "--against"].contains(where: example.line.contains)
    #expect(run.code == (hasResponses || isPlan ? 0 : 1))
  }

  /// Their command is one that takes every case well, with a client that is everywhere.
  @Test(
    "an example that runs a command finds nothing wrong",
    .enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"),
    arguments: runningExamples)
  func runsCommand(example: Example) async throws {
    let samples = try SampleContracts([
      "Contracts/consumers.json": """
      {
        "images.random": {
          "upstreams": ["dog-ceo"],
          "errors": { "connectivity": null, "invalidData": null, "unexpectedStatus": "integer" }
        },
        "dogs-cli": { "upstreams": ["dog-ceo"], "command": ["true"] }
      }
      """,
      "client": """
      #!/bin/sh
      curl -s "$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random" > /dev/null || true
      """,
    ])
    let contract = "Contracts/dog-ceo/random-images.json"
    try samples.write(
      contract,
      try samples.read(contract).replacing(
        #""expect": { "images.random": { "value""#,
        with: #""expect": { "dogs-cli": { "exitCode": 0 }, "images.random": { "value""#))
    let run = try await offPool {
      try ProcessRun(
        "/bin/bash",
        // A copy: a child that another test starts may still have open for writing what we wrote.
        ["--norc", "-c", "cp client test-client; chmod +x test-client; \(example.line)"],
        directory: samples.folder,
        environment: [
          "PATH":
            "\(Checkout.products.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        ])
    }
    #expect(run.output == "")
    #expect(run.errors.contains(/no problems in|: 1 passed/), "\(run.errors)")
    #expect(run.code == 0)
  }

  /// But for the port: the one that is printed may be taken on this machine.
  @Test("an example that serves listens and ends", arguments: servingExamples)
  func serves(example: Example) throws {
    let line = example.line.replacing(/--port [0-9]+/, with: "")
    let words = line.split(separator: " ").dropFirst().map(String.init)
    let samples = try SampleContracts()
    try samples.writeForeignFiles()
    let server = try RunningServer(
      Array(words.dropFirst()), in: samples.folder, command: words.first ?? "serve")
    server.interrupt()
    let end = server.end()
    #expect(end.errors == "")
    #expect(end.code == 0)
  }

  @Test("an example runs as printed", arguments: examples)
  func runs(example: Example) async throws {
    let (samples, shipped) = (try SampleContracts(), try ShippedContracts())
    try samples.writeForeignFiles()
    let shell = try #require(ProcessRun.find(example.shell))
    // Those that ask a server need one, on the port that is free here; services need our contracts.
    let needsServices = example.line.contains(/^understudy (test|merge)/)
    let needsContracts = example.line.contains(
      /^understudy (call|export|use --scenario)/)
    let begins = example.line.contains(/^understudy (init|reads)/)
    let started = try SampleContracts(only: ["notes.txt": ""])
    let folder =
      begins ? started.folder : needsServices || needsContracts ? shipped.folder : samples.folder
    let server =
      example.line.contains(/^understudy (use|record|init --from|call .*base-url|export har)/)
      ? try RunningServer([], in: begins ? shipped.folder : folder) : nil
    if example.line.contains(/^understudy (init --refresh|reads)/) {
      let tool = Checkout.tool.path
      _ = try await offPool { try ProcessRun(tool, ["init", "joke"], directory: started.folder) }
      // Output with a time in it shows nothing about reads.
      try started.write(
        "Contracts/consumers.json",
        """
        { "api-check": { "upstreams": ["joke"],
          "command": ["sh", "-c", "curl -s $UNDERSTUDY_URL_JOKE/greeting"] } }
        """)
    }
    if example.line.hasPrefix("understudy merge") {
      for index in 1...2 {
        let report = "json=shards/\(index).json"
        _ = try await shipped.run(["test", "joke", "--shard", "\(index)/2", "--report", report])
      }
    }
    var line = example.line.replacing(":8080", with: ":\(server?.port ?? 8080)")
    if needsServices { line = line.replacing("understudy ", with: "showcase ") }
    let arguments =
      switch example.shell {
      case "zsh": ["-f", "-c", line]
      case "fish": ["--no-config", "-c", line]
      default: ["--norc", "-c", line]
      }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let url = server.map { "http://127.0.0.1:\($0.port)" } ?? ""
    let run = try await offPool {
      try ProcessRun(
        shell, arguments, directory: folder,
        environment: [
          "PATH": "\(Checkout.products.path):\(path)", "UNDERSTUDY_URL": url,
          "XDG_STATE_HOME": samples.folder.path,
        ])
    }
    withExtendedLifetime((samples, shipped, started, server)) {}
    #expect(run.errors == "")
    // What was never verified is too old.
    #expect(run.code == (example.line.contains("--max-age") ? 1 : 0))
  }
}

extension SampleContracts {
  /// What the examples of imports name.
  fileprivate func writeForeignFiles() throws {
    try write(
      "app.har",
      #"""
      { "log": { "version": "1.2", "creator": { "name": "a test", "version": "1" }, "entries": [{
        "startedDateTime": "2030-01-01T00:00:00Z", "time": 1,
        "request": { "method": "GET", "url": "https://api.example.com/users/1", "headers": [] },
        "response": { "status": 200, "headers": [{ "name": "Content-Type", "value": "application/json" }],
                      "content": { "mimeType": "application/json", "text": "{\"id\": 1}" } } }] } }
      """#)
    try write(
      "openapi.yaml",
      """
      openapi: 3.1.0
      info: { title: Pets, version: "1" }
      paths:
        /pets:
          get:
            responses:
              200:
                description: pets
      """)
    try write(
      "src/test/resources/mappings/users.json",
      #"{ "request": { "method": "GET", "url": "/users" }, "response": { "jsonBody": [] } }"#)
  }
}
