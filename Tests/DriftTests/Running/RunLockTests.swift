import UnderstudyContractModel
import UnderstudyCore
@testable import UnderstudyDrift
import Foundation
import Testing

@Suite struct RunLockTests {
  @Test("keeps a second run out for as long as the first lives, and names it")
  func second() throws {
    let folder = TestFolder()
    let path = "\(folder.path)/lock"
    // A process that was killed left its number behind, and that is all.
    try folder.write(Array("999999\n".utf8), path)
    var first: RunLock? = try RunLock(path)
    #expect(first != nil)
    #expect(
      throws: Failure(
        message: "another run is in progress: process \(getpid()) holds \(path)",
        fix: "wait for it, or stop it")
    ) { try RunLock(path) }
    first = nil
    _ = try RunLock(path)
  }

  @Test("says where it cannot write")
  func readOnly() throws {
    let folder = TestFolder()
    try folder.write([], "\(folder.path)/file")
    #expect(
      throws: Failure(
        message: "cannot write \(folder.path)/file/lock: not a directory",
        fix: "run it in a folder where .understudy is writable")
    ) { try RunLock("\(folder.path)/file/lock") }
  }
}
