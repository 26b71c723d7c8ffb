import Testing
import UnderstudyContractModel
import UnderstudyTestSupport

@testable import UnderstudyFakeServer
@testable import UnderstudyTesting

/// Which contracts and requests a name means, and where contracts are.
@Suite struct SelectionTests {
  private static let library = ContractLibrary(reading: [
    "joke/upstream.json": "{}", "dog/upstream.json": "{}",
    "joke/random.json": #"""
    { "request": { "method": "GET", "path": "/random" },
      "cases": { "ok": { "status": 200 }, "gone": { "status": 410 } } }
    """#,
    "joke/all.json": #"""
    { "request": { "method": "GET", "path": "/all" }, "cases": { "ok": { "status": 200 } } }
    """#,
    "dog/one.json": #"""
    { "request": { "method": "GET", "path": "/one" }, "cases": { "ok": { "status": 200 } } }
    """#,
  ])

  private static func entry(
    _ path: String, _ contract: String?, _ caseName: String? = nil, isByMode: Bool = false
  ) -> JournalEntry {
    var record = JournalRecord(sequence: 1, receivedAt: .epoch)
    record.reason = isByMode ? .mode : nil
    record.isUnmatched = contract == nil && !isByMode
    return JournalEntry(
      record, Request("GET", path),
      served: contract.map { ServedCase(contract: $0, caseName: caseName ?? "") })
  }

  private static let entries = [
    "random": entry("/joke/random", "joke/random", "ok"),
    "gone": entry("/joke/random", "joke/random", "gone"),
    "all": entry("/joke/all", "joke/all", "ok"),
    "own": entry("/joke/x", "joke/response-1f", "response"),
    "dog": entry("/dog/one", "dog/one", "ok"),
    "missed": entry("/joke/none", nil), "off": entry("/joke/random", nil, isByMode: true),
    "off root": entry("/joke", nil, isByMode: true),
    "dog off": entry("/dog/x", nil, isByMode: true),
    "near": entry("/jokes/x", nil, isByMode: true),
  ]

  @Test(
    "a name selects the requests to its contracts, and a case those that it responded",
    arguments: [
      (nil, nil, "all,dog,dog off,gone,missed,near,off,off root,own,random", ""),
      (nil, "ok", "all,dog,random", " responded with \"ok\""),
      (nil, "gone", "gone", " responded with \"gone\""),
      ("joke", nil, "all,gone,off,off root,own,random", " to joke"),
      ("joke", "ok", "all,random", " to joke responded with \"ok\""),
      ("joke/random", nil, "gone,off,off root,random", " to joke/random"),
      ("joke/random", "gone", "gone", " to joke/random responded with \"gone\""),
      ("dog", nil, "dog,dog off", " to dog"),
    ] as [(String?, String?, String, String)])
  func selects(name: String?, caseName: String?, expected: String, target: String) throws {
    let selection = try ContractSelection(name, case: caseName, in: Self.library)
    let found = Self.entries.filter { selection.selects($0.value) }.keys.sorted()
    #expect(
      found == expected.split(separator: ",").map(String.init)
    )
    #expect(selection.target == target)
  }

  @Test(
    "a name that is not there is an error with what is near, or with what there is",
    arguments: [
      ("jok", nil, "unknown upstream \"jok\"\n  fix: did you mean \"joke\"?"),
      ("x", nil, "unknown upstream \"x\"\n  fix: known: dog, joke"),
      ("joke/rand", nil, "unknown contract \"joke/rand\"\n  fix: did you mean \"joke/random\"?"),
      ("joke", "x", "unknown case \"x\" of joke\n  fix: known: ok, gone"),
      (nil, "gon", "unknown case \"gon\"\n  fix: did you mean \"gone\"?"),
    ] as [(String?, String?, String)])
  func unknown(name: String?, caseName: String?, message: String) {
    let error = #expect(throws: FakeError.self) {
      try ContractSelection(name, case: caseName, in: Self.library)
    }
    #expect(error?.description == message)
  }

  @Test("of many names twelve are listed", arguments: [12, 13])
  func many(count: Int) {
    let names = (1...count).map { "name-number-\($0)" }
    let listed = names.prefix(12).joined(separator: ", ") + (count > 12 ? ", …" : "")
    #expect(
      FakeError.unknown("case", "x", of: "joke", known: names).description
        == "unknown case \"x\" of joke\n  fix: known: \(listed)")
    #expect(FakeError.unknown("case", "x", known: []).description == "unknown case \"x\"")
  }

  // MARK: - Folders

  @Test("contracts are beside the file's folder, above it, or at a path")
  func folders() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/Contracts/x/upstream.json", "{}")
    try folder.write("a/b/c/Test.swift", "")
    try folder.write("Contracts", "not a folder")
    let file = "\(folder.path)/a/b/c/Test.swift"
    #expect(try ContractFolder.find(nil, from: file) == "\(folder.path)/a/Contracts")
    #expect(try ContractFolder.find("../x", from: file) == "\(folder.path)/a/b/c/../x")
    #expect(try ContractFolder.find("/x", from: file) == "/x")
    #expect(
      try ContractFolder.find(nil, from: "\(folder.path)/a/T.swift") == "\(folder.path)/a/Contracts"
    )
    let outside = "\(folder.path)/T.swift"
    let error = #expect(throws: FakeError.self) { try ContractFolder.find(nil, from: outside) }
    #expect(
      error?.description == """
        no folder Contracts above \(outside)
          fix: create one, or give its path: contracts: "path/to/folder"
        """)
  }

  @Test(
    "contracts with errors are none: five are listed, and the rest counted", arguments: [1, 5, 7])
  func broken(count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("api/upstream.json", "{}")
    for number in 1...count { try folder.write("api/c\(number).json", "[\(number)]") }
    let error = #expect(throws: FakeError.self) { try ContractFolder.library(in: folder.path) }
    let lines = (error?.description ?? "").split(separator: "\n").map(String.init)
    #expect(lines.first == "the contracts in \(folder.path) have errors")
    #expect(lines.last == "  fix: see \"understudy lint\"")
    #expect(lines.count == 2 + min(count, 5) + (count > 5 ? 1 : 0))
    #expect(lines.contains("  and 2 more") == (count == 7))
    // It is read once.
    for number in 1...count { try folder.remove("api/c\(number).json") }
    #expect(throws: FakeError.self) { try ContractFolder.library(in: folder.path) }
  }
}
