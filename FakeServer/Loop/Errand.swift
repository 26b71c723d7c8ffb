/// Work for a client that waits for its answer. It is cancelled when nothing refers to it any more.
package final class Errand: Sendable {
  private let task: Task<Void, Never>

  package init(_ work: @escaping @Sendable () async -> Void) {
    task = Task.detached(operation: work)
  }

  deinit { task.cancel() }
}
