import Foundation
import Testing

@testable import UnderstudyContractModel
@testable import UnderstudyCore

/// A root with links in it, and what stands beside it.
@Suite struct FileRootTests {
  private let around: ContractFolder
  private var root: FileRoot { FileRoot("\(around.path)/root") }

  init() throws {
    around = try ContractFolder([
      "root/api/c.json": "inside", "root/api/files/body": "inside", "outside/c.json": "outside",
      "outside/files/body": "outside",
    ])
  }

  private func link(_ name: String, to target: String) throws {
    let path = "\(around.path)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func path(_ name: String) -> String { "\(root.path)/\(name)" }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(around.path)/\(name)", encoding: .utf8)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(around.path)/\(folder)").sorted()
  }

  /// What an access fails with, paths as seen from the root.
  private func failure(_ access: () throws(Failure) -> Void) -> String {
    do throws(Failure) {
      try access()
      return "it did not fail"
    } catch {
      return around.shortened("\(error.message), \(error.fix ?? "no fix")")
        .replacing(" root/", with: " ")
    }
  }

  @Test(
    "follows links that stay below the root, and leaves them as they are",
    arguments: [
      (["root/link.json": "api/c.json"], "link.json"),
      (["root/link.json": "chain.json", "root/chain.json": "./api/c.json"], "link.json"),
      (["root/copy": "api"], "copy/c.json"),
      (["root/api/link.json": "../api/c.json"], "api/link.json"),
      (["root/copy": "api/files/..", "root/other": "copy"], "other/c.json"),
    ])
  func inside(links: [String: String], name: String) throws {
    for (link, target) in links { try self.link(link, to: target) }
    #expect(try root.kind(of: path(name)) == .file)
    #expect(try root.read(path(name)) == Array("inside".utf8))
    try root.write(Array("new".utf8), to: path(name))
    #expect(try text("root/api/c.json") == "new")
    #expect(try names("root/api").filter { $0.hasPrefix(".") } == [])
    for (link, target) in links {
      let path = "\(around.path)/\(link)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
  }

  @Test(
    "never points outside the root",
    arguments: [
      (
        ["root/api/c.json": "../../outside/c.json"], "api/c.json",
        "it is a link to ../../outside/c.json, expected a link that stays below root"
      ),
      (
        ["root/api/c.json": "b.json", "root/api/b.json": "../../outside/c.json"], "api/c.json",
        "api/b.json is a link to ../../outside/c.json, expected a link that stays below root"
      ),
      (
        ["root/api": "../outside"], "api/c.json",
        "api is a link to ../outside, expected a link that stays below root"
      ),
      (
        ["root/up": "..", "root/api": "up/outside"], "api/c.json",
        "up is a link to .., expected a link that stays below root"
      ),
      (
        ["root/api/c.json": "/etc/passwd"], "api/c.json",
        "it is a link to /etc/passwd, expected a relative link that stays below root"
      ),
      (
        ["root/api/c.json": "../../root/api/files/body"], "api/c.json",
        "it is a link to ../../root/api/files/body, expected a link that stays below root"
      ),
      (
        ["root/api/c.json": "../../outside/\u{1B}[2J"], "api/c.json",
        #"it is a link to ../../outside/\u{1B}[2J, expected a link that stays below root"#
      ),
    ])
  func outside(links: [String: String], name: String, message: String) throws {
    for (link, target) in links.sorted(by: { $0.key < $1.key }) { try self.link(link, to: target) }
    let path = path(name)
    func says(_ verb: String) -> String {
      "cannot \(verb) \(name): \(message), replace the link with its target"
    }
    #expect(failure { () throws(Failure) in _ = try root.read(path) } == says("read"))
    #expect(failure { () throws(Failure) in _ = try root.kind(of: path) } == says("read"))
    #expect(failure { () throws(Failure) in _ = try root.names(in: path) } == says("read"))
    #expect(failure { () throws(Failure) in try root.write([], to: path) } == says("write"))
    #expect(
      failure { () throws(Failure) in
        _ = try root.open(path, to: "write", [.readsAndWrites, .creates])
      }
        == says("write"))
    try? root.remove(path)
    root.removeFolder(path)
    #expect(try text("outside/c.json") == "outside")
    #expect(try names("outside") == ["c.json", "files"])
  }

  @Test("keeps a path within a folder of the root, too")
  func within() throws {
    try link("root/other", to: "api/files")
    try link("root/api/body", to: "files/body")
    try link("root/api/files/c.json", to: "../c.json")
    #expect(try root.read(path("api/body"), within: path("api")) == Array("inside".utf8))
    #expect(try root.read(path("other/body"), within: path("other")) == Array("inside".utf8))
    #expect(
      failure { () throws(Failure) in
        _ = try root.read(path("api/files/c.json"), within: path("api/files"))
      } == """
        cannot read api/files/c.json: it is a link to ../c.json, expected a link that stays below \
        api/files, replace the link with its target
        """)
  }

  @Test("reads nothing outside the folder within the root")
  func beside() throws {
    #expect(
      failure { () throws(Failure) in
        _ = try root.read(path("api/c.json"), within: path("api/files"))
      } == """
        cannot read api/c.json: it is outside api/files, name a path inside, without ".."
        """)
  }

  @Test("may itself be a link, and paths by \"..\" do not leave it")
  func ends() throws {
    try link("link", to: "root")
    let linked = FileRoot("\(around.path)/link")
    #expect(try linked.read("\(linked.path)/api/c.json") == Array("inside".utf8))
    #expect(
      failure { () throws(Failure) in _ = try root.read(path("../outside/c.json")) } == """
        cannot read ../outside/c.json: it is outside root, name a path inside, without ".."
        """)
    #expect(
      failure { () throws(Failure) in _ = try root.read("\(around.path)/outside/c.json") } == """
        cannot read outside/c.json: it is outside root, name a path inside, without ".."
        """)
  }

  @Test("makes what is missing, the root too, and what a dangling link leads to")
  func making() throws {
    let new = FileRoot("\(around.path)/new/root")
    try new.write(Array("new".utf8), to: "\(new.path)/api/files/body")
    #expect(try text("new/root/api/files/body") == "new")
    try link("root/api/link.json", to: "files/new/d.json")
    #expect(try root.kind(of: path("api/link.json")) == nil)
    try root.write(Array("new".utf8), to: path("api/link.json"))
    #expect(try text("root/api/files/new/d.json") == "new")
    try root.remove(path("api/link.json"))
    #expect(try text("root/api/files/new/d.json") == "new")
    root.removeFolder(path("api"))
    #expect(try names("root") == [])
  }

  @Test("makes private files and folders, whatever others may do with those beside them")
  func makesPrivate() throws {
    try root.makeFolder(path("own"), isPrivate: true)
    try root.write(Array("secret".utf8), to: path("own/key"), isPrivate: true)
    try root.write(Array("known".utf8), to: path("own/note"))
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
    #expect(try mode("own") == 0o700)
    #expect(try mode("own/key") == 0o600)
    let (key, note) = (
      try root.open(path("own/key"), to: "read", []),
      try root.open(path("own/note"), to: "read", [])
    )
    #expect(key.isPrivate && key.isOwn)
    #expect(try mode("own/note") == 0o600 || !note.isPrivate)
  }

  @Test("removes what a killed writer left behind, and no other file")
  func leftovers() throws {
    for name in [".understudy-0.tmp", ".understudy-1.tmp", ".other.tmp", "c.tmp"] {
      try around.write([], to: "root/api/\(name)")
    }
    let alive = open(path("api/.understudy-0.tmp"), O_WRONLY | O_CLOEXEC)
    defer { close(alive) }
    try #require(flock(alive, LOCK_EX | LOCK_NB) == 0)
    try root.write(Array("new".utf8), to: path("api/c.json"))
    #expect(
      try names("root/api")
        == [".other.tmp", ".understudy-0.tmp", "c.json", "c.tmp", "files"])
  }

  @Test("many write one file at once, and it is always the whole of one of them")
  func together() async throws {
    let (root, path) = (root, path("api/c.json"))
    try root.write([UInt8](repeating: 0, count: 10_000), to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in UInt8(0)..<4 {
        group.addTask {
          for _ in 0..<20 {
            try root.write([UInt8](repeating: writer, count: 10_000), to: path)
            let bytes = try root.read(path)
            if bytes.count != 10_000 || Set(bytes).count != 1 {
              Issue.record("found a file that nobody has written")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try names("root/api") == ["c.json", "files"])
  }

  /// Between looking and opening a folder may become a link.
  @Test("never points outside the root while folders are swapped for links")
  func swapped() async throws {
    try link("root/link", to: "../outside")
    let (root, path) = (root, path("api/c.json"))
    let (api, link, aside) = (self.path("api"), self.path("link"), self.path("aside"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<2_000 {
          for (old, new) in [(api, aside), (link, api), (api, link), (aside, api)] {
            guard rename(old, new) == 0 else { throw POSIXError(.EIO) }
          }
        }
      }
      group.addTask {
        for _ in 0..<500 {
          if let bytes = try? root.read(path), bytes == Array("outside".utf8) {
            Issue.record("read a file outside of the root")
          }
          try? root.open(path, to: "write", .writes).write(Array("changed".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(try text("root/api/c.json") == "changed")
    #expect(try text("outside/c.json") == "outside")
    #expect(try names("outside") == ["c.json", "files"])
  }
}
