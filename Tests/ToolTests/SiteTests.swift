import Foundation
import Testing
import UnderstudyTestSupport

/// `ci/publishing/add`, which puts the site of a version beside the others.
@Suite struct SiteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func add(_ version: String, saying text: String) async throws {
    for path in ["\(version)/page.md", "latest/page.md", "index.html", "llms.txt"] {
      try folder.write("site-\(version)/\(path)", text)
    }
    try folder.write("site-\(version)/versions.json", #"[{ "version": "\#(version)" }]"#)
    try await Program.run(
      "bash",
      ["ci/publishing/add", "\(folder.path)/site-\(version)", "\(folder.path)/published"],
      in: Checkout.root.path)
  }

  private func read(_ path: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/published/\(path)", encoding: .utf8)
  }

  @Test("the highest version is the latest, whichever is published last")
  func versions() async throws {
    try folder.write("published/.keep", "")
    try await add("0.1.0", saying: "first")
    try await add("0.10.0", saying: "second")
    try await add("0.9.1", saying: "mended")
    #expect(try read("latest/page.md") == "second")
    #expect(try read("llms.txt") == "second")
    #expect(try read("0.9.1/page.md") == "mended")
    let versions = try JSONSerialization.jsonObject(with: Data(try read("versions.json").utf8))
    let list = try #require(versions as? [[String: Any]])
    #expect(list.map { $0["version"] as? String } == ["0.10.0", "0.9.1", "0.1.0"])
    #expect(list.map { $0["aliases"] as? [String] } == [["latest"], [], []])
    try await add("0.10.0", saying: "again")
    #expect(try read("latest/page.md") == "again")
  }
}
