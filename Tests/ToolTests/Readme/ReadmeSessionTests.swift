import Foundation
import Testing
import UnderstudyCore
import UnderstudyDrafting

@testable import UnderstudyTool

/// A page of ours, and what stands in it between fences.
struct DocumentationPage {
  let text: String

  init(_ path: String) throws {
    text = try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
  }

  func blocks(of language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```\n")[0] }
  }
}

/// Runs what the pages show in a shell, as printed: but for ports, and for times and sizes, which
/// differ from one machine to the next.
@Suite(.serialized) struct ReadmeSessionTests {
  private static func page() throws -> DocumentationPage { try DocumentationPage("README.md") }

  private static func session(beginning start: String) throws -> String {
    try #require(page().blocks(of: "sh").first { $0.hasPrefix(start) })
  }

  private static func withoutFigures(_ text: String) -> String {
    text.replacing(/:\d{4,5}\b/, with: ":PORT")
      .replacing(/[ ]+\d+(\.\d+)? B\b/, with: " N B")
      .replacing(/[ ]+\d+(\.\d+)? m?s\b/, with: " N s")
      .replacing(/[ ]{2,}/, with: "  ")
  }

  /// What a terminal shows of these commands, each after its prompt.
  private static func terminal(
    _ session: String, port: UInt16, in folder: URL
  ) async throws -> String {
    var shown = ""
    for line in session.split(separator: "\n") where line.hasPrefix("$ ") {
      let command = String(line.dropFirst(2)).replacing(":8080", with: ":\(port)")
      let run = try await shell("\(command) 2>&1", port: port, in: folder)
      shown += "\(line)\n\(run.output)"
    }
    return shown
  }

  private static func shell(
    _ script: String, port: UInt16 = 0, in folder: URL
  ) async throws -> ProcessRun {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let variables = [
      "PATH": "\(Checkout.products.path):\(path)", "UNDERSTUDY_URL": "http://127.0.0.1:\(port)",
    ]
    return try await offPool {
      try ProcessRun(
        "/bin/bash", ["--norc", "-c", script], directory: folder, environment: variables)
    }
  }

  @Test("a fake of the first contract prints what the README shows")
  func serve() throws {
    let files = try Self.page().blocks(of: "json")
    let contract = "Contracts/jokes/random.json"
    let samples = try SampleContracts(only: [
      "Contracts/consumers.json": files[0], "Contracts/jokes/upstream.json": files[1],
      contract: files[2],
    ])
    let server = try RunningServer([], in: samples.folder)
    var lines = ["$ understudy serve", server.firstLine] + server.lines(through: \.isEmpty)
    for name in ["ok", "not-found", "slow", "reset"] {
      _ = try server.answer("GET /jokes/random_joke", "Prefer: example=\(name)")
      lines += server.lines { $0.contains("#\(name)") }
    }
    _ = try server.answer("GET /jokes/randm")
    lines += server.lines { $0.contains("path segment 1") }
    try samples.write(contract, files[2].replacing("A joke at random", with: "A joke"))
    lines += server.lines { $0.hasPrefix("reloaded") }
    server.interrupt()
    let shown = lines.map { "\($0)\n" }.joined() + server.end().output
    let session = try Self.session(beginning: "$ understudy serve\n").replacing("^C", with: "")
    #expect(
      TextDiff.unified(Self.withoutFigures(session), Self.withoutFigures(shown)) == "")
  }

  @Test("the tool leaves our services to the showcase, as the README shows")
  func left() async throws {
    let shipped = try ShippedContracts()
    let session = try Self.session(beginning: "$ understudy test")
    let shown = try await Self.terminal(session, port: 0, in: shipped.folder)
    #expect(TextDiff.unified(session, shown) == "")
  }

  @Test("a service that is held against another number is found out as the README shows")
  func suite() async throws {
    let shipped = try ShippedContracts()
    let contract = "Contracts/joke/random-joke.json"
    let expected = "\"value\": {\n            \"id\": 236"
    try #require(try shipped.read(contract).contains(expected))
    try shipped.edit(contract, expected, expected.replacing("236", with: "237"))
    let session = try Self.session(beginning: "$ showcase test joke")
    let shown = try await Self.terminal(session, port: 0, in: shipped.folder)
    #expect(TextDiff.unified(Self.withoutFigures(session), Self.withoutFigures(shown)) == "")
  }

  @Test("an API that has changed is told, and taken over, as the README shows")
  func drift() async throws {
    let live = try SampleContracts(only: [
      "Contracts/joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "Contracts/joke/random.json": #"""
      { "request": { "method": "GET", "path": "/random_joke" },
        "cases": { "ok": { "status": 200,
          "headers": { "Access-Control-Allow-Origin": "*", "ETag": "\"1\"",
            "Content-Type": "application/json; charset=utf-8" },
          "body": { "type": "general", "setup": "?", "punchline": null, "id": 1, "rank": 3 } } } }
      """#,
    ])
    let server = try RunningServer([], in: live.folder)
    let shipped = try ShippedContracts()
    let options = "--base-url joke=http://127.0.0.1:\(server.port)/joke --confirm 0s"
    let session = try Self.session(beginning: "$ showcase drift joke/random-joke\n")
    let run = try await Self.shell(
      "showcase drift joke/random-joke \(options)", in: shipped.folder)
    let shown = "$ showcase drift joke/random-joke\n\(run.output)"
    let isPlace = #/\(1:\d+: /#
    #expect(
      TextDiff.unified(
        Self.withoutFigures(session).replacing(isPlace, with: "("),
        Self.withoutFigures(shown).replacing(isPlace, with: "(")) == "")
    let patch = try await Self.shell(
      "showcase drift joke/random-joke \(options) --update --dry-run", in: shipped.folder)
    let diff = try #require(Self.page().blocks(of: "diff").first)
    #expect(patch.output.contains(diff), "\(patch.output)")
  }

  @Test("three machines and their merger run as the README shows them")
  func shards() async throws {
    let shipped = try ShippedContracts()
    let block = try Self.session(beginning: "understudy test --shard 1/3")
    let lines = block.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    for index in 1...3 {
      let line = lines[0].replacing("understudy", with: "showcase")
        .replacing("1/3", with: "\(index)/3").replacing("1.json", with: "\(index).json")
      let run = try await Self.shell(line, in: shipped.folder)
      #expect(run.code == 0, "\(run.output)\(run.errors)")
    }
    let run = try await Self.shell(lines[1], in: shipped.folder)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  @Test("completions are loaded as the README shows it")
  func completions() async throws {
    let line = try Self.session(beginning: "source <(")
    let run = try await Self.shell("\(line)complete -p understudy", in: Checkout.root)
    #expect(run.errors == "")
    #expect(run.output == "complete -F _understudy understudy\n")
  }

  @Test(
    "requests to the admin API are answered as its page has them",
    .enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
  func admin() async throws {
    let shipped = try ShippedContracts()
    let server = try RunningServer([], in: shipped.folder)
    let block = try #require(DocumentationPage("FakeServer/README.md").blocks(of: "sh").first)
    for line in block.split(separator: "\n") {
      let command = String(line).replacing("curl ", with: "curl -sS --fail-with-body ")
        .replacing(":8080", with: ":\(server.port)")
      let run = try await Self.shell(command, in: shipped.folder)
      #expect(run.errors == "")
      #expect(run.output.hasPrefix("{"), "\(run.output)")
      #expect(run.code == 0)
    }
    let answer = try server.answer("GET /joke/random_joke")
    #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
  }

  @Test(
    "what a shell is to be told is a shell's language, and names files that are there",
    arguments: ["README.md", "FakeServer/README.md", "ci/README.md", "CONTRIBUTING.md"])
  func isShell(path: String) async throws {
    for block in try DocumentationPage(path).blocks(of: "sh") where !block.hasPrefix("$ ") {
      let run = try await Self.shell("bash -n <<'END'\n\(block)END", in: Checkout.root)
      #expect(run.errors == "")
      for match in block.matches(of: /(?:^|[ \n])((?:ci|Contracts|Tests)\/[A-Za-z0-9\/._*-]+)/) {
        let found = try await Self.shell("compgen -G '\(match.1)'", in: Checkout.root)
        #expect(found.code == 0, "\(match.1)")
      }
    }
  }
}
