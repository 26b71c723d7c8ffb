import Glibc
import UnderstudyCLinux

/// A dedicated thread, which may block without blocking tasks.
package struct SystemThread: @unchecked Sendable {
  // SAFETY: (`@unchecked Sendable`) the number of a thread, which any thread may join.
  private let id: pthread_t

  /// Runs a job on a new thread.
  package init(_ job: sending @escaping () -> Void) throws(SystemError) {
    var id = pthread_t()
    let argument = Unmanaged.passRetained(Job(job))
    let code = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        // SAFETY: retained for this thread only, by the call that started it.
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError(Errno(rawValue: code), attempt: "start a thread")
    }
    self.id = id
  }

  /// Waits for the thread to end. Call either this or `detach`, once.
  package func join() { pthread_join(id, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(id) }

  /// Blocks signals on the calling thread: other threads handle them.
  package static func holdBackSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Lets other threads that wait for this processor run.
  package static func yield() { sched_yield() }

  private final class Job {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
