import UnderstudyContractModel
package import UnderstudyCore
import UnderstudySystem

/// Prevents a second run at the same time, for as long as it exists. The kernel releases it when
/// the process ends, even in a crash.
package final class RunLock: Sendable {
  private let file: OpenFile

  package init(_ path: String) throws(Failure) {
    do throws(Failure) {
      file = try FileRoot(around: path).open(path, to: "write", [.readsAndWrites, .creates])
    } catch {
      throw error.fixed(by: "run it in a folder where .understudy is writable")
    }
    guard try file.lock(.exclusiveAtOnce) else {
      let holder = Self.text(of: file)
      throw Failure(
        message: "another run is in progress: "
          + (holder.isEmpty ? "it" : "process \(holder)") + " holds \(path)",
        fix: "wait for it, or stop it")
    }
    file.empty()
    try file.write(Array("\(ThisProcess.number)\n".utf8))
  }

  /// The id of the process that holds it, in digits.
  private static func text(of file: OpenFile) -> String {
    let bytes = file.read(byteCountMax: 20, at: 0)
    return String(decoding: bytes.prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
  }
}
