import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyFakeServer

@testable import UnderstudyTool

/// The built tool where a checkout has links that lead out of it, as a stranger may have put them
/// there.
@Suite struct OutwardLinkTests {
  private static let fix = "  fix: replace the link with its target\n"

  /// A link in a checkout to a folder beside it.
  private static func link(
    _ name: String, to target: String, in folder: URL
  ) throws {
    let path = folder.appendingPathComponent(name).path
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private static func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// A folder beside the one that a test runs in.
  private final class Outside {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("outside-\(UUID().uuidString)")
    var name: String { folder.lastPathComponent }

    init(_ files: [String: String] = [:]) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, text) in files {
        try text.write(
          to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  @Test(
    "record writes nothing through them, not even with --force",
    arguments: [
      ("Contracts/api", "../", "", "cannot read Contracts/api: it is"),
      (
        "Contracts/api/picture.json", "../../", "/c.json",
        "Contracts/api has errors, so nothing is recorded into it: Contracts/api/picture.json:"
          + " cannot read Contracts/api/picture.json: it is"
      ),
    ])
  func record(link: String, up: String, end: String, error: String) async throws {
    let outside = try Outside(["c.json": "{}"])
    let samples = try SampleContracts(only: [
      "Contracts/api/upstream.json": "{}", "Contracts/api/picture.json": "{}",
    ])
    let target = "\(up)../\(outside.name)\(end)"
    try Self.link(link, to: target, in: samples.folder)
    let run = try await Self.record(["--force"], in: samples.folder)
    #expect(
      run.errors.hasPrefix(
        "understudy: error: \(error) a link to \(target), expected a link that stays below Contracts"
      ))
    #expect(run.output == "")
    #expect(run.code == 2)
    #expect(try Self.names(outside.folder) == ["c.json"])
    let kept = outside.folder.appendingPathComponent("c.json")
    #expect(try String(contentsOf: kept, encoding: .utf8) == "{}")
  }

  @Test("record writes no body where they lead, and nothing else of that contract")
  func body() async throws {
    let outside = try Outside()
    let samples = try SampleContracts(only: ["note": ""])
    try Self.link(
      "Contracts/api/files", to: "../../../\(outside.name)", in: samples.folder)
    let run = try await Self.record([], in: samples.folder)
    #expect(
      run.errors.contains(
        """
        cannot write Contracts/api/files/picture-ok.png: Contracts/api/files is a link to \
        ../../../\(outside.name), expected a link that stays below Contracts/api
        """))
    #expect(run.code == 1)
    #expect(try Self.names(outside.folder) == [])
    #expect(try Self.names(samples.folder.appendingPathComponent("Contracts/api")) == ["files"])
  }

  /// Records a picture that goes to a file of its own.
  private static func record(_ words: [String], in folder: URL) async throws -> ProcessRun {
    let picture = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }).base64EncodedString()
    let live = ContractLibrary(reading: [
      "api/upstream.json": "{}",
      "api/picture.json": """
      { "request": { "method": "GET", "path": "/picture" },
        "cases": { "ok": { "status": 200, "headers": { "Content-Type": "image/png" },
                           "base64": "\(picture)" } } }
      """,
    ])
    let server = try await FakeServer.start(live)
    let base = try #require(server.baseURL(of: "api"))
    let words =
      ["record", "--upstream", "api=\(base)"] + words + ["\(base)/picture"]
    let run = try await offPool {
      try ProcessRun(Checkout.tool.path, words, directory: folder)
    }
    await server.close()
    return run
  }

  @Test("drift updates no contract through them")
  func drift() async throws {
    let contracts = try ShippedContracts()
    let file = "Contracts/joke/random-joke.json"
    let text = try contracts.read(file)
    let outside = try Outside(["c.json": text])
    let target = "../../../\(outside.name)/c.json"
    try Self.link(file, to: target, in: contracts.folder)
    let server = try await FakeServer.start(
      try ContractLibrary(drafts: [DriftUpdateTests.changed]))
    let url = try #require(server.baseURL(of: "joke"))
    let run = try await contracts.run([
      "drift", "joke", "--base-url", "joke=\(url)", "--confirm", "0s", "--update",
    ])
    await server.close()
    #expect(run.errors.contains("\nunderstudy: error: 1 error in "))
    #expect(run.code == 2)
    let lint = try await contracts.run(["lint", file])
    #expect(
      lint.output.contains(
        "\(file): error: cannot read \(file): it is a link to \(target), expected a link that stays"
          + " below Contracts [unreadable-file]\n\(Self.fix)"))
    #expect(lint.code == 1)
    let kept = outside.folder.appendingPathComponent("c.json")
    #expect(try String(contentsOf: kept, encoding: .utf8) == text)
  }

  @Test("serve keeps what it served when a contract becomes one")
  func serve() throws {
    let outside = try Outside(["key": "-----BEGIN PRIVATE KEY-----\n"])
    let samples = try SampleContracts()
    let file = "Contracts/dog-ceo/random-images.json"
    let server = try RunningServer([], in: samples.folder)
    _ = server.lines { $0.isEmpty }
    let target = "../../../\(outside.name)/key"
    try Self.link("new.json", to: target, in: samples.folder)
    try #require(
      rename(
        samples.folder.appendingPathComponent("new.json").path,
        samples.folder.appendingPathComponent(file).path) == 0)
    let lines = server.lines { $0.hasPrefix("not reloaded") }
    #expect(
      lines.first == """
        \(file): error: cannot read \(file): it is a link to \(target), expected a link that stays \
        below Contracts [unreadable-file]
        """)
    #expect(!lines.contains { $0.contains("PRIVATE") })
    #expect(
      try server.send("GET /dog-ceo/api/breed/hound/images/random")
        .hasSuffix(#"{"message":"https://images.dog.ceo/1.jpg"}"#))
    server.terminate()
    #expect(server.end().code == 0)
  }

  @Test(
    "nothing else in the working folder is read or written through them",
    arguments: [
      // A run is not lost since there is no place to remember it.
      (".understudy", "", ["test"], "write .understudy/last-test.json: .understudy is", 0),
      ("out.json", "/old", ["test", "--report", "json=out.json"], "write out.json: it is", 2),
      ("known.json", "/old", ["drift", "--accepted", "known.json"], "read known.json: it is", 2),
      ("runs", "/old", ["history", "--history", "runs"], "read runs: it is", 2),
      (".understudy", "", ["drift"], "read .understudy/reads.json: .understudy is", 2),
      ("old.json", "/old", ["merge", "old.json"], "read old.json: it is", 2),
    ])
  func workingFolder(
    link: String, end: String, words: [String], error: String, code: Int32
  ) async throws {
    let outside = try Outside(["old": "kept"])
    let suite = try SmallSuite()
    let target = "../\(outside.name)\(end)"
    try Self.link(link, to: target, in: suite.folder)
    let run = try await suite.run(words)
    let (severity, end) =
      code == 0 ? ("warning", ", so --failed cannot repeat what failed in this run") : ("error", "")
    #expect(
      run.errors.hasSuffix(
        "understudy: \(severity): cannot \(error) a link to \(target), expected a link that stays"
          + " below the working folder\(end)\n\(Self.fix)"))
    #expect(run.code == code)
    #expect(try Self.names(outside.folder) == ["old"])
    let kept = outside.folder.appendingPathComponent("old")
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
  }
}
