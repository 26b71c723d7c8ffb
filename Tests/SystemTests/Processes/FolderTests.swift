import Foundation
import Testing

@testable import UnderstudySystem

/// Folders of a process or of its user.
@Suite struct FolderTests {
  @Test("a scratch folder is its user's alone, and goes with its files")
  func scratch() throws {
    let path: String
    do {
      let folder = try ScratchFolder()
      path = folder.path
      try Data("a".utf8).write(to: URL(fileURLWithPath: "\(path)/a"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      withExtendedLifetime(folder) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("those of killed processes are removed, and no others")
  func abandoned() throws {
    let used = try ScratchFolder()
    let parent = URL(fileURLWithPath: used.path).deletingLastPathComponent()
    func folder(_ name: String) throws -> String {
      let path = parent.appending(path: name + UUID().uuidString).path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data("a".utf8).write(to: URL(fileURLWithPath: "\(path)/a"))
      return path
    }
    let (left, young, other) = (
      try folder("understudy-run-"), try folder("understudy-run-"), try folder("understudy-other-")
    )
    for path in [used.path, left, other] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: path)
    }
    ScratchFolder.removeAbandoned()
    let found = [used.path, left, young, other].map(FileManager.default.fileExists)
    #expect(found == [true, false, true, true])
    for path in [young, other] { try FileManager.default.removeItem(atPath: path) }
  }

  @Test(
    "a state folder is where the environment says, if that is an absolute path",
    arguments: [
      (["XDG_STATE_HOME": "/state", "HOME": "/h"], "/state/tool"),
      (["XDG_STATE_HOME": "state", "HOME": "/h"], "/h/.local/state/tool"),
      (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/tool"),
      (["HOME": "h"], nil), ([:], nil),
    ] as [([String: String], String?)])
  func state(environment: [String: String], path: String?) {
    #expect(StateFolder.path(for: "tool") { environment[$0] } == path)
  }
}
