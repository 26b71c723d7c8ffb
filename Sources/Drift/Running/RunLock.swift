import Glibc
import UnderstudyContractModel
package import UnderstudyCore

/// Keeps a second run from asking the same upstreams at the same time, for as long as it lives. The
/// kernel lets go of it when the process ends, however that is.
package final class RunLock: Sendable {
  private let file: OpenFile

  package init(_ path: String) throws(Failure) {
    do throws(Failure) {
      file = try FileRoot(around: path).open(path, to: "write", O_RDWR | O_CREAT)
    } catch {
      throw error.fixed(by: "run it where it may write to .understudy")
    }
    guard try file.lock(LOCK_EX | LOCK_NB) else {
      let holder = Self.text(of: file)
      throw Failure(
        message: "another run is under way: "
          + (holder.isEmpty ? "it" : "process \(holder)") + " holds \(path)",
        fix: "wait for it, or end it")
    }
    ftruncate(file.descriptor, 0)
    try file.write(Array("\(getpid())\n".utf8))
  }

  /// The process that holds it, in digits.
  private static func text(of file: OpenFile) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(file.descriptor, &bytes, bytes.count, 0)
    return String(
      decoding: bytes.prefix(max(0, count)).prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
  }
}
