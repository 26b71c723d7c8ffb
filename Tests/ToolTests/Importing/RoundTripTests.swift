import Foundation
import Testing
import UnderstudyJSON

@testable import UnderstudyTool

/// What is exported, and imported into a fresh folder.
@Suite struct RoundTripTests {
  private static func json(_ path: String) throws -> JSONValue {
    try JSONDocument(parsing: Array(Data(contentsOf: URL(filePath: path)))).root
  }

  /// The files of contracts and upstreams in a folder, with their schemas.
  private static func files(in folder: String) throws -> [String: JSONValue] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".json") && $0.contains("/")
    }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try json("\(folder)/\($0)")) })
  }

  private static func expectEqual(_ found: String, _ original: String) throws {
    let (found, original) = (try files(in: found), try files(in: original))
    #expect(found.keys.sorted() == original.keys.sorted())
    for (name, value) in original {
      #expect(found[name].map { value.isEqual(to: $0) } == true, "\(name)")
    }
  }

  private static func run(_ words: String...) throws {
    let run = CommandLineRun(words: words)
    #expect(run.code == .pass, "\(words): \(run.output)\(run.errors)")
    #expect(run.errors == "", "\(words)")
  }

  /// Exports the contracts of a folder, and imports them beside its consumers.
  private static func roundTrip(_ contracts: String, _ folder: String, _ format: String) throws {
    let into = "\(folder)/into-\(format)"
    try FileManager.default.createDirectory(atPath: into, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(contracts)/consumers.json", toPath: "\(into)/consumers.json")
    let upstreams = try FileManager.default.contentsOfDirectory(atPath: contracts).sorted().filter {
      FileManager.default.fileExists(atPath: "\(contracts)/\($0)/upstream.json")
    }
    if format == "wiremock" {
      try run("export", "wiremock", contracts, "-o", "\(folder)/stubs")
      try run("import", "\(folder)/stubs", "--contracts", into)
    } else {
      for upstream in upstreams {
        let document = "\(folder)/\(upstream).json"
        try run("export", "openapi", "\(contracts)/\(upstream)", "-o", document)
        try run("import", document, "--contracts", into)
      }
    }
    try expectEqual(into, contracts)
  }

  @Test("our own contracts come back as they were", arguments: ["wiremock", "openapi"])
  func ours(format: String) throws {
    let samples = try SampleContracts(only: ["note": ""])
    try Self.roundTrip(
      Checkout.root.appending(path: "Contracts").path, samples.folder.path, format)
  }

  @Test("what init writes comes back as it was", arguments: ["wiremock", "openapi"])
  func started(format: String) async throws {
    let samples = try SampleContracts(only: ["note": ""])
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["init", "shop"], directory: samples.folder)
    }
    #expect(run.code == 0)
    try Self.roundTrip(
      samples.folder.appending(path: "Contracts").path, samples.folder.path, format)
  }

  @Test(
    "a fresh folder gets the contracts of init without what consumers expect, and the reason",
    arguments: ["wiremock", "openapi"])
  func fresh(format: String) async throws {
    let samples = try SampleContracts(only: ["note": ""])
    let folder = samples.folder
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, ["init", "shop"], directory: folder)
    }
    #expect(run.code == 0)
    let to = folder.appending(path: format == "wiremock" ? "stubs" : "api.json").path
    let contracts = folder.appending(path: "Contracts/shop").path
    let into = folder.appending(path: "fresh").path
    try Self.run("export", format, contracts, "-o", to)
    let imported = CommandLineRun(words: ["import", to, "--contracts", into])
    #expect(imported.code == .pass)
    #expect(
      imported.output.contains(
        "left out, because consumers.json does not declare api-check: the contract comes without what it expects:\n"
      ), "\(imported.output)")
    let contract = try Self.json("\(into)/shop/greeting.json")
    #expect(
      contract["cases"]?.count == (try Self.json("\(contracts)/greeting.json"))["cases"]?.count)
    #expect(CommandLineRun(words: ["lint", into]).code == .pass)
  }
}
