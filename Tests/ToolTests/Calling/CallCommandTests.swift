import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyTool

/// `understudy call`, in the test's process, with fakes it starts itself or that the test has.
@Suite struct CallCommandTests {
  private static let upstream = """
    { "summary": "Jokes", "baseURL": "https://jokes.example/v1" }
    """

  private static let contract = """
    {
      "request": {
        "method": "GET", "path": "/jokes/{id}",
        "parameters": {
          "path.id": { "example": "1" }, "query.page": { "optional": true },
          "header.page": { "optional": true }
        }
      },
      "cases": {
        "ok": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "setup": "Why?", "tokens": 3 }, "live": {},
          "schema": { "properties": { "setup": { "type": "string" } } }
        },
        "null-setup": { "like": "ok", "malform": { "set": { "/setup": null } } },
        "cut-short": { "like": "ok", "malform": { "truncateAt": 9 } },
        "gone": { "status": 410, "text": "gone" },
        "secret": {
          "status": 200, "headers": { "Set-Cookie": "session=abcdefgh" },
          "body": { "setup": "Why?", "password": "correct horse" },
          "schema": { "properties": { "setup": { "type": "string" } } }
        },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
        "expired": { "fault": "TLS_EXPIRED" }
      }
    }
    """

  private static func call(
    _ line: String, upstream: String = upstream, contract: String = contract,
    environment: [String: String] = [:]
  ) async throws -> CommandLineRun {
    let samples = try SampleContracts(only: [
      "Contracts/joke/upstream.json": upstream, "Contracts/joke/one.json": contract,
      "Contracts/consumers.json": "{}",
    ])
    let words = line.split(separator: " ").map(String.init)
    return try await offPool {
      let folder = samples.folder.appendingPathComponent("Contracts").path
      let run = CommandLineRun(
        words: ["call"] + words + ["--contracts", folder], environment: environment)
      func plain(_ text: String) -> String {
        text.replacing("\(samples.folder.path)/", with: "")
          .replacing(/127\.0\.0\.1:\d{5}/, with: "127.0.0.1:PORT")
          .replacing(/after \d+ ms/, with: "after TIME")
          .replacing(/Date: .+ GMT/, with: "Date: NOW")
      }
      return CommandLineRun(
        code: run.code, output: plain(run.output), errors: plain(run.errors))
    }
  }

  @Test("shows the response of a fake, and that it matches its schema")
  func keeps() async throws {
    let run = try await Self.call("joke/one")
    let output = """
      GET http://127.0.0.1:PORT/joke/v1/jokes/1
      200 after TIME
      Content-Type: application/json
      Content-Length: 27
      Understudy-Contract: joke/one
      Understudy-Case: ok
      Date: NOW

      {
        "setup": "Why?",
        "tokens": 3
      }

      matches the schema of joke/one#ok

      """
    #expect(TextDiff.unified(output, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test(
    "ends in a result",
    arguments: [
      (
        "null-setup", ExitCode.findings,
        """
        violates the schema of joke/one#null-setup in 1 place
          /setup: found null, expected string
            schema at Contracts/joke/one.json:13:54

        """
      ),
      (
        "cut-short", .findings,
        "violates the schema of joke/one#cut-short: the body is not valid JSON: 1:10: found the end of"
          + " the text, expected a value for the object opened at 1:1\n"
      ),
      ("gone", .pass, "joke/one#gone has no schema\n"),
    ])
  func results(name: String, code: ExitCode, ending: String) async throws {
    let run = try await Self.call("joke/one#\(name)")
    #expect(run.output.hasSuffix("\n\n\(ending)"), "\(run.output)")
    #expect(run.errors == "")
    #expect(run.code == code)
  }

  @Test(
    "a response is compared with the case that was asked for, else the one that the fake names",
    arguments: [
      ("", "matches the schema of joke/one#ok"),
      (" --parameter query.page=2", "matches the schema of joke/one#page-2"),
      (" --parameter query.page=3", "joke/one#page-3 has no schema"),
      ("#page-2", "matches the schema of joke/one#page-2"),
    ])
  func named(words: String, ending: String) async throws {
    let contract = """
      {
        "request": {
          "method": "GET", "path": "/jokes", "parameters": { "query.page": { "optional": true } }
        },
        "cases": {
          "ok": {
            "status": 200, "body": { "jokes": [] }, "schema": { "required": ["jokes"] }
          },
          "page-2": {
            "status": 200, "body": { "more": [] }, "schema": { "required": ["more"] },
            "when": { "request": { "query.page": "2" } }
          },
          "page-3": { "status": 203, "body": {}, "when": { "request": { "query.page": "3" } } }
        }
      }
      """
    let run = try await Self.call("joke/one\(words)", contract: contract)
    #expect(run.output.split(separator: "\n").last.map(String.init) == ending, "\(run.output)")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test("masks what looks like a secret in the response")
  func masked() async throws {
    let run = try await Self.call("joke/one#secret")
    #expect(run.output.contains("Set-Cookie: [redacted]\n"), "\(run.output)")
    #expect(run.output.contains(#""password": "[redacted]""#))
    #expect(run.code == .pass)
  }

  @Test("a response that does not come could not be checked")
  func noResponse() async throws {
    let run = try await Self.call("joke/one#reset")
    #expect(
      run.errors.hasPrefix(
        "understudy: error: no response from http://127.0.0.1:PORT/joke/v1/jokes/1: the connection"
          + " was reset: "))
    #expect(run.code == .couldNotCheck)
    let json = try await Self.call("joke/one#reset --format json")
    #expect(json.output.contains(#""status": null"#))
    #expect(json.output.contains(#""result": "couldNotCheck""#))
    #expect(json.code == .couldNotCheck)
  }

  @Test("prints one object for programs")
  func json() async throws {
    let run = try await Self.call("joke/one#null-setup --format json")
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(
      root.keys.sorted() == [
        "body", "case", "contract", "durationNanoseconds", "headers", "method", "reason", "result",
        "status", "text", "url", "violations",
      ])
    #expect(root["result"] as? String == "fail")
    #expect(root["case"] as? String == "null-setup")
    let violation = try #require((root["violations"] as? [[String: Any]])?.first)
    #expect(violation["path"] as? String == "/setup")
    #expect(violation["message"] as? String == "found null, expected string")
    #expect(violation["schemaLine"] as? Int == 13)
    #expect(run.code == .findings)
  }

  // MARK: - Another server

  /// What a server that stands for the live API is asked, and what the call says.
  private static func live(
    _ line: String, responding status: Int = 200, contract: String = contract,
    environment: [String: String] = [:]
  ) async throws -> (run: CommandLineRun, asked: [JournalEntry]) {
    let server = try await FakeServer.start(
      ContractLibrary(reading: [
        "joke/upstream.json": "{}",
        "joke/any.json": """
        { "request": { "method": "GET", "path": "/jokes/{id}" },
          "cases": { "ok": { "status": \(status), "body": { "setup": "sesame-open" } } } }
        """,
      ]))
    let url = try #require(server.baseURL(of: "joke"))
    let upstream = """
      { "summary": "Jokes", "baseURL": "\(url)",
        "secrets": { "Authorization": "Bearer {UNDERSTUDY_JOKE_KEY}" } }
      """
    let run = try await call(
      line.replacing("URL", with: url), upstream: upstream, contract: contract,
      environment: environment)
    let asked = await server.journal()
    await server.close()
    return (run, asked)
  }

  @Test("only the live API gets secrets, and none of them is shown")
  func secrets() async throws {
    let environment = ["UNDERSTUDY_JOKE_KEY": "sesame-open"]
    for line in ["joke/one --base-url live", "joke/one --base-url URL"] {
      let (run, asked) = try await Self.live(line, environment: environment)
      #expect(asked.map { $0.request.headerValue("authorization") } == ["Bearer sesame-open"])
      #expect(asked.map { $0.request.headerValue("prefer") } == [nil])
      #expect(run.output.contains(#""setup": "[redacted]""#), "\(run.output)\(run.errors)")
      #expect(run.output.hasSuffix("\nmatches the schema of joke/one#ok\n"))
      #expect(run.code == .pass)
    }
    let (_, asked) = try await Self.live(
      "joke/one --base-url URL/other", environment: environment)
    #expect(asked.map { $0.request.headerValue("authorization") } == [nil])
  }

  @Test(
    "a value that a case gives takes the place of the secret",
    arguments: [("ok", "Bearer sesame-open"), ("expired", "Bearer invented-expired")])
  func caseBeforeSecret(name: String, sent: String) async throws {
    let contract = """
      { "request": { "method": "GET", "path": "/jokes/1", "parameters": {
          "header.authorization": { "matches": "^Bearer ", "example": "Bearer invented" } } },
        "cases": {
          "ok": { "status": 200 },
          "expired": { "status": 401, "when": { "request": {
            "header.Authorization": { "matches": "expired$", "example": "Bearer invented-expired" } } } } } }
      """
    let (_, asked) = try await Self.live(
      "joke/one#\(name) --base-url live", contract: contract,
      environment: ["UNDERSTUDY_JOKE_KEY": "sesame-open"])
    #expect(asked.map { $0.request.headerValue("authorization") } == [sent])
  }

  @Test("a secret that is not set is an error before anything is sent")
  func missingSecret() async throws {
    let (run, asked) = try await Self.live("joke/one --base-url live")
    #expect(
      run.errors == """
        understudy: error: Contracts/joke/upstream.json: missing secret UNDERSTUDY_JOKE_KEY, which joke \
        needs
          fix: set UNDERSTUDY_JOKE_KEY in the environment of this command

        """)
    #expect(asked.isEmpty)
    #expect(run.code == .couldNotRun)
  }

  @Test("a status that no case has is a finding")
  func unknownStatus() async throws {
    let (run, _) = try await Self.live(
      "joke/one --base-url live", responding: 418,
      environment: ["UNDERSTUDY_JOKE_KEY": "sesame-open"])
    #expect(run.output.hasSuffix("\nno case of joke/one has status 418\n"))
    #expect(run.code == .findings)
  }

  @Test(
    "sends the contract's parameters, or others",
    arguments: [
      ("", "/jokes/1"), ("--parameter id=7", "/jokes/7"),
      ("--parameter path.id=a/b --parameter query.page=2", "/jokes/a%2Fb?page=2"),
      (" --parameter query.more=x", "/jokes/1?more=x"),
    ])
  func parameters(words: String, target: String) async throws {
    let run = try await Self.call("joke/one \(words)")
    #expect(run.output.hasPrefix("GET http://127.0.0.1:PORT/joke/v1\(target)\n"))
  }

  // MARK: - Usage

  @Test(
    "usage that makes no sense is an error",
    arguments: [
      (
        "joke/on",
        "found \"joke/on\" for CONTRACT, expected the name of a contract, such as joke/one\n"
          + "  fix: did you mean \"joke/one\"?\n"
      ),
      (
        "joke/one#rest",
        "unknown case \"rest\" in CONTRACT\n  fix: did you mean \"reset\"?\n"
      ),
      (
        "joke/one#expired",
        "joke/one#expired breaks the TLS handshake, so no request can get it\n"
          + "  fix: choose it with \"understudy use\", and call that server without naming the case\n"
      ),
      (
        "joke/one --parameter id",
        "found \"id\" for --parameter, expected NAME=VALUE\n"
      ),
      (
        "joke/one --parameter ids=1",
        "unknown parameter \"ids\" in --parameter\n  fix: known: path.id, query.page, header.page\n"
      ),
      (
        "joke/one --parameter page=1",
        "\"page\" in --parameter could be query.page or header.page\n"
          + "  fix: write query.page=VALUE\n"
      ),
      (
        "joke/one --parameter id=1 --parameter path.id=2",
        "--parameter path.id is given twice, as \"1\" and \"2\"\n  fix: keep one of them\n"
      ),
      (
        "joke/one --base-url jokes",
        "found \"jokes\" for --base-url, expected an address such as http://127.0.0.1:8080/joke, or"
          + " live\n"
      ),
      (
        "joke/one --timeout 5",
        "found \"5\" for --timeout, expected a time above 0 and up to 277777h with its unit, such as"
          + " 500ms or 30s\n"
      ),
      (
        "joke/one --format yaml",
        "found \"yaml\" for --format, expected text or json\n"
      ),
    ])
  func usage(line: String, message: String) async throws {
    let run = try await Self.call(line)
    #expect(TextDiff.unified("understudy: error: \(message)", run.errors) == "")
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  @Test("an upstream without a live API can only be faked")
  func noLive() async throws {
    let run = try await Self.call(
      "joke/one --base-url live", upstream: #"{ "summary": "Jokes" }"#,
      contract: Self.contract.replacing(#", "live": {}"#, with: ""))
    #expect(
      run.errors.hasSuffix(
        """
        joke has no live API: no "baseURL"
          fix: leave out --base-url to call a fake, or give the address of a server

        """), "\(run.errors)")
    #expect(run.code == .couldNotRun)
  }
}
