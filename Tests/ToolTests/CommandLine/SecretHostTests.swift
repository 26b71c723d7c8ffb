import Testing
import UnderstudyContractModel
import UnderstudyFakeServer

@testable import UnderstudyTool

/// `--secret NAME=HOST`: a changed `upstream.json` cannot send a secret elsewhere.
@Suite struct SecretHostTests {
  private static let lines = [
    "drift --confirm 0s", "call joke/one --base-url live", "record URL/joke",
  ]

  /// Runs a command whose upstream is at the address of a server of the test.
  private static func run(
    _ line: String, binding words: String
  ) async throws -> (run: CommandLineRun, keys: [String?]) {
    let server = try await FakeServer.start(
      ContractLibrary(reading: [
        "joke/upstream.json": "{}",
        "joke/one.json": """
        { "request": { "method": "GET", "path": "/joke" },
          "cases": { "ok": { "status": 200, "body": { "id": 1 } } } }
        """,
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    let origin = "http://\(server.address)"
    let samples = try SampleContracts(only: [
      "Contracts/joke/upstream.json": """
      { "summary": "Jokes", "baseURL": "\(url)", "secrets": { "X-Key": "{UNDERSTUDY_JOKE_KEY}" } }
      """,
      "Contracts/joke/one.json": """
      { "request": { "method": "GET", "path": "/joke" },
        "cases": { "ok": { "status": 200, "body": { "id": 1 }, "live": {} } } }
      """,
    ])
    let words = "\(line) \(words)".replacing("URL", with: url).replacing("ORIGIN", with: origin)
    let folder = samples.folder
    let run = try await offPool {
      try ProcessRun(
        Checkout.tool.path, words.split(separator: " ").map(String.init), directory: folder,
        environment: ["UNDERSTUDY_JOKE_KEY": "sesame-open"])
    }
    let keys = await server.journal().map { $0.request.headerValue("x-key") }
    await server.close()
    let errors = run.errors.replacing(origin, with: "ORIGIN")
    return (
      CommandLineRun(
        code: try #require(ExitCode(rawValue: run.code)), output: run.output, errors: errors), keys
    )
  }

  @Test(
    "sends nothing where the secret is bound to another host, scheme or port", arguments: lines,
    ["api.example.com", "127.0.0.1", "http://127.0.0.1:1"])
  func elsewhere(line: String, host: String) async throws {
    let (run, keys) = try await Self.run(line, binding: "--secret UNDERSTUDY_JOKE_KEY=\(host)")
    let expected = host.contains("://") ? host : "https://\(host)"
    #expect(
      run.errors == """
        understudy: error: Contracts/joke/upstream.json:1:34: found ORIGIN, expected \(expected), the \
        only place that may get UNDERSTUDY_JOKE_KEY
          fix: correct "baseURL", or name this host in --secret, too, if it may get it

        """)
    #expect(run.code == .couldNotRun)
    #expect(keys == [])
  }

  @Test(
    "sends it to the host that it is bound to, and to any without such a line", arguments: lines,
    [
      "", "--secret UNDERSTUDY_JOKE_KEY=ORIGIN",
      "--secret UNDERSTUDY_JOKE_KEY=api.example.com --secret UNDERSTUDY_JOKE_KEY=ORIGIN/",
    ])
  func own(line: String, binding: String) async throws {
    let (run, keys) = try await Self.run(line, binding: binding)
    #expect(Set(keys) == ["sesame-open"], "\(run.errors)")
  }

  @Test("another address of --base-url gets no secret, so it is no other host either")
  func override() async throws {
    let (run, keys) = try await Self.run(
      "drift --confirm 0s --base-url joke=ORIGIN/joke",
      binding: "--secret UNDERSTUDY_JOKE_KEY=api.example.com")
    #expect(Set(keys) == [nil], "\(run.errors)")
  }

  @Test("a misspelt variable protects nothing, and is an error", arguments: lines)
  func misspelt(line: String) async throws {
    let (run, keys) = try await Self.run(line, binding: "--secret UNDERSTUDY_JOKE_KEYS=ORIGIN")
    #expect(
      run.errors == """
        understudy: error: found --secret UNDERSTUDY_JOKE_KEYS, expected a variable of "secrets" in \
        an upstream.json
          fix: did you mean "UNDERSTUDY_JOKE_KEY"?

        """)
    #expect(run.code == .couldNotRun && keys == [])
  }

  @Test(
    "reads a variable and a host",
    arguments: [
      "UNDERSTUDY_JOKE_KEY", "UNDERSTUDY_JOKE_KEY=", "=api.example.com", "JOKE_KEY=api.example.com",
      "UNDERSTUDY_JOKE_KEY=api.example.com/v1", "UNDERSTUDY_JOKE_KEY=ftp://api.example.com",
      "UNDERSTUDY_JOKE_KEY=a b", "UNDERSTUDY_JOKE_KEY=u@api.example.com",
    ])
  func wrong(word: String) {
    let run = CommandLineRun(words: ["drift", "--secret", word])
    #expect(
      run.errors == """
        understudy: error: found "\(word)" for --secret, expected NAME=HOST, a variable that begins \
        with UNDERSTUDY_ and a host such as api.example.com

        """)
    #expect(run.code == .couldNotRun)
  }
}
