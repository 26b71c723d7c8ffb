import Synchronization

/// The names of the header fields that were read from some responses, even if the field did not
/// exist, and whether a body was. Shared by all copies of those responses; any thread may use it.
package final class HeaderReads: Sendable {
  private struct Reads {
    var names: Set<String> = []
    var isAll = false
    var isBodyRead = false
  }

  private let reads = Mutex(Reads())

  package init() {}

  func note(_ name: String) { _ = reads.withLock { $0.names.insert(name.lowercased()) } }

  /// Iterating over all fields may read each of them.
  func noteAll() { reads.withLock { $0.isAll = true } }

  func noteBody() { reads.withLock { $0.isBodyRead = true } }

  /// Whether the body of any of the responses was read.
  package var isBodyRead: Bool { reads.withLock { $0.isBodyRead } }

  package func isRead(_ name: String) -> Bool {
    reads.withLock { $0.isAll || $0.names.contains(name.lowercased()) }
  }
}
