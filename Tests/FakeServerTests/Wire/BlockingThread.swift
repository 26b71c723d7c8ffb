import Dispatch

/// A thread for a test that waits on sockets. The language's own threads are as few as the
/// machine's cores: tests that blocked them would keep all others from going on.
final class BlockingThread: TaskExecutor {
  private let queue = DispatchQueue(label: "blocking")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a test there.
  static func run(_ test: () async throws -> Void) async throws {
    try await withTaskExecutorPreference(BlockingThread(), operation: test)
  }
}
