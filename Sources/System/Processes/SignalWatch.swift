#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// The signals that ask this process to end, read like a file.
///
/// Create it before any thread: threads inherit the blocked signals.
package struct SignalWatch: ~Copyable {
  enum Form: ~Copyable {
    case fast(SignalDescriptor)
    case portable(SignalPipe)
  }

  private let form: Form
  /// Readable when a signal has arrived.
  package let descriptor: Int32

  package init(_ calls: SystemCalls = .chosen) throws(SystemError) {
    var numbers = [SIGINT, SIGTERM]
    // nohup asks us to keep running without a terminal.
    if !Self.isIgnored(SIGHUP) { numbers.append(SIGHUP) }
    switch calls {
    case .fast:
      let watch = try SignalDescriptor(numbers)
      descriptor = watch.descriptor
      form = .fast(watch)
    case .portable:
      let watch = try SignalPipe(numbers)
      descriptor = watch.descriptor
      form = .portable(watch)
    }
  }

  /// From now on, a signal ends this process as usual. Call it on the thread that created this.
  package borrowing func letThrough() {
    switch form {
    case .fast(let watch): watch.letThrough()
    case .portable(let watch): watch.letThrough()
    }
  }

  /// Whether a signal has arrived since the last call.
  package borrowing func take() -> Bool { next() != nil }

  /// The next signal that has arrived. One from the kernel comes from a key on the terminal, which
  /// also sends it to the processes we started.
  package borrowing func next() -> (number: Int32, isFromKernel: Bool)? {
    switch form {
    case .fast(let watch): watch.next()
    case .portable(let watch): watch.next()
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SAFETY: the handler comes first in the structure of either system; it is compared only.
    return withUnsafeBytes(of: &action) { $0.load(as: Int.self) }
      == unsafeBitCast(SIG_IGN, to: Int.self)
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
