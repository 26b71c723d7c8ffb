import Foundation
import Testing

@testable import UnderstudyContractModel
@testable import UnderstudyCore

/// Contracts that a stranger has sent, and that are links to what is theirs to read no more.
@Suite struct LinkTests {
  private static let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n"

  private let around: ContractFolder
  private let contracts: String

  init() throws {
    var files = [
      "outside/key": Self.key, "outside/api/thing.json": "\"\(Self.key)\"",
      "outside/api/upstream.json": "\"\(Self.key)\"", "outside/page.md": "",
    ]
    for (name, text) in Sample.files { files["Contracts/\(name)"] = text }
    files["Contracts/api/thing.json"] = Sample.contract(
      cases: #""picture": { "status": 200, "file": "files/picture" }"#)
    files["Contracts/api/files/picture"] = "a picture"
    around = try ContractFolder(files)
    contracts = "\(around.path)/Contracts"
  }

  private func link(_ name: String, to target: String) throws {
    let path = "\(contracts)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func complaints(of paths: [String] = [""]) throws -> String {
    let library = try ContractLibrary.load(paths.map { "\(contracts)/\($0)" })
    return around.diagnosticText(of: library, ignoring: .missingCases)
      .replacing("Contracts/", with: "")
  }

  @Test(
    "a link that leads out is an error, and reveals nothing of its target",
    arguments: [
      (
        ["api/thing.json": "../../outside/key"],
        """
        api/thing.json: error: cannot read api/thing.json: it is a link to ../../outside/key, \
        expected a link that stays below Contracts [unreadable-file]
          fix: replace the link with its target
        """
      ),
      (
        ["api/upstream.json": "../../outside/api/upstream.json"],
        """
        api/upstream.json: error: cannot read api/upstream.json: it is a link to \
        ../../outside/api/upstream.json, expected a link that stays below Contracts \
        [unreadable-file]
          fix: replace the link with its target
        """
      ),
      (
        ["consumers.json": "../outside/key"],
        """
        consumers.json: error: cannot read consumers.json: it is a link to ../outside/key, \
        expected a link that stays below Contracts [unreadable-file]
          fix: replace the link with its target
        """
      ),
      (
        ["more": "../outside/api"],
        """
        more: error: cannot read more: it is a link to ../outside/api, expected a link that stays \
        below Contracts [unreadable-file]
          fix: replace the link with its target
        """
      ),
      (
        ["api/files": "../../outside"],
        """
        api/thing.json:5:37: error: cannot read api/files/picture: api/files is a link to \
        ../../outside, expected a link that stays below api [unreadable-file]
          fix: replace the link with its target
        """
      ),
      (
        ["api/files/picture": "more", "api/files/more": "/etc/passwd"],
        """
        api/thing.json:5:37: error: cannot read api/files/picture: api/files/more is a link to \
        /etc/passwd, expected a relative link that stays below api [unreadable-file]
          fix: replace the link with its target
        """
      ),
    ])
  func outside(links: [String: String], says: String) throws {
    for (name, target) in links { try link(name, to: target) }
    let text = try complaints()
    // Names that are only declared in what cannot be read are missed as well.
    let own = text.components(separatedBy: "\n").filter { !$0.contains("[unknown-") }
    #expect(text.hasPrefix(says) || own.joined(separator: "\n").contains(says), "\(text)")
    #expect(!text.contains("PRIVATE"))
  }

  @Test(
    "a link named alone that leads out is reported, too", arguments: ["more", "api/thing.json"])
  func named(path: String) throws {
    try link("more", to: "../outside/api")
    try link("api/thing.json", to: "../../outside/key")
    let text = try complaints(of: [path])
    #expect(text.hasPrefix("\(path): error: cannot read \(path): it is a link to "))
  }

  @Test("a link that nothing reads may lead anywhere")
  func unread() throws {
    try link("README.md", to: "../outside/page.md")
    try link("contract.schema.json", to: "../outside/none.json")
    try link("accepted.json", to: "../outside/key")
    #expect(try complaints() == "")
  }

  @Test("what stays among the contracts is read, and the folder of contracts may be a link itself")
  func inside() throws {
    try link("other/thing.json", to: "../api/shared")
    try around.write(Array(Sample.thing.utf8), to: "Contracts/api/shared")
    try link("more", to: "other")
    #expect(try complaints() == "")
    try FileManager.default.createSymbolicLink(
      atPath: "\(around.path)/link", withDestinationPath: "Contracts")
    let library = try ContractLibrary.load(["\(around.path)/link"])
    #expect(library.contracts.map(\.id) == ["api/thing", "more/thing", "other/thing"])
  }

  @Test("writes through a link that leads out are refused")
  func drafted() throws {
    try link("api/files", to: "../../outside")
    let text = Sample.contract(cases: #""picture": { "status": 200, "file": "files/new" }"#)
    let library = try ContractLibrary.load(
      contracts,
      with: [
        "\(contracts)/api/thing.json": Array(text.utf8), "\(contracts)/api/files/new": [1, 2, 3],
      ])
    #expect(
      around.diagnosticText(of: library, ignoring: .missingCases) == """
        Contracts/api/thing.json:5:37: error: cannot write Contracts/api/files/new: \
        Contracts/api/files is a link to ../../outside, expected a link that stays below \
        Contracts/api [unreadable-file]
          fix: replace the link with its target
        """)
  }
}
