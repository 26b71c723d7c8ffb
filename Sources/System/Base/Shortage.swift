import Synchronization

/// What the system lacked for a while, such as descriptors or memory, during some work.
///
/// It is noticed even where what failed was left out in silence, and only by the work it befell:
/// on this thread, and on those of `AllProcessors` that help it.
package final class Shortage: Sendable {
  @TaskLocal static var noticed: Shortage?

  private let last = Mutex<String?>(nil)

  private init() {}

  /// Does some work, and says what failed last for a reason that passes; `nil` if nothing did.
  package static func noticing<Value, Refusal: Error>(
    during work: () throws(Refusal) -> Value
  ) -> (result: Result<Value, Refusal>, complaint: String?) {
    let shortage = Shortage()
    let result = $noticed.withValue(shortage) { Result(catching: work) }
    return (result, shortage.last.withLock { $0 })
  }

  /// Tells whoever notices that a system call failed.
  package static func note(_ code: Errno, _ complaint: String) {
    guard code.isPassing, let noticed else { return }
    noticed.last.withLock { $0 = complaint }
  }
}
