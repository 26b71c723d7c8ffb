import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// The names of files beside those that a folder has.
@Suite struct FileNamerTests {
  private static func namer(_ folder: TemporaryFolder, own: Set<String> = []) -> FileNamer {
    let target = RecordingTarget(
      folder: folder.path, upstreamName: "api", baseURL: nil, upstream: nil)
    return FileNamer(target, own: own)
  }

  @Test("a body has the file that holds it already, or one that may be written")
  func bodies() throws {
    let folder = try TemporaryFolder()
    try folder.write("api/files/a.bin", "old")
    try folder.write("api/files/b.bin", "old")
    let own = "\(folder.path)/api/files/b.bin"
    func names(_ stems: [String], _ text: String, suffix: String = "bin") -> [String] {
      let namer = Self.namer(folder, own: [own])
      return stems.map { namer.bodyFile($0, suffix: suffix, holding: Array(text.utf8)) }
    }
    #expect(names(["a"], "old") == ["files/a.bin"])
    #expect(names(["a"], "new") == ["files/a-2.bin"])
    #expect(names(["a"], "") == ["files/a-2.bin"])
    #expect(names(["b"], "new") == ["files/b.bin"])
    #expect(names(["c"], "new") == ["files/c.bin"])
    #expect(names(["a"], "new", suffix: "txt") == ["files/a.txt"])
    #expect(
      names(["a", "a", "c", "c"], "old") == [
        "files/a.bin", "files/a-2.bin", "files/c.bin", "files/c-2.bin",
      ])
  }

  @Test("a contract has a name that no file has, but for those that are given up")
  func contracts() throws {
    let folder = try TemporaryFolder()
    try folder.write("api/users.json", "{}")
    let long = String(repeating: "a", count: 81)
    #expect(Self.namer(folder).contractName("Users!") == "users-2")
    #expect(Self.namer(folder).contractName("upstream") == "upstream-2")
    #expect(Self.namer(folder).contractName("other") == "other")
    #expect(Self.namer(folder).contractName(long).utf8.count == 80)
    #expect(Self.namer(folder).contractName(String(long.dropFirst())).utf8.count == 80)
    let namer = Self.namer(folder)
    namer.giveUp(["\(folder.path)/api/files/x.bin"])
    try folder.write("api/files/x.bin", "old")
    #expect(namer.bodyFile("x", suffix: "bin", holding: [1]) == "files/x.bin")
  }
}
