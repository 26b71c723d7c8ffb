import Glibc

/// Why a run may not start.
package struct RunLockError: Error, Hashable, Sendable {
  package let message: String
  package let fix: String?
}

/// Keeps a second run from asking the same upstreams at the same time, for as long as it lives. The
/// kernel lets go of it when the process ends, however that is.
package final class RunLock: Sendable {
  private let descriptor: Int32

  /// The folder of the file has to be there.
  package init(_ path: String) throws(RunLockError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw RunLockError(
        message: "cannot write \(path): \(String(cString: strerror(errno)).lowercased())",
        fix: "run it where it may write to .understudy")
    }
    if let reason = Self.obstacle(to: file) {
      guard reason == EWOULDBLOCK else {
        close(file)
        throw RunLockError(
          message: "cannot lock \(path): \(String(cString: strerror(reason)).lowercased())",
          fix: "run it where .understudy is on a file system that has locks")
      }
      let holder = Self.text(of: file)
      close(file)
      throw RunLockError(
        message: "another run is under way: "
          + (holder.isEmpty ? "it" : "process \(holder)") + " holds \(path)",
        fix: "wait for it, or end it")
    }
    descriptor = file
    let words = Array("\(getpid())\n".utf8)
    ftruncate(file, 0)
    _ = pwrite(file, words, words.count, 0)
  }

  deinit { close(descriptor) }

  /// The system's number for why it is not ours now.
  private static func obstacle(to file: Int32) -> Int32? {
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      if reason != EINTR { return reason }
    }
    return nil
  }

  /// The process that holds it, in digits.
  private static func text(of file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(
      decoding: bytes.prefix(max(0, count)).prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
  }
}
