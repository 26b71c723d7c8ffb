import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The real binary beside real clients.
@Suite(.enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
struct RunCommandTests {
  static func run(
    _ words: [String], _ files: [String: String] = [:], environment: [String: String] = [:]
  ) throws -> ProcessRun {
    let samples = try SampleContracts(files)
    return try ProcessRun(
      Checkout.tool.path, ["run"] + words, directory: samples.folder, environment: environment)
  }

  private static let ask =
    #"ask() { curl -s "$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/$1"; }"#

  @Test("a command whose requests match contracts and that exits with 0 passes")
  func pass() throws {
    let run = try Self.run(
      ["--", "sh", "-c", "\(Self.ask); ask random; echo; env"],
      environment: [
        "UNDERSTUDY_CASE": "from outside", "NO_PROXY": "a.example,.b.example", "no_proxy": "",
        "GH_TOKEN": "for the user's own command",
      ])
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(lines.first == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    let names = ["GH_TOKEN", "NO_PROXY", "UNDERSTUDY_CASE", "UNDERSTUDY_CONTRACTS", "no_proxy"]
    let ours = lines.filter { line in
      line.hasPrefix("UNDERSTUDY_URL") || names.contains { line.hasPrefix("\($0)=") }
    }
    .map { $0.replacing(/:\d{2,}/, with: ":PORT") }
    #expect(
      ours.sorted() == [
        "GH_TOKEN=for the user's own command",
        "NO_PROXY=a.example,.b.example,localhost,127.0.0.1,::1",
        "UNDERSTUDY_URL=http://127.0.0.1:PORT",
        "UNDERSTUDY_URL_DOG_CEO=http://127.0.0.1:PORT/dog-ceo/api",
        "no_proxy=a.example,.b.example,localhost,127.0.0.1,::1",
      ])
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  @Test("with --cors, the page of a browser may ask what it wants")
  func cors() throws {
    let script = """
      curl -si -X OPTIONS -H 'Origin: https://a.example' -H 'Access-Control-Request-Method: GET' \
        -H 'Access-Control-Request-Headers: content-type' \
        "$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random"
      ask random
      """
    let run = try Self.run(["--cors", "--", "sh", "-c", "\(Self.ask)\n\(script)"])
    #expect(run.output.contains("Access-Control-Allow-Headers: content-type\r\n"), "\(run.output)")
    #expect(run.output.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
    #expect(run.errors == "no problems in 2 requests, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  struct Failing: CustomTestStringConvertible {
    let testDescription: String
    let options: [String]
    let script: String
    let result: String

    init(_ options: [String], _ script: String, _ result: String) {
      (self.options, self.script, self.result) = (options, script, result)
      testDescription = (options + [script]).joined(separator: " ")
    }
  }

  @Test(
    "what is wrong is reported as a finding",
    arguments: [
      Failing(
        [], "true",
        """
        the command sent no request to the fake
          fix: use the addresses in its environment: UNDERSTUDY_URL, or one for an upstream; \
        or let its clients heed HTTPS_PROXY, as aiohttp does with trust_env=True
        1 problem in 0 requests, 0 of 5 cases requested
        """),
      Failing(
        [], "ask randm > /dev/null; ask randm > /dev/null",
        """
        no contract for GET /dog-ceo/api/breed/hound/images/randm (2 times)
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            path segment 4: found "randm", expected "random"
        1 problem in 2 requests, 0 of 5 cases requested
        """),
      Failing(
        [],
        """
        ask random > /dev/null
        curl -s -X OPTIONS -H 'Origin: https://a.example' -H 'Access-Control-Request-Method: POST' \
          "$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random" > /dev/null
        """,
        """
        no contract for OPTIONS /dog-ceo/api/breed/hound/images/random, by which a browser asks \
        whether a page may send POST: allow it with --cors
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            method: found OPTIONS, expected GET
        1 problem in 2 requests, 1 of 5 cases requested
        """),
      Failing(
        ["--require", "*#ok", "--require", "dog-ceo/random-*#not-found"], "ask random > /dev/null",
        """
        never requested dog-ceo/random-images#not-found
        1 problem in 1 request, 1 of 5 cases requested
        """),
      Failing(
        [], "ask random > /dev/null; exit 7",
        """
        the command exited with 7
        1 problem in 1 request, 1 of 5 cases requested
        """),
      Failing(
        [], "ask random > /dev/null; kill -9 $$",
        """
        the command was ended by SIGKILL
        1 problem in 1 request, 1 of 5 cases requested
        """),
      Failing(
        [],
        "curl -s -H 'Prefer: example=none' $UNDERSTUDY_URL_DOG_CEO/breed/a/images/random >/dev/null",
        """
        refused: no case "none" in dog-ceo/random-images
        1 problem in 1 request, 0 of 5 cases requested
        """),
    ])
  func finding(_ failing: Failing) throws {
    let run = try Self.run(
      failing.options + ["--", "sh", "-c", "\(Self.ask)\n\(failing.script)"])
    #expect(run.errors == failing.result + "\n")
    #expect(run.output == "" && run.code == 1)
  }

  @Test("prints an object for programs, and what the command prints beside it")
  func json() throws {
    let script = "\(Self.ask); ask random; ask randm > /dev/null; exit 3"
    let run = try Self.run(
      ["--format", "json", "--require", "*#slow", "--", "sh", "-c", script])
    #expect(run.errors == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    #expect(
      run.output.replacing(script.jsonQuoted, with: "SCRIPT") == """
        {
          "command": [
            "sh",
            "-c",
            SCRIPT
          ],
          "problems": 3,
          "requests": 2,
          "passedThrough": 0,
          "interrupted": null,
          "runs": [
            {
              "case": null,
              "exitCode": 3,
              "signal": null,
              "requests": 2,
              "findings": [
                {
                  "message": "no contract for GET /dog-ceo/api/breed/hound/images/randm",
                  "fix": null,
                  "nearest": [
                    {
                      "contract": "dog-ceo/random-images",
                      "request": "GET /breed/{name}/images/random",
                      "differences": [
                        "path segment 4: found \\"randm\\", expected \\"random\\""
                      ]
                    }
                  ]
                },
                {
                  "message": "the command exited with 3",
                  "fix": null,
                  "nearest": null
                }
              ]
            }
          ],
          "skipped": [],
          "missing": [
            "dog-ceo/random-images#slow"
          ],
          "served": {
            "dog-ceo/random-images#ok": 1
          }
        }

        """)
    #expect(run.code == 1)
  }

  /// Runs a command that says when it is ready, and `act` then.
  private static func run(
    _ words: [String], ignoring signal: String? = nil,
    whenReady act: (Process, LineReader) throws -> Void
  ) throws -> ProcessRun {
    let samples = try SampleContracts()
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    let ignoring = signal.map { "trap '' \($0); " } ?? ""
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", #"\#(ignoring)exec "$0" "$@""#, Checkout.tool.path, "run"] + words
    process.currentDirectoryURL = samples.folder
    (process.standardOutput, process.standardError) = (output, errors)
    mkfifo(samples.folder.appendingPathComponent("go").path, 0o600)
    try process.run()
    try output.fileHandleForWriting.close()
    let lines = LineReader(output.fileHandleForReading.fileDescriptor, owner: output)
    #expect(lines.next() == "ready")
    try act(process, lines)
    #expect(lines.next() == nil)
    let result = errors.fileHandleForReading.readOn()
    process.waitUntilExit()
    return ProcessRun(
      code: process.terminationStatus, output: "", errors: String(decoding: result, as: UTF8.self))
  }

  @Test(
    "a signal is forwarded to the command, and the interrupted run does not pass",
    arguments: [
      (number: SIGINT, name: "INT"), (number: SIGTERM, name: "TERM"), (number: SIGHUP, name: "HUP"),
    ],
    [[], ["--timeout", "1h"]])
  func signal(signal: (number: Int32, name: String), options: [String]) throws {
    // A shell may say what has become of its sleep.
    let script = """
      exec 2> /dev/null; trap 'echo ended; exit 0' \(signal.name)
      echo ready; while :; do sleep 0.05; done
      """
    let run = try Self.run(options + ["--", "sh", "-c", script]) { process, lines in
      kill(process.processIdentifier, signal.number)
      #expect(lines.next() == "ended")
    }
    #expect(
      run.errors == """
        interrupted by SIG\(signal.name), so not everything was checked
        no problems in 0 requests, 0 of 5 cases requested

        """)
    #expect(run.code == 3)
  }

  @Test("a hangup that is ignored from the start stays ignored, also by the command")
  func nohup() throws {
    let script = """
      \(Self.ask)
      echo ready; read line < go; ask random > /dev/null
      """
    let run = try Self.run(["--", "sh", "-c", script], ignoring: "HUP") { process, _ in
      kill(process.processIdentifier, SIGHUP)
      let folder = try #require(process.currentDirectoryURL)
      try "go\n".write(
        to: folder.appendingPathComponent("go"), atomically: false, encoding: .utf8)
    }
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  @Test("tests choose cases for a session while the command runs, as the help says")
  func sessions() throws {
    let show = #"curl -s -o /dev/null -w '%{http_code} '"#
    let script = """
      curl -s -X PUT -d '{"case": "not-found"}' \\
        $UNDERSTUDY_URL/~worker-3/__understudy/contracts/dog-ceo/random-images/case > /dev/null
      \(Checkout.tool.path) use --session worker-4 dog-ceo/random-images=not-found > /dev/null
      for session in worker-3 worker-4 worker-5; do
        \(show) $UNDERSTUDY_URL/~$session/dog-ceo/api/breed/hound/images/random
      done
      curl -s -X POST $UNDERSTUDY_URL/~worker-3/__understudy/reset > /dev/null
      \(show) $UNDERSTUDY_URL/~worker-3/dog-ceo/api/breed/hound/images/random
      """
    let run = try Self.run(["--", "sh", "-c", script])
    #expect(run.output == "404 404 200 200 ")
    #expect(run.errors == "no problems in 4 requests, 2 of 5 cases requested\n")
  }

  @Test(
    "serves cases and scripts from the start, and draws by the seed",
    arguments: [
      (["--case", "dog-ceo/random-images=not-found"], "404 404 404 "),
      (["--script", "dog-ceo/random-images=once"], "404 200 200 "),
    ])
  func served(options: [String], statuses: String) throws {
    let ask =
      #"curl -s -o /dev/null -w '%{http_code} ' $UNDERSTUDY_URL_DOG_CEO/breed/a/images/random"#
    let script = "\(ask); \(ask); \(ask)"
    let contract = "Contracts/dog-ceo/random-images.json"
    let text = try SampleContracts().read(contract).replacing(
      #""cases": {"#, with: #""scripts": { "once": ["not-found", "ok"] }, "cases": {"#)
    let run = try Self.run(options + ["--", "sh", "-c", script], [contract: text])
    #expect(run.output == statuses)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test("random values depend on the seed")
  func seed() throws {
    let files = [
      "Contracts/dog-ceo/ids.json": #"""
      { "summary": "An id", "request": { "method": "GET", "path": "/id" },
        "cases": { "ok": { "status": 200, "text": "{uuid}", "template": ["body"] } } }
      """#
    ]
    let runs = try ["7", "7", "8"].map { seed in
      try Self.run(
        ["--seed", seed, "--", "sh", "-c", "curl -s $UNDERSTUDY_URL_DOG_CEO/id"], files
      ).output
    }
    #expect(runs[0].count == 36 && runs[0] == runs[1] && runs[1] != runs[2], "\(runs)")
  }
}

/// What keeps a command from being run, word for word.
@Suite struct RunErrorTests {
  @Test(
    "a mistake on the command line is an error with its fix",
    arguments: [
      (
        ["--", "no-such-program"],
        """
        cannot run no-such-program: no such file or directory
          fix: name a program on the PATH, or give its path: ./no-such-program
        """
      ),
      (
        ["--", "/no/such/program"],
        """
        cannot run /no/such/program: no such file or directory
          fix: name an existing program; a script's first line must name one, too
        """
      ),
      (
        ["--each-case", "dog-ceo/random-image", "--", "true"],
        """
        nothing matches "dog-ceo/random-image"
          fix: did you mean "dog-ceo/random-images"?
        """
      ),
      (
        ["--require", "*#teapot", "--", "true"],
        """
        nothing matches "*#teapot"
          fix: see "understudy list"
        """
      ),
      (
        ["--contracts", "Nowhere", "--", "true"],
        """
        no such file or folder: Nowhere
          fix: name a folder of contracts, one of its upstreams, or a contract file
        """
      ),
      (
        [],
        """
        missing COMMAND, expected a command and its arguments
          fix: write understudy run [OPTIONS] [SELECTION...] -- COMMAND...
        """
      ),
    ])
  func mistake(words: [String], message: String) throws {
    let run = try RunCommandTests.run(words)
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.output == "")
    #expect(run.code == 2)
  }

  @Test("contracts with errors are not served")
  func broken() throws {
    let run = try RunCommandTests.run(
      ["--", "true"],
      [
        "Contracts/dog-ceo/upstream.json":
          #"{ "summary": 1, "baseURL": "https://dog.ceo/api" }"#
      ])
    #expect(
      run.errors == """
        Contracts/dog-ceo/upstream.json:1:14: error: found number 1, expected string [wrong-type]
        understudy: error: 1 error in 3 files
          fix: correct what is listed above; "understudy lint" shows warnings too

        """)
    #expect(run.code == 2)
  }
}

extension String {
  /// As JSON writes it.
  fileprivate var jsonQuoted: String {
    let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped.replacing("\n", with: "\\n"))\""
  }
}
