import Testing
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudyContractModel

/// A folder that is read as if files were already written, and where folders of contracts are.
@Suite struct DraftedFolderTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("files that are not there yet are read, and those that are there are replaced")
  func drafted() throws {
    let folder = try ContractFolder(Sample.files)
    let path = folder.path
    func found(_ root: String, _ files: [String: String]) throws -> [String] {
      let library = try ContractLibrary.load(root, with: files.mapValues(Self.bytes))
      let errors = library.findings.filter { $0.severity == .error }
      return library.contracts.map { "\($0.id) \($0.request.path)" }
        + errors.map { folder.shortened($0.description) }
    }
    let new = Sample.contract(request: #"{ "method": "GET", "path": "/new" }"#)
    #expect(try found(path, [:]) == ["api/thing /things", "other/thing /things"])
    #expect(
      try found(path, ["\(path)/api/new.json": new])
        == ["api/new /new", "api/thing /things", "other/thing /things"])
    #expect(
      try found(path, ["\(path)/api/thing.json": new]) == ["api/thing /new", "other/thing /things"])
    #expect(
      try found(
        path, ["\(path)/made/new.json": new, "\(path)/made/upstream.json": "{}"])
        == ["api/thing /things", "made/new /new", "other/thing /things"])
    // A folder that does not exist.
    let none = "\(path)/none"
    #expect(
      try found(none, ["\(none)/made/new.json": new, "\(none)/made/upstream.json": "{}"])
        == ["made/new /new"])
    #expect(
      try found(
        none,
        [
          "\(none)/made/upstream.json": "{}", "\(none)/made/files/a/b.txt": "hello",
          "\(none)/made/new.json": #"""
          { "request": { "method": "GET", "path": "/new" },
            "cases": { "ok": { "status": 200, "file": "files/a/b.txt" } } }
          """#,
        ]) == ["made/new /new"])
  }

  @Test("a file that is too large to be read is refused before it is written")
  func tooLarge() throws {
    let folder = try ContractFolder(Sample.files)
    func said(_ count: Int) throws -> String {
      let library = try ContractLibrary.load(
        folder.path,
        with: [
          "\(folder.path)/api/files/a.txt": [UInt8](repeating: 0x61, count: count),
          "\(folder.path)/api/thing.json": Self.bytes(
            Sample.contract(cases: #""it": { "status": 200, "file": "files/a.txt" }"#)),
        ])
      return folder.shortened(
        library.findings.filter { $0.type == .unreadableFile }.map(\.description).joined())
    }
    #expect(try said(64 << 20) == "")
    #expect(
      try said(64 << 20 + 1) == """
        api/thing.json:5:32: error: api/files/a.txt is larger than 64 MiB [unreadable-file]
        """)
  }

  @Test("folders of contracts are found around files and upstreams")
  func roots() throws {
    let folder = try ContractFolder(Sample.files)
    let path = folder.path
    #expect(
      try ContractLibrary.roots(of: [
        path, "\(path)/", "\(path)/api", "\(path)//api/.", "\(path)/api/thing.json",
        "\(path)/consumers.json", "\(path)/./api/../api/upstream.json",
      ]) == [path, path, path, path, path, path, "\(path)/api/.."])
    #expect(ContractLibrary.root(ofFile: "a/b/c.json") == "a")
    #expect(ContractLibrary.root(ofFile: "b/c.json") == ".")
    #expect(ContractLibrary.root(ofFile: "c.json") == "..")
    #expect(ContractLibrary.root(ofFile: "/b/c.json") == "/")
    #expect(ContractLibrary.root(ofFile: "/c.json") == "/")
    #expect(ContractLibrary.root(ofFile: "../c.json") == "../..")
    #expect(ContractLibrary.root(ofFile: "a/../c.json") == "a/../..")
    let error = try #require(throws: Failure.self) {
      try ContractLibrary.roots(of: [path, "\(path)/none"])
    }
    #expect(
      folder.shortened("\(error)") == """
        no such file or folder: none
          fix: name a folder of contracts, one of its upstreams, or a contract file
        """)
  }
}
