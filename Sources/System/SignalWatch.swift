import Glibc
import UnderstudyCLinux

/// The signals that ask this process to end, read like a file.
///
/// Create it before any thread: threads inherit the blocked signals.
package struct SignalWatch: ~Copyable {
  /// Readable when a signal has arrived.
  package let descriptor: Int32
  private let watched: sigset_t

  package init() throws(SystemError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // nohup asks us to keep running without a terminal.
    if clinux_ignores(SIGHUP) == 0 { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    watched = signals
    guard descriptor >= 0 else {
      throw .last("watch for signals")
    }
  }

  deinit { close(descriptor) }

  /// From now on, a signal ends this process as usual. Call it on the thread that created this.
  package borrowing func letThrough() {
    var signals = watched
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether a signal has arrived since the last call.
  package borrowing func take() -> Bool { next() != nil }

  /// The next signal that has arrived. One from the kernel comes from a key on the terminal, which
  /// also sends it to the processes we started.
  package borrowing func next() -> (number: Int32, isFromKernel: Bool)? {
    var info = signalfd_siginfo()
    guard read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 else { return nil }
    return (Int32(info.ssi_signo), info.ssi_code == SI_KERNEL)
  }
}

extension SignalWatch {
  /// `SIGTERM`
  package static func name(of number: Int32) -> String {
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
      SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
    ]
    return names[number] ?? "signal \(number)"
  }
}
