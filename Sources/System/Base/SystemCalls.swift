#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How this process talks to the system: by calls that Linux alone has, or by those of every
/// system.
///
/// What differs between systems is in this target, and nowhere else. A part with a faster call on
/// Linux has both forms behind one type, as `Poller` has `EpollPoller` and `PollPoller`; tests run
/// both. `chosen` is decided once for a process, so its parts never mix.
///
/// `Base` has what the other folders build on: `Errno` and `SystemError` say why a call failed,
/// `SystemThread` runs what may block, `SystemClock` tells the time, `Inheritance` keeps
/// descriptors from children, `Shortage` notices that the machine lacked something, and `CLibrary`
/// and `Calls` name functions of the C library. Read `Errno` after this file, then one of `Files`,
/// `Polling`, `Sockets`, `Processes` and `Isolation`. Calls that fail give an error; only
/// `ThisProcess` ends the process, when it is asked to.
package enum SystemCalls: Sendable {
  case fast, portable

  /// The forms that this system has.
  package static var all: [SystemCalls] {
    #if canImport(Darwin)
      [.portable]
    #else
      [.fast, .portable]
    #endif
  }

  /// Chosen when it is first needed: the first of this system, or the portable ones if
  /// `UNDERSTUDY_PORTABLE=1`.
  package static let chosen: SystemCalls = {
    let asked = getenv("UNDERSTUDY_PORTABLE").map { String(cString: $0) }
    return asked == "1" ? .portable : all[0]
  }()
}
