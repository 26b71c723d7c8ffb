#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How this process talks to the system: by calls that Linux alone has, or by those of every system.
package enum Half: Sendable {
  case fast, portable

  /// The halves of this system.
  package static var all: [Half] {
    #if canImport(Darwin)
      [.portable]
    #else
      [.fast, .portable]
    #endif
  }

  /// Chosen when it is first needed: the first half of this system, or the portable one if
  /// `UNDERSTUDY_PORTABLE=1`.
  package static let chosen: Half = {
    let asked = getenv("UNDERSTUDY_PORTABLE").map { String(cString: $0) }
    return asked == "1" ? .portable : all[0]
  }()
}
