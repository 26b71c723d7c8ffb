import Foundation
import Testing

@testable import UnderstudyTool

/// A folder of an upstream that is copied from another project, without what its cases name there:
/// the consumers, and other upstreams.
@Suite(.enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
struct CopiedUpstreamTests {
  private static let files = [
    "Contracts/consumers.json": """
    { "own": { "upstreams": ["else"], "command": ["true"] } }
    """,
    "Contracts/joke/upstream.json": #"{ "baseURL": "https://jokes.example/v1" }"#,
    "Contracts/joke/random.json": """
    {
      "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": {
          "status": 200, "body": { "setup": "Why?" },
          "expect": {
            "jokes.random": { "value": { "setup": "Why?" }, "with": { "news/top": "ok" } } } } }
    }
    """,
  ]

  private static func run(_ words: [String]) async throws -> ProcessRun {
    let samples = try SampleContracts(only: files)
    return try await offPool {
      try ProcessRun(Checkout.tool.path, words, directory: samples.folder)
    }
  }

  @Test(
    "is served and shown",
    arguments: [
      ["run", "--", "sh", "-c", "curl -s $UNDERSTUDY_URL_JOKE/random"], ["list"],
      ["explain", "/joke/v1/random"], ["call", "joke/random"], ["export", "openapi"],
    ])
  func used(words: [String]) async throws {
    let run = try await Self.run(words)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("random") || run.output.contains("Why?"), "\(run.output)")
  }

  @Test("is served")
  func served() throws {
    let samples = try SampleContracts(only: Self.files)
    let server = try RunningServer([], in: samples.folder)
    #expect(try server.send("GET /joke/v1/random").hasSuffix(#"{"setup":"Why?"}"#))
    server.interrupt()
    #expect(server.end().code == 0)
  }

  @Test("lint names what is missing, and neither test nor drift runs without it")
  func insisted() async throws {
    let lint = try await Self.run(["lint"])
    #expect(
      lint.output.contains("[unknown-consumer]") && lint.output.contains("[unknown-endpoint]"))
    #expect(lint.code == 1)
    for command in ["test", "drift"] {
      let run = try await Self.run([command])
      #expect(
        run.errors.contains("[unknown-consumer]") && run.errors.contains("3 errors in"),
        "\(run.errors)")
      #expect(run.code == 2)
    }
  }
}
