import UnderstudyContractModel
package import UnderstudyCore
import UnderstudySystem

/// Keeps a second run from asking the same upstreams at the same time, for as long as it lives. The
/// kernel lets go of it when the process ends, however that is.
package final class RunLock: Sendable {
  private let file: OpenFile

  package init(_ path: String) throws(Failure) {
    do throws(Failure) {
      file = try FileRoot(around: path).open(path, to: "write", [.readsAndWrites, .creates])
    } catch {
      throw error.fixed(by: "run it where it may write to .understudy")
    }
    guard try file.lock(.exclusiveAtOnce) else {
      let holder = Self.text(of: file)
      throw Failure(
        message: "another run is under way: "
          + (holder.isEmpty ? "it" : "process \(holder)") + " holds \(path)",
        fix: "wait for it, or end it")
    }
    file.empty()
    try file.write(Array("\(ThisProcess.number)\n".utf8))
  }

  /// The process that holds it, in digits.
  private static func text(of file: OpenFile) -> String {
    let bytes = file.read(byteCountMax: 20, at: 0)
    return String(decoding: bytes.prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
  }
}
