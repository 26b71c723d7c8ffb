import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// Changes to a folder of contracts.
@Suite struct FileChangeTests {
  private static func write(_ path: String, _ text: String) -> FileChange {
    .write(RecordedFile(path: path, bytes: Array(text.utf8), isNew: true))
  }

  @Test("changes are applied in order, each is told, and then all are done")
  func apply() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/old.txt", "old")
    try folder.write("a/same.txt", "same")
    let root = FileRoot(folder.path)
    let changes = [
      Self.write("\(folder.path)/a/new.txt", "new"),
      Self.write("\(folder.path)/a/same.txt", "same"),
      .remove(path: "\(folder.path)/a/old.txt"), .remove(path: "\(folder.path)/a/none.txt"),
      Self.write("\(folder.path)/a/old.txt", "again"),
    ]
    #expect(
      changes.map { String($0.path.dropFirst(folder.path.count)) }
        == ["/a/new.txt", "/a/same.txt", "/a/old.txt", "/a/none.txt", "/a/old.txt"])
    #expect(changes.map { $0.isDone(in: root) } == [false, true, false, true, false])
    var told: [String] = []
    try changes.apply(to: nil) { told.append($0.path) }
    #expect(told == changes.map(\.path))
    #expect(folder.files == ["a/old.txt", "a/same.txt"])
    #expect(try folder.read("a/old.txt") == "old")
    told = []
    try Array(changes.dropLast()).apply(to: root)
    #expect(folder.files == ["a/new.txt", "a/same.txt"])
    #expect(changes.map { $0.isDone(in: root) } == [true, true, true, true, false])
    try changes.apply(to: root) { change in
      #expect(change.isDone(in: root))
      told.append(change.path)
    }
    #expect(told == changes.map(\.path))
    #expect(folder.files == ["a/new.txt", "a/old.txt", "a/same.txt"])
    #expect(try folder.read("a/old.txt") == "again")
  }

  @Test("a change that cannot be made is the last")
  func failure() throws {
    let folder = try TemporaryFolder()
    let root = FileRoot(folder.path)
    let changes = [
      Self.write("\(folder.path)/a.txt", "a"), Self.write("\(folder.path)/a.txt/b", "b"),
      Self.write("\(folder.path)/c.txt", "c"),
    ]
    var count = 0
    #expect(throws: Failure.self) { try changes.apply(to: root) { _ in count += 1 } }
    #expect(count == 1)
    #expect(folder.files == ["a.txt"])
  }

  @Test("a recording's changes are its files, then what is no longer needed")
  func changes() throws {
    let folder = try TemporaryFolder()
    func recording(_ body: [UInt8]) throws -> Recording {
      let library = try RecordingTarget.library(in: folder.path)
      let base = try #require(WebURL(base: "https://api.example"))
      let response = LiveResponse(
        status: 200, headers: [HeaderField(name: "Content-Type", value: "text/plain")], body: body,
        latency: .zero)
      return try Recording(
        of: [RecordedExchange(method: "GET", path: "/a", responses: [response])],
        for: RecordingTarget(
          folder: folder.path, upstreamName: "api", baseURL: base,
          upstream: library?.upstreams.first),
        paths: [], mask: .standard, replaces: { _ in true })
    }
    func words(_ recording: Recording) -> [String] {
      recording.changes.map { change in
        let path = change.path.dropFirst(folder.path.count + 1)
        return if case .remove = change { "remove \(path)" } else { "write \(path)" }
      }
    }
    let large = try recording([UInt8](repeating: 0x61, count: 20_000))
    #expect(
      words(large) == ["write api/upstream.json", "write api/files/a-ok.txt", "write api/a.json"])
    try large.changes.apply(to: FileRoot(folder.path))
    let small = try recording([0x61])
    #expect(words(small) == ["write api/a.json", "remove api/files/a-ok.txt"])
    try small.changes.apply(to: FileRoot(folder.path))
    #expect(folder.files == ["api/a.json", "api/upstream.json"])
    #expect(try ContractLibrary.load([folder.path]).findings == [])
  }
}
