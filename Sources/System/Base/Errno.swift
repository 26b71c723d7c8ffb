#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a system call failed, as the system's error number.
package struct Errno: Error, Hashable, Sendable {
  package let rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  /// Why the call failed that was made last.
  static var last: Errno { Errno(rawValue: errno) }

  package static let accessDenied = Errno(rawValue: EACCES)
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let addressNotAvailable = Errno(rawValue: EADDRNOTAVAIL)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let busy = Errno(rawValue: EBUSY)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  package static let exists = Errno(rawValue: EEXIST)
  /// A name has a NUL, at which the C library would take it to end.
  package static let holdsNUL = Errno(rawValue: -1)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let notFolder = Errno(rawValue: ENOTDIR)
  package static let notFound = Errno(rawValue: ENOENT)
  package static let outOfRange = Errno(rawValue: ERANGE)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let tooManyLinks = Errno(rawValue: ELOOP)
  package static let tooManyOpenFiles = Errno(rawValue: EMFILE)

  static let inProgress = Errno(rawValue: EINPROGRESS)
  static let interrupted = Errno(rawValue: EINTR)
  static let wouldBlock = Errno(rawValue: EAGAIN)
}

extension Errno {
  /// Whether a file may still be written in place where it cannot be replaced for this reason: its
  /// folder may not be changed, or it is a mount point.
  package var leavesWritingInPlace: Bool {
    [EACCES, EPERM, EROFS, EBUSY].contains(rawValue)
  }

  /// Whether the call may succeed later although nothing has changed: descriptors, memory or a
  /// server were missing.
  package var isPassing: Bool {
    [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, ESTALE, ETIMEDOUT].contains(rawValue)
  }

  /// Every name that comes from outside passes here on its way to the C library.
  package static func check(_ names: String?...) throws(Errno) {
    try check(names.compactMap(\.self))
  }

  static func check(_ names: [String]) throws(Errno) {
    if names.contains(where: \.hasNUL) { throw holdsNUL }
  }
}

extension Errno: CustomStringConvertible {
  /// `no such file or directory`
  package var description: String {
    self == .holdsNUL
      ? "found a NUL in its name, expected none" : String(cString: strerror(rawValue)).lowercased()
  }
}

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Errno
  /// What was attempted, to follow "cannot".
  package let attempt: String

  package init(_ code: Errno, attempt: String) {
    (self.code, self.attempt) = (code, attempt)
  }

  /// An error for the call that has just failed.
  static func last(_ attempt: String) -> SystemError { SystemError(.last, attempt: attempt) }

  package var description: String { "cannot \(attempt): \(code)" }
}
