#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A dedicated thread, which may block without blocking tasks.
package struct SystemThread: @unchecked Sendable {
  // SAFETY: (`@unchecked Sendable`) the number of a thread, which any thread may join.
  private let id: pthread_t

  /// Runs a job on a new thread.
  package init(_ job: sending @escaping () -> Void) throws(SystemError) {
    #if canImport(Darwin)
      var id: pthread_t?
    #else
      var id = pthread_t()
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // What Linux gives: Darwin's half a megabyte is little for deep documents.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let argument = Unmanaged.passRetained(Job(job))
    let code = pthread_create(
      &id, &attributes,
      { argument in
        let given: UnsafeMutableRawPointer? = argument
        guard let argument = given else { return nil }
        // SAFETY: retained for this thread only, by the call that started it.
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    let created: pthread_t? = id
    guard code == 0, let created else {
      argument.release()
      throw SystemError(Errno(rawValue: code), attempt: "start a thread")
    }
    self.id = created
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
