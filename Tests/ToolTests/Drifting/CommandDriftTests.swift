import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyTestSupport

@testable import UnderstudyTool

/// Commands of consumers.json and live responses: `understudy reads` and `understudy drift`, by the
/// real binary.
@Suite(.enabled(if: ProcessRun.find("python3") != nil, "python3 is not installed"))
struct CommandDriftTests {
  private static let files = [
    "Contracts/consumers.json": """
    { "joke-cli": { "upstreams": ["jokes"], "command": ["python3", "joke.py"] } }
    """,
    "Contracts/jokes/upstream.json": """
    { "summary": "Jokes", "baseURL": "https://jokes.example" }
    """,
    "Contracts/jokes/all.json": #"""
    {
      "summary": "All jokes",
      "request": { "method": "GET", "path": "/all" },
      "cases": {
        "ok": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "total": 2, "source": "us", "jokes": [
            { "id": 1, "setup": "Why?", "tags": ["old"] },
            { "id": 2, "setup": "How?", "tags": [] } ] },
          "live": {},
          "expect": { "joke-cli": { "exitCode": 0, "stdout": "Why?\nHow?\n" } }
        },
        "gone": { "status": 410, "expect": { "joke-cli": { "exitCode": 3 } } }
      }
    }
    """#,
    "joke.py": """
    import json, os, sys, urllib.error, urllib.request
    with open("addresses.txt", "a") as file:
        print(os.environ["UNDERSTUDY_URL_JOKES"], file=file)
    try:
        with urllib.request.urlopen(os.environ["UNDERSTUDY_URL_JOKES"] + "/all") as response:
            jokes = json.load(response)
            with open("links.txt", "a") as file:
                print(jokes.get("next", "-"), response.headers.get("Link", "-"), file=file)
            for joke in jokes["jokes"]:
                print(joke["setup"])
    except urllib.error.HTTPError:
        sys.exit(3)
    """,
  ]

  private static func run(
    _ words: [String], in samples: SampleContracts
  ) async throws -> ProcessRun {
    try await offPool { try ProcessRun(Checkout.tool.path, words, directory: samples.folder) }
  }

  private static func drift(
    _ body: String, in samples: SampleContracts, _ words: [String] = []
  ) async throws -> ProcessRun {
    let api = try ScriptedUpstream { _ in
      ScriptedUpstream.Message(
        status: 200,
        [["Content-Type", "application/json"], ["Content-Length", "\(body.utf8.count)"]],
        body: body)
    }
    return try await run(
      ["drift", "--base-url", "jokes=\(api.url)", "--confirm", "0s"] + words, in: samples)
  }

  @Test("learns what a command reads, and keeps it until the contract changes")
  func reads() async throws {
    let samples = try SampleContracts(only: Self.files)
    let before = try await Self.run(["reads"], in: samples)
    #expect(
      before.output == "jokes/all#ok, joke-cli\n  unknown: run \"understudy reads --learn\"\n")
    let learned = "jokes/all#ok, joke-cli\n  /jokes\n  /jokes/*\n  /jokes/*/setup\n"
    let run = try await Self.run(["reads", "--learn"], in: samples)
    #expect(run.output == learned, "\(run.errors)")
    #expect(run.code == 0)
    #expect(try await Self.run(["reads"], in: samples).output == learned)
    let contract = try samples.read("Contracts/jokes/all.json")
    try samples.write("Contracts/jokes/all.json", contract.replacing("All jokes", with: "Jokes"))
    #expect(try await Self.run(["reads"], in: samples).output == before.output)
  }

  @Test(
    "a command reads the live response from a local fake, and what it reads decides the severity")
  func drift() async throws {
    let samples = try SampleContracts(only: Self.files)
    let same = #"""
      {"total": 2, "source": "us", "jokes": [{"id": 1, "setup": "Who?", "tags": ["old"]}]}
      """#
    let unchanged = try await Self.drift(same, in: samples)
    #expect(unchanged.code == 0, "\(unchanged.output)\(unchanged.errors)")

    let lessRead = same.replacing("\"source\": \"us\", ", with: "")
    let warned = try await Self.drift(lessRead, in: samples)
    #expect(warned.output.contains("warning: missing \"source\""), "\(warned.output)")
    _ = try await Self.run(["reads", "--learn"], in: samples)
    let known = try await Self.drift(lessRead, in: samples)
    #expect(known.output.contains("note: missing \"source\""), "\(known.output)")
    #expect(known.code == 0)

    let broken = try await Self.drift(same.replacing("setup", with: "text"), in: samples)
    #expect(broken.output.contains("[consumer-broken]"), "\(broken.output)")
    #expect(broken.output.contains("the command exited with 1, expected exit code 0"))
    #expect(broken.output.contains("error: missing \"setup\""), "\(broken.output)")
    #expect(broken.code == 1)
    let addresses = try samples.read("addresses.txt").split(separator: "\n")
    #expect(!addresses.isEmpty && addresses.allSatisfy { $0.contains("/~") })
  }

  @Test(
    "a command that does not get the response proves nothing about it",
    arguments: [
      (
        #"["pythonn", "joke.py"]"#,
        #"cannot run joke-cli: no program "pythonn" on the PATH; install it, or correct "command" in consumers.json"#
      ),
      (
        #"["sh", "-c", "echo 'no python' >&2; exit 127"]"#,
        #"the command exited with 127 before it requested the case: "no python"; run "understudy test", or correct "command" in consumers.json"#
      ),
      (
        #"["sh", "-c", "echo Why?; echo How?"]"#,
        #"the command exited with 0 before it requested the case; run "understudy test", or correct "command" in consumers.json"#
      ),
    ])
  func withoutResponse(command: String, reason: String) async throws {
    let consumers = #"{ "joke-cli": { "upstreams": ["jokes"], "command": \#(command) } }"#
    let samples = try SampleContracts(
      only: Self.files.merging(["Contracts/consumers.json": consumers]) { $1 })
    let body = #"{"total": 2, "source": "us", "jokes": [{"id": 1, "setup": "Who?", "tags": []}]}"#
    let run = try await Self.drift(body, in: samples)
    #expect(run.output.contains("  jokes/all#ok, joke-cli: \(reason)\n"), "\(run.output)")
    #expect(run.code == 3)
  }

  @Test("links to the live API lead to the local fake, and headers it has dropped are gone")
  func links() async throws {
    let contract = Self.files["Contracts/jokes/all.json"] ?? ""
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/jokes/all.json": contract.replacing(
          #""Content-Type": "application/json" }"#,
          with: #""Content-Type": "application/json", "Link": "<x>" }"#)
      ]) { $1 })
    let body = #"{"next": "https://jokes.example/all?page={2}", "jokes": []}"#
    _ = try await Self.drift(body, in: samples)
    let link = try #require(samples.read("links.txt").split(separator: "\n").first)
    #expect(
      link.contains(/^http:\/\/127\.0\.0\.1:\d+\/~joke-cli\/jokes\/all\?page=\{2\} -$/), "\(link)")
  }

  @Test("a command that has changed is learned anew before drift checks by what it read")
  func renewed() async throws {
    let samples = try SampleContracts(only: Self.files)
    _ = try await Self.run(["reads", "--learn"], in: samples)
    let lessRead = #"{"total": 2, "jokes": [{"id": 1, "setup": "Who?", "tags": ["old"]}]}"#
    let before = try await Self.drift(lessRead, in: samples)
    #expect(before.output.contains("note: missing \"source\""), "\(before.output)")
    #expect(!before.errors.contains("learned anew"))

    let script = (Self.files["joke.py"] ?? "").replacing(
      "joke[\"setup\"]", with: "joke[\"setup\"], end=\"\\n\" if jokes.get(\"source\") else \"!\\n\""
    )
    try samples.write("joke.py", script)
    #expect(try await Self.run(["reads"], in: samples).output.contains("unknown: run"))
    let shown = try await Self.drift(lessRead, in: samples, ["--update", "--dry-run"])
    #expect(!shown.errors.contains("learned anew"))
    #expect(try !samples.read(".understudy/reads.json").contains("\"/source\""))
    let after = try await Self.drift(lessRead, in: samples)
    #expect(
      after.errors.contains(
        "learned anew what commands read in 1 case, as the commands or the contracts have changed\n"
      ))
    #expect(after.output.contains("missing \"source\", which the example has, read by joke-cli"))
    #expect(try samples.read(".understudy/reads.json").contains("\"/source\""))
    #expect(try await Self.drift(lessRead, in: samples).errors.contains("learned anew") == false)
  }

  @Test("what consumers.json lists as sources belongs to the command")
  func sources() async throws {
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/consumers.json": """
        { "joke-cli": {
            "upstreams": ["jokes"], "command": ["python3", "joke.py"], "sources": ["lib"] } }
        """,
        "lib/deep/a.py": "a = 1\n", "lib/.cache": "x",
      ]) { $1 })
    let learned = try await Self.run(["reads", "--learn"], in: samples).output
    #expect(!learned.contains("unknown"))
    try samples.write("lib/.cache", "y")
    #expect(try await Self.run(["reads"], in: samples).output == learned)
    try samples.write("lib/deep/a.py", "a = 2\n")
    #expect(try await Self.run(["reads"], in: samples).output.contains("unknown"))
    let consumers = try samples.read("Contracts/consumers.json")
    try samples.write("Contracts/consumers.json", consumers.replacing("\"lib\"", with: "\"src\""))
    let missing = try await Self.run(["reads"], in: samples)
    #expect(
      missing.errors.contains("/src, which \"sources\" of joke-cli in consumers.json names\n"),
      "\(missing.errors)")
    #expect(missing.code == 2)
  }

  @Test(
    "a command that prints nothing has unknown reads, and readers that are unknown can be learned")
  func silent() async throws {
    let contract = Self.files["Contracts/jokes/all.json"] ?? ""
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/jokes/all.json": contract.replacing(#", "stdout": "Why?\nHow?\n""#, with: ""),
        "joke.py": (Self.files["joke.py"] ?? "").replacing("print(joke[\"setup\"])", with: "joke"),
      ]) { $1 })
    let run = try await Self.run(["reads", "--learn"], in: samples)
    #expect(run.errors.contains("not learned: it prints nothing, so what it reads does not show"))
    #expect(
      run.output == """
        jokes/all#ok, joke-cli
          unknown: it prints nothing, so what it reads does not show

        """)
    #expect(run.code == 3)
    let drift = try await Self.drift(#"{"total": 2, "jokes": []}"#, in: samples)
    #expect(drift.output.contains("warning: missing \"source\""), "\(drift.output)")
    #expect(
      drift.output.contains(
        "fix: run `understudy reads --learn`, which finds out what joke-cli reads\n"))
  }

  @Test("members of a map are learned as one")
  func map() async throws {
    let contract = (Self.files["Contracts/jokes/all.json"] ?? "")
      .replacing(
        #""source": "us","#,
        with: #""rates": { "a": { "x": 1, "y": 1 }, "b": { "x": 2, "y": 2 } },"#
      )
      .replacing(
        #""live": {},"#,
        with:
          #""live": {}, "schema": { "properties": { "rates": { "additionalProperties": {} } } },"#
      )
      .replacing(#", "stdout": "Why?\nHow?\n""#, with: "")
    let script = (Self.files["joke.py"] ?? "").replacing(
      "print(joke[\"setup\"])", with: "print(jokes.get(\"rates\", {}).get(\"a\", {}).get(\"x\"))")
    let samples = try SampleContracts(
      only: Self.files.merging(["Contracts/jokes/all.json": contract, "joke.py": script]) { $1 })
    let run = try await Self.run(["reads", "--learn"], in: samples)
    #expect(
      run.output == """
        jokes/all#ok, joke-cli
          /rates
          /jokes
          /rates/*
          /jokes/*
          /rates/*/x

        """, "\(run.errors)")
  }

  @Test("output that differs from run to run shows nothing")
  func unsteady() async throws {
    let contract = Self.files["Contracts/jokes/all.json"] ?? ""
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/jokes/all.json": contract.replacing(#", "stdout": "Why?\nHow?\n""#, with: ""),
        "joke.py": (Self.files["joke.py"] ?? "") + "\nimport time\nprint(time.time_ns())\n",
      ]) { $1 })
    let run = try await Self.run(["reads", "--learn"], in: samples)
    #expect(run.errors.contains("not learned: it prints something else for the same response"))
    #expect(run.code == 3)
  }

  @Test(
    "what cannot be learned is reported",
    arguments: [
      ("import sys; sys.exit(9)", "the original response does not give the expected exit code"),
      ("import time; print(time.time_ns())", "the original response does not give the expected"),
    ])
  func unlearned(script: String, reason: String) async throws {
    let samples = try SampleContracts(only: Self.files.merging(["joke.py": script]) { $1 })
    let run = try await Self.run(["reads", "--learn"], in: samples)
    #expect(run.errors.contains("jokes/all#ok, joke-cli: not learned: \(reason)"), "\(run.errors)")
    #expect(run.code == 3)
  }

  @Test("a broken file of reads is an error with its place")
  func brokenFile() async throws {
    let samples = try SampleContracts(
      only: Self.files.merging([".understudy/reads.json": "{"]) { $1 })
    let run = try await Self.run(["reads"], in: samples)
    #expect(run.errors.hasPrefix("understudy: error: .understudy/reads.json:1:2: "))
    #expect(run.errors.contains("fix: remove the file"))
    #expect(run.code == 2)
  }

  @Test("where no command reads JSON it says so")
  func nothing() async throws {
    let samples = try SampleContracts()
    let run = try await Self.run(["reads"], in: samples)
    #expect(run.errors.contains("no command that a case with a good JSON response expects"))
    #expect(run.code == 2)
  }
}
