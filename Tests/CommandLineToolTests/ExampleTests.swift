import Foundation
import Testing

@testable import CommandLineTool

/// Runs every example of every help page as it is printed there.
@Suite(.serialized) struct ExampleTests {
  struct Example: CustomTestStringConvertible {
    let line: String

    var isServing: Bool { line.hasPrefix("understudy serve") }

    var testDescription: String { line }

    /// The shell whose syntax the example is in.
    var shell: String {
      ["zsh", "fish"].first(where: line.contains) ?? "bash"
    }
  }

  private static let examples = ([Understudy.command] + Understudy.command.subcommands)
    .flatMap(\.examples).map { Example(line: $0.line) }
    .filter { ProcessRun.find($0.shell) != nil && !$0.isServing }

  private static let servingExamples = ([Understudy.command] + Understudy.command.subcommands)
    .flatMap(\.examples).map { Example(line: $0.line) }.filter(\.isServing)

  /// But for the port: the one that is printed may be taken on this machine.
  @Test("an example that serves listens and ends", arguments: servingExamples)
  func serves(example: Example) throws {
    let words = example.line.split(separator: " ").dropFirst(2).map(String.init)
    let samples = try SampleContracts()
    let server = try RunningServer(
      words.filter { !["--port", "0"].contains($0) }, in: samples.folder)
    server.interrupt()
    let end = server.end()
    #expect(end.errors == "")
    #expect(end.code == 0)
  }

  @Test("an example runs as printed", arguments: examples)
  func runs(example: Example) async throws {
    let (samples, shipped) = (try SampleContracts(), try ShippedContracts())
    let shell = try #require(ProcessRun.find(example.shell))
    // Those that ask a server need one, on the port that is free here; services need our contracts.
    let needsServices = example.line.contains(/^understudy (call|test)/)
    let folder = needsServices ? shipped.folder : samples.folder
    let server =
      example.line.contains(/^understudy (use|call)/) ? try RunningServer([], in: folder) : nil
    let line = example.line.replacing(":8080", with: ":\(server?.port ?? 8080)")
    let arguments =
      switch example.shell {
      case "zsh": ["-f", "-c", "autoload -Uz compinit && compinit -D -u; \(line)"]
      case "fish": ["--no-config", "-c", line]
      default: ["--norc", "-c", line]
      }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let url = server.map { "http://127.0.0.1:\($0.port)" } ?? ""
    let run = try await offPool {
      try ProcessRun(
        shell, arguments, directory: folder,
        environment: ["PATH": "\(Checkout.products.path):\(path)", "UNDERSTUDY_URL": url])
    }
    withExtendedLifetime((samples, shipped, server)) {}
    #expect(run.errors == "")
    #expect(run.code == 0)
  }
}
