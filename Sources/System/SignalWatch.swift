import Glibc
import UnderstudyCLinux

/// The signals that ask this process to end, to be read like a file.
///
/// Must be made before any thread: threads inherit which signals are held back.
package struct SignalWatch: ~Copyable {
  /// Readable when a signal has come.
  package let descriptor: Int32
  private let watched: sigset_t

  package init() throws(SystemError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // By nohup somebody says that we are to go on without a terminal.
    if clinux_ignores(SIGHUP) == 0 { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    watched = signals
    guard descriptor >= 0 else {
      throw .last("watch for signals")
    }
  }

  deinit { close(descriptor) }

  /// From now on a signal ends this process, as if nobody watched. For the thread that made this.
  package borrowing func letThrough() {
    var signals = watched
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether a signal has come since the last time.
  package borrowing func take() -> Bool { next() != nil }

  /// The next of the signals that have come. One from the kernel is a key on the terminal, which
  /// sends it to the processes we started as well.
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
