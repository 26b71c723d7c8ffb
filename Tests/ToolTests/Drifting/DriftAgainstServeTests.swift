import Foundation
import Testing

@testable import UnderstudyTool

/// `serve` and `drift`, each in a process of its own, prove each other.
@Suite struct DriftAgainstServeTests {
  @Test("the fake responds to every live request as its contract says, and services agree")
  func all() async throws {
    let contracts = try ShippedContracts()
    let server = try RunningServer([], in: contracts.folder)
    let paths = ["dog-ceo", "dog-ceo-images", "dogpatch/api/v1", "github", "joke"]
    let run = try await contracts.run(
      ["drift", "--confirm", "0s"]
        + paths.flatMap { path in
          let name = path.prefix { $0 != "/" }
          return ["--base-url", "\(name)=http://127.0.0.1:\(server.port)/\(path)"]
        })
    #expect(run.output.contains(/\n32 checks: 28 passed, 4 not exercised\n/), "\(run.output)")
    #expect(!run.output.contains("error"), "\(run.output)")
    #expect(!run.output.contains("warning"), "\(run.output)")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test("the example of the help passes")
  func help() async throws {
    let line = "understudy drift joke --base-url joke=http://127.0.0.1:8080/joke --confirm 0s"
    try #require(CommandLineRun("help drift").output.contains(line))
    let contracts = try ShippedContracts()
    let server = try RunningServer([], in: contracts.folder)
    let words = line.replacing(":8080/", with: ":\(server.port)/").split(separator: " ")
    let run = try await contracts.run(words.dropFirst().map(String.init))
    #expect(!run.output.contains("failed"), "\(run.output)")
    #expect(run.code == 0)
  }
}
