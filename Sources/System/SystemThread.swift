import Glibc
import UnderstudyCLinux

/// A thread of our own, which may wait without keeping a task from running.
package struct SystemThread: @unchecked Sendable {
  // SAFETY: (`@unchecked Sendable`) the number of a thread, which any thread may wait for.
  private let id: pthread_t

  /// Runs a job on a new thread.
  @discardableResult
  package init(_ job: sending @escaping () -> Void) throws(SystemError) {
    var id = pthread_t()
    let argument = Unmanaged.passRetained(Job(job))
    let code = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        // SAFETY: retained for this thread alone, by the call that started it.
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError(Errno(rawValue: code), attempt: "start a thread")
    }
    self.id = id
  }

  /// Waits for its end. To be called once, or `detach` is.
  package func join() { pthread_join(id, nil) }

  /// Lets it end by itself.
  package func detach() { pthread_detach(id) }

  /// Keeps signals from the thread this is called on: they are for threads that know them.
  package static func holdBackSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Lets other threads run that wait for this processor.
  package static func yield() { sched_yield() }

  private final class Job {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
