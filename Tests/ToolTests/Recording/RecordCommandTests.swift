import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

@testable import UnderstudyTool

/// The built tool records a fake that stands for a live API.
@Suite struct RecordCommandTests {
  private static let live = [
    "api/upstream.json": #"{ "summary": "Live", "baseURL": "http://live" }"#,
    "api/users.json": #"""
    { "request": { "method": "GET", "path": "/users/{id}" },
      "cases": {
        "ok": { "status": 200, "headers": { "Content-Type": "application/json", "X-Trace": "{counter}" },
                "body": { "id": "{path.id as json}", "n": "{counter as json}" }, "template": ["headers", "body"] },
        "none": { "status": 404, "text": "nobody", "when": { "request": { "path.id": "0" } } },
        "own": { "status": 200, "body": { "id": 9 },
                 "when": { "request": { "header.X-Api-Key": "for-tests", "header.X-Kind": "small" } } }
      } }
    """#,
    "api/login.json": #"""
    { "request": { "method": "GET", "path": "/login" },
      "cases": { "ok": { "status": 200,
        "body": { "user": { "id": 1, "password": "hush" }, "tokens": ["hush", "hush"],
                  "db": "postgres://u:hush@h/db", "code": "E42" } } } }
    """#,
    "api/huge.json": """
    { "request": { "method": "GET", "path": "/huge" },
      "cases": { "ok": { "status": 200, "text": "\(String(repeating: "0123456789", count: 10_000))",
                         "malform": { "contentLength": 70000000 } } } }
    """,
  ]

  /// Runs `understudy record` in an empty folder; BASE is the live API's address, in the words and
  /// in what is printed.
  private func record(
    _ words: String..., in samples: SampleContracts? = nil,
    then check: (ProcessRun, SampleContracts) throws -> Void
  ) async throws {
    try await recordAll(words, in: samples, then: check)
  }

  private func recordAll(
    _ words: [String], in samples: SampleContracts? = nil,
    then check: (ProcessRun, SampleContracts) throws -> Void
  ) async throws {
    let samples = try samples ?? SampleContracts(only: ["note": ""])
    var configuration = ServerConfiguration()
    configuration.namesCases = false
    let server = try await FakeServer.start(
      ContractLibrary(reading: Self.live), configuration: configuration)
    let base = try #require(server.baseURL(of: "api"))
    let words = words.map { $0.replacing("BASE", with: base) }
    let folder = samples.folder
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["record"] + words, directory: folder)
    }
    let port = ":\(server.address.port)"
    await server.close()
    let shown = ProcessRun(
      code: run.code,
      output: run.output.replacing(base, with: "BASE").replacing(port, with: ":PORT"),
      errors: run.errors.replacing(base, with: "BASE").replacing(port, with: ":PORT"))
    try check(shown, samples)
  }

  @Test("shows what it would write, and writes nothing")
  func preview() async throws {
    try await record(
      "--dry-run", "--upstream", "users=BASE", "BASE/users/1", "BASE/users/2", "BASE/users/0"
    ) { run, samples in
      #expect(
        TextDiff.unified(
          """
          users  BASE
            users/users-id  GET /users/{id}
              guessed {id} from 1, 2, 0
              ok         200
              ok-2       200
              not-found  404
              left out, since their values change: X-Trace
              differs from one response to the next: /n
          would write Contracts/users/upstream.json
          would write Contracts/users/users-id.json
          dry run: nothing was written; use --path if a path was guessed wrong

          """, run.output) == "")
      #expect(run.errors == "")
      #expect(run.code == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: samples.folder.path)
      #expect(names == ["note"])
    }
  }

  @Test("says what it has masked in a body")
  func masked() async throws {
    try await record("--upstream", "users=BASE", "BASE/login") { run, samples in
      #expect(
        run.output == """
          users  BASE
            users/login  GET /login
              ok  200
              masked, since they are secret: /user/password, /tokens/*, /db
          wrote Contracts/users/upstream.json
          wrote Contracts/users/login.json

          """)
      #expect(run.errors == "")
      #expect(run.code == 0)
      let text = try samples.read("Contracts/users/login.json")
      #expect(text.contains("postgres://[redacted]@h/db"))
      #expect(!text.contains("hush"))
    }
  }

  @Test("prints the same as one object for programs")
  func json() async throws {
    try await record(
      "--dry-run", "--format", "json", "--upstream", "users=BASE", "BASE/login", "BASE/huge"
    ) { run, samples in
      #expect(
        TextDiff.unified(
          """
          {
            "written": false,
            "upstreams": [
              {
                "upstream": "users",
                "baseURL": "BASE",
                "contracts": [
                  {
                    "contract": "users/login",
                    "method": "GET",
                    "path": "/login",
                    "fate": "new",
                    "guesses": [],
                    "cases": [
                      {
                        "case": "ok",
                        "status": 200
                      }
                    ],
                    "scripts": [],
                    "leftOut": {
                      "volatileHeaders": [],
                      "secretHeaders": [],
                      "secretParameters": []
                    },
                    "differs": [],
                    "masked": [
                      "/user/password",
                      "/tokens/*",
                      "/db"
                    ],
                    "notLive": []
                  }
                ],
                "notRecorded": [],
                "findings": [],
                "refusals": []
              }
            ],
            "files": [
              {
                "file": "Contracts/users/upstream.json",
                "change": "write"
              },
              {
                "file": "Contracts/users/login.json",
                "change": "write"
              }
            ],
            "withoutResponse": [
              {
                "message": "no response from BASE/huge: the response is too large: the body has more than 67108864 bytes (curl 23)",
                "fix": "record something smaller: the limit for a contract is 64 MiB"
              }
            ],
            "problems": []
          }

          """, run.output) == "")
      #expect(run.errors == "")
      #expect(run.code == 3)
      let names = try FileManager.default.contentsOfDirectory(atPath: samples.folder.path)
      #expect(names == ["note"])
    }
  }

  @Test("writes contracts that lint clean, and adds to them later")
  func write() async throws {
    let samples = try SampleContracts(only: ["note": ""])
    try await record("--upstream", "users=BASE", "BASE/users/1", in: samples) { run, _ in
      #expect(
        run.output.hasSuffix(
          "wrote Contracts/users/upstream.json\nwrote Contracts/users/users-id.json\n"))
      #expect(run.errors == "")
      #expect(run.code == 0)
    }
    let lint = samples.run(["lint"])
    #expect(lint.output == "2 files, 1 upstream, 1 contract, 4 cases: no problems\n")
    // A second upstream of one base URL would make both ambiguous.
    try samples.write(
      "Contracts/users/upstream.json", #"{ "summary": "Users", "baseURL": "http://127.0.0.1:9" }"#)
    let folder = samples.folder.appendingPathComponent("Contracts").path
    let again = CommandLineRun(words: [
      "record", "--contracts", folder, "--upstream", "others", "http://127.0.0.1:9/users/1",
    ])
    #expect(
      again.errors == """
        understudy: error: others would have the same base URL as users: http://127.0.0.1:9
          fix: record into users: understudy record --upstream users URL

        """)
    #expect(again.code == .couldNotRun)
  }

  @Test("sends secrets and writes none, but keeps other headers")
  func headers() async throws {
    try await record(
      "--upstream", "users=BASE", "--header", "X-Api-Key: for-tests", "--header",
      "X-Kind: small", "BASE/users/1"
    ) { run, samples in
      #expect(run.errors == "")
      let text = try samples.read("Contracts/users/users-id.json")
      #expect(text.contains(#""body": { "id": 9 }"#))
      #expect(text.contains(#""header.X-Kind": { "optional": true, "example": "small" }"#))
      #expect(!text.contains("for-tests") && !text.contains("X-Api-Key"))
    }
  }

  @Test("sends what upstream.json says, its secrets from the environment")
  func upstream() async throws {
    let samples = try SampleContracts(only: [
      "Contracts/users/upstream.json": #"""
      { "summary": "Users", "headers": { "X-Kind": "small" },
        "secrets": { "X-Api-Key": "{UNDERSTUDY_USERS_KEY}" } }
      """#,
      "Contracts/users/other.json": #"""
      { "request": { "method": "GET", "path": "/other" }, "cases": { "ok": { "status": 200 } } }
      """#,
    ])
    try await record("--upstream", "users", "BASE/users/1", in: samples) { run, _ in
      #expect(
        run.errors
          == "understudy: error: UNDERSTUDY_USERS_KEY is not set, but X-Api-Key needs it\n"
          + "  fix: set it, or send the header with --header\n")
      #expect(run.code == 2)
    }
  }

  @Test(
    "reports mistakes before anything is requested",
    arguments: [
      (
        ["nope"],
        "found \"nope\" for URL, expected an address such as https://api.example.com/users/1"
      ),
      (
        ["api.example.com/a"],
        "found \"api.example.com/a\" for URL, expected an address such as https://api.example.com/users/1\n  fix: write \"https://api.example.com/a\""
      ),
      (
        [],
        "nothing to record\n  fix: name a URL, or a command after --: understudy record -- pytest"
      ),
      (
        ["BASE/users/1", "--path", "/people/{id}"],
        "--path /people/{id} matches no URL\n  fix: write the path after the base URL, with a parameter for each whole segment"
      ),
      (
        ["BASE/users/1", "--path", "people"],
        "found \"people\" for --path, expected a path of a contract, such as '/users/{name}'\n  fix: write \"/people\""
      ),
      (
        ["BASE/users/1", "--upstream", "My API"],
        "found \"My API\" for --upstream, expected a name of lower-case letters, digits and dashes, or NAME=URL"
      ),
      (
        ["http://user:secret@127.0.0.1:1/x"],
        "found \"http://[redacted]@127.0.0.1:1/x\" for URL, expected an address such as https://api.example.com/users/1\n  fix: leave out the user and password, and send them with --header 'Authorization: ...'"
      ),
      (
        ["ftp://127.0.0.1/x"],
        "found \"ftp://127.0.0.1/x\" for URL, expected an address such as https://api.example.com/users/1\n  fix: begin it with https:// or http://"
      ),
      (
        ["BASE/users/1", "--path", "BASE/users/{id}"],
        "found \"BASE/users/{id}\" for --path, expected a path of a contract, such as '/users/{name}'\n  fix: write only the path, such as \"/api/users/{id}\""
      ),
      (
        ["http://127.0.0.1:1/x", "--upstream", "users=BASE"],
        "http://127.0.0.1:1/x is not below the base URL of users, BASE\n  fix: choose another name with --upstream"
      ),
      (
        ["BASE/users/1", "http://127.0.0.1:1/x", "--upstream", "users"],
        "http://127.0.0.1:1/x is not below the base URL of users, http://127.0.0.1:PORT\n  fix: choose another name with --upstream"
      ),
      (
        ["BASE/users/1", "--contracts", "note"],
        "note is not a folder\n  fix: name a folder of contracts with --contracts"
      ),
      (
        ["BASE/users/1", "--upstream", "dog-ceo=BASE"],
        "dog-ceo already exists with the base URL https://dog.ceo/api, not BASE\n  fix: choose another name with --upstream"
      ),
      (
        ["BASE/users/1", "--contracts", "Contracts/dog-ceo"],
        "found an upstream in Contracts/dog-ceo, expected the folder of contracts around it\n  fix: name that with --contracts, and the upstream with --upstream"
      ),
    ])
  func usage(words: [String], message: String) async throws {
    let samples = try SampleContracts(["note": ""])
    try await recordAll(words, in: samples) { run, _ in
      #expect(run.errors == "understudy: error: \(message)\n")
      #expect(run.output == "")
      #expect(run.code == 2)
    }
  }

  @Test(
    "says why there is no response",
    arguments: [
      (
        "http://no-such-host.invalid/x?token=hidden",
        "http://no-such-host.invalid/x?token=[redacted]: cannot resolve the host"
      ),
      (
        "http://127.0.0.1:1/x",
        "http://127.0.0.1:1/x: cannot connect: Couldn't connect to server (curl 7)\n  fix: start the server that should listen there, or correct the URL\n"
      ),
      ("BASE/huge", "BASE/huge: the response is too large"),
    ])
  func noResponse(url: String, message: String) async throws {
    try await record("--upstream", "x", url) { run, _ in
      #expect(run.errors.hasPrefix("understudy: error: no response from \(message)"))
      #expect(!run.errors.contains("hidden"))
      #expect(run.output == "")
      #expect(run.code == 3)
    }
  }

  @Test("a folder that cannot be written is reported")
  func unwritable() async throws {
    try await record("--contracts", "note/Contracts", "--upstream", "x=BASE", "BASE/users/1") {
      run, _ in
      #expect(
        run.errors
          == "understudy: error: cannot write note/Contracts/x/upstream.json: not a directory\n")
      #expect(run.code == 2)
    }
  }
}
