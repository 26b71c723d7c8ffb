#if canImport(Darwin)
  typealias SignalDescriptor = SignalPipe
#else
  import Glibc
  import UnderstudyCLinux

  /// Signals that are blocked, and read from the kernel.
  struct SignalDescriptor: ~Copyable {
    let descriptor: Int32
    private let watched: sigset_t

    init(_ numbers: [Int32]) throws(SystemError) {
      var signals = sigset_t()
      sigemptyset(&signals)
      for number in numbers { sigaddset(&signals, number) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
      watched = signals
      guard descriptor >= 0 else { throw .last("watch for signals") }
    }

    deinit { close(descriptor) }

    borrowing func letThrough() {
      var signals = watched
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    borrowing func next() -> (number: Int32, isFromKernel: Bool)? {
      var info = signalfd_siginfo()
      guard read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 else { return nil }
      return (Int32(info.ssi_signo), info.ssi_code == SI_KERNEL)
    }
  }
#endif
