import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// Signals whose handler writes them to a pipe, which all watches of this process read.
struct SignalPipe: ~Copyable {
  private struct Shared {
    var ends: (read: Int32, write: Int32)?
    var watchCount = 0
    /// What the signals did before the first watch.
    var actions: [(number: Int32, action: sigaction)] = []
  }

  private static let shared = Mutex(Shared())
  /// All that the handler reads.
  private static let writeEnd = Atomic<Int32>(-1)
  /// Computed: the handler must not be the first to make a value.
  private static var fromKernel: UInt8 { 0x80 }

  let descriptor: Int32
  private let isWatching = Atomic(true)

  init(_ numbers: [Int32]) throws(SystemError) {
    let descriptor = Self.shared.withLock { shared -> Int32? in
      guard let ends = shared.ends ?? Inheritance.pipeEnds(waits: false, .portable) else {
        return nil
      }
      shared.ends = ends
      Self.writeEnd.store(ends.write, ordering: .relaxed)
      if shared.watchCount == 0 { shared.actions = numbers.map { ($0, Self.handle($0)) } }
      shared.watchCount += 1
      return ends.read
    }
    guard let descriptor else { throw .last("watch for signals") }
    // Whoever started this process may block them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    self.descriptor = descriptor
  }

  deinit { letThrough() }

  /// What the last watch of several handles again what it did before.
  borrowing func letThrough() {
    guard isWatching.exchange(false, ordering: .relaxed) else { return }
    Self.shared.withLock { shared in
      shared.watchCount -= 1
      guard shared.watchCount == 0 else { return }
      for (number, action) in shared.actions {
        var action = action
        sigaction(number, &action, nil)
      }
    }
  }

  borrowing func next() -> (number: Int32, isFromKernel: Bool)? {
    var byte: UInt8 = 0
    guard read(descriptor, &byte, 1) == 1 else { return nil }
    return (Int32(byte & ~Self.fromKernel), byte & Self.fromKernel != 0)
  }

  /// Returns the action before.
  private static func handle(_ number: Int32) -> sigaction {
    // SAFETY: the system passes what it knows of the signal, for the time of the call. Between any two
    // instructions of this process, the handler makes one call that is allowed there, with a value
    // that was stored before, and leaves `errno` as it was.
    let handler:
      @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
        number, info, _ in
        let code = errno
        #if canImport(Darwin)
          let isFromKernel = info?.pointee.si_pid == 0
        #else
          let isFromKernel = info?.pointee.si_code == Int32(SI_KERNEL)
        #endif
        var byte = UInt8(truncatingIfNeeded: number)
        if isFromKernel { byte |= SignalPipe.fromKernel }
        write(SignalPipe.writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = code
      }
    var (action, before) = (sigaction(), sigaction())
    #if canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = handler
    #else
      action.__sigaction_handler.sa_sigaction = handler
    #endif
    action.sa_flags = SA_SIGINFO | SA_RESTART
    sigaction(number, &action, &before)
    return before
  }
}
