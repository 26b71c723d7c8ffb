/// Work for a client that waits for its response. It is over when nothing refers to it any more:
/// the response is there, or nobody waits for it.
package final class Errand: Sendable {
  private let task: Task<Void, Never>
  private let whenOver: @Sendable () -> Void

  /// When it is over, `work` is cancelled, and `whenOver` is called before anything else happens to
  /// the connection.
  package init(
    _ work: @escaping @Sendable () async -> Void, whenOver: @escaping @Sendable () -> Void = {}
  ) {
    task = Task.detached(operation: work)
    self.whenOver = whenOver
  }

  deinit {
    task.cancel()
    whenOver()
  }
}
