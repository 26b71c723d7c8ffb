import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyContractModel

@Suite struct LoadingTests {
  private func folder() throws -> ContractFolder {
    try ContractFolder(
      Sample.files.merging([
        "api/whatsit.json": Sample.contract(request: #"{ "method": "GET", "path": "/whatsits" }"#),
        "api/broken.json": "{", "api/notes.txt": "", ".hidden.json": "{", "README.md": "",
        "api/files/data.json": "{", "api/.draft.json": "{", "thing.schema.json": "{",
      ]) { $1 })
  }

  @Test(
    "loads the given paths",
    arguments: [
      ([""], "api/thing api/whatsit other/thing", 7, "api/broken.json"),
      (["api"], "api/thing api/whatsit", 4, "api/broken.json"),
      (["api/"], "api/thing api/whatsit", 4, "api/broken.json"),
      (["./api/."], "api/thing api/whatsit", 4, "api/broken.json"),
      (["other"], "other/thing", 2, ""), (["api/thing.json"], "api/thing", 1, ""),
      (["api//thing.json"], "api/thing", 1, ""),
      (["api/thing.json", "other"], "api/thing other/thing", 3, ""),
      (["other", ""], "api/thing api/whatsit other/thing", 7, "api/broken.json"),
      (["api/thing.json", "./api/thing.json"], "api/thing", 1, ""),
      (["api/broken.json"], "", 1, "api/broken.json"), (["consumers.json"], "", 1, ""),
      (["api/upstream.json"], "", 1, ""),
    ])
  func selection(paths: [String], contracts: String, fileCount: Int, complaints: String) throws {
    let folder = try folder()
    let library = try folder.load(paths)
    #expect(library.contracts.map(\.id).joined(separator: " ") == contracts)
    #expect(library.fileCount == fileCount)
    let errors = library.findings.filter { $0.severity == .error }
    #expect(errors.map { folder.shortened($0.file) }.joined(separator: " ") == complaints)
    #expect(library.consumers.map(\.name) == ["things.get", "other.get"])
  }

  @Test("uses the folder it is in, under any name for it")
  func spellings() throws {
    let folder = try folder()
    let other = "\(folder.path)/api/../other"
    let library = try ContractLibrary.load([
      folder.path, "\(folder.path)/../\(URL(fileURLWithPath: folder.path).lastPathComponent)",
      other,
    ])
    #expect(library.contracts.map(\.id) == ["api/thing", "api/whatsit", "other/thing"])
    #expect(try ContractLibrary.load(["\(folder.path)/api/.."]).contracts.count == 3)
  }

  /// As `.` and `thing.json` are in an upstream, where the folder around has no other name.
  @Test(
    "finds what it can only name by the folder above",
    arguments: [("api/files/..", 2), ("api/files/../thing.json", 1)])
  func fromWithin(path: String, contractCount: Int) throws {
    let folder = try folder()
    let library = try folder.load([path])
    #expect(library.contracts.count == contractCount)
    #expect(library.contracts.first?.id == "api/thing")
    #expect(library.files.contains { $0.hasSuffix("/files/../../api/thing.json") })
  }

  @Test(
    "says why there is nothing to load",
    arguments: [
      (
        "none",
        """
        no such file or folder: none
          fix: name a folder of contracts, one of its upstreams, or a contract file
        """
      ),
      (
        "thing.schema.json",
        """
        thing.schema.json is not in an upstream: there is no upstream.json
          fix: move it to Contracts/<upstream>/, beside an upstream.json
        """
      ),
      (
        "api/files",
        """
        no contracts in api/files
          fix: a contract is a file such as Contracts/my-upstream/my-endpoint.json
        """
      ),
      (
        "empty",
        """
        no contracts in empty
          fix: a contract is a file such as Contracts/my-upstream/my-endpoint.json
        """
      ),
    ])
  func nothing(name: String, text: String) throws {
    let folder = try folder()
    try FileManager.default.removeItem(atPath: "\(folder.path)/api/files/data.json")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/empty", withIntermediateDirectories: false)
    let error = try #require(throws: Failure.self) { try folder.load([name]) }
    #expect(folder.shortened("\(error)") == text)
  }

  @Test("keeps the first of two upstreams of one name, and says so")
  func repeated() throws {
    let (first, second) = (try folder(), try folder())
    let library = try ContractLibrary.load([first.path, second.path])
    #expect(library.upstreams.map(\.name) == ["api", "other"])
    #expect(library.consumers.count == 2)
    let complaints = library.findings.filter { $0.type.rawValue == "ambiguous" }.map { "\($0)" }
    #expect(
      complaints
        == ["api", "other"].map { name in
          """
          \(second.path)/\(name)/upstream.json: error: upstream "\(name)" is also in \
          \(first.path)/\(name)/upstream.json [ambiguous]
            fix: load one of the two, or rename one folder
          """
        })
  }

  @Test(
    "reports a file that is not text, or nested too deeply",
    arguments: [
      ([0x7B, 0xFF, 0x7D], "api/thing.json:1:2: error: "),
      (Array(repeating: 0x5B, count: 100_000), "api/thing.json:1:"),
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "api/thing.json:1:1: error: "),
      ([], "api/thing.json:1:1: error: "),
    ] as [([UInt8], String)])
  func badBytes(bytes: [UInt8], start: String) throws {
    let folder = try ContractFolder(Sample.files)
    try folder.write(bytes, to: "api/thing.json")
    let library = try folder.load()
    let text = folder.diagnosticText(of: library, ignoring: .missingCases)
    #expect(text.hasPrefix(start) && text.contains("[invalid-json]") && text.utf8.count < 300)
    #expect(library.contracts.map(\.id) == ["other/thing"])
  }

  @Test("reports a file that is larger than any contract")
  func hugeFile() throws {
    let folder = try ContractFolder(Sample.files)
    try folder.write([], to: "api/huge.json")
    let handle = try #require(FileHandle(forWritingAtPath: "\(folder.path)/api/huge.json"))
    try handle.truncate(atOffset: 1 << 40)
    #expect(
      folder.diagnosticText(of: try folder.load(), ignoring: .missingCases)
        == "api/huge.json: error: api/huge.json is larger than 64 MiB [unreadable-file]")
  }

  @Test("reads contracts whose names differ only in the encoding of an accent")
  func accents() throws {
    let upstream = #"{ "summary": "x", "scenarios": { "s": { "scripts": {} } } }"#
    let folder = try ContractFolder(["api/upstream.json": upstream])
    for name in ["caf\u{E9}", "cafe\u{301}"] {
      let request = "{ \"method\": \"GET\", \"path\": \"/\(name.utf8.count)\" }"
      try folder.write(Array(Sample.contract(request: request).utf8), to: "api/\(name).json")
    }
    let library = try folder.load()
    #expect(library.contracts.count == 2)
    #expect(library.findings.filter { $0.type.rawValue == "bad-name" }.count == 2)
  }

  @Test("reads no body through a link that points outside the upstream's folder")
  func links() throws {
    let contract = Sample.contract(
      cases:
        #""in": { "status": 200, "file": "files/in" }, "out": { "status": 200, "file": "files/out" }"#
    )
    let folder = try ContractFolder(
      Sample.files.merging(["api/thing.json": contract, "api/files/text": "x"]) { $1 })
    for (name, target) in [("in", "text"), ("out", "../../consumers.json")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/api/files/\(name)", withDestinationPath: target)
    }
    let library = try folder.load()
    let text = library.findings.filter { $0.severity == .error }.map(\.message)
    #expect(
      text == [
        """
        cannot read \(folder.path)/api/files/out: it is a link to ../../consumers.json, expected a link \
        that stays below \(folder.path)/api
        """
      ])
  }

  @Test("reports a contract nested too deeply")
  func deepFile() throws {
    let folder = try ContractFolder(
      Sample.files.merging(["api/v2/thing.json": "{", "api/files/a.json": "{"]) { $1 })
    #expect(
      folder.diagnosticText(of: try folder.load(), ignoring: .missingCases) == """
        api/v2: error: thing.json is two folders deep, where contracts are not read \
        [unexpected-file]
          fix: move it to api/thing.json, or into api/files if it is a body
        """)
    #expect(try folder.load(["api"]).findings.contains { $0.type.rawValue == "unexpected-file" })
  }

  @Test("says when something that looks like a contract is not a file")
  func noFile() throws {
    let folder = try ContractFolder(Sample.files.merging(["api/odd.json/a": ""]) { $1 })
    #expect(
      folder.diagnosticText(of: try folder.load(), ignoring: .missingCases)
        == "api/odd.json: error: api/odd.json is not a file [unreadable-file]\n  fix: name a file")
  }

  @Test("reports a path that leads in circles, or nowhere")
  func badLinks() throws {
    let folder = try ContractFolder(Sample.files)
    for (name, target) in [("circle", "circle"), ("gone", "nowhere"), ("api/gone.json", "x")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }
    #expect(
      folder.diagnosticText(of: try folder.load(), ignoring: .missingCases) == """
        api/gone.json: error: cannot read api/gone.json: no such file or directory [unreadable-file]
          fix: check the spelling, and the folder you are in
        circle: error: cannot read circle: too many levels of symbolic links [unreadable-file]
        gone: error: this link is broken [unexpected-file]
          fix: remove it, or point it to an existing file
        """)
    let error = try #require(throws: Failure.self) { try folder.load(["circle"]) }
    #expect(
      folder.shortened("\(error)") == "cannot read circle: too many levels of symbolic links")
  }

  /// Nothing is closed to the superuser, as whom this cannot be tried.
  @Test("reports a folder without permission", .enabled(if: getuid() != 0))
  func closedFolder() throws {
    let folder = try ContractFolder(Sample.files)
    let closed = "\(folder.path)/api"
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: closed)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
    }
    let error = try #require(throws: Failure.self) { try folder.load(["api/thing.json"]) }
    #expect(
      folder.shortened("\(error)") == """
        cannot read api/thing.json: permission denied
          fix: allow reading it with chmod: r for the file, r and x for the folders around it
        """)
  }

  @Test("reports files that look like contracts but are not read")
  func misnamed() throws {
    let folder = try ContractFolder(
      Sample.files.merging(["api/a.jsonc": "", "api/b.JSON": "", "api/c.txt": ""]) { $1 })
    #expect(
      folder.diagnosticText(of: try folder.load(), ignoring: .missingCases) == """
        api/a.jsonc: error: found a file that is not read, expected a name ending in .json \
        [unexpected-file]
          fix: rename it to a.json
        api/b.JSON: error: found a file that is not read, expected a name ending in .json \
        [unexpected-file]
          fix: rename it to b.json
        """)
  }
}
