#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a system call failed, as the system's error number.
package struct Errno: Error, Hashable, Sendable {
  package let rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  /// Of the call that has just failed.
  static var last: Errno { Errno(rawValue: errno) }

  package static let accessDenied = Errno(rawValue: EACCES)
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let addressNotAvailable = Errno(rawValue: EADDRNOTAVAIL)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let busy = Errno(rawValue: EBUSY)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
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

extension Errno: CustomStringConvertible {
  /// `no such file or directory`
  package var description: String { String(cString: strerror(rawValue)).lowercased() }
}

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Errno
  /// What was attempted, to follow "cannot".
  package let attempt: String

  package init(_ code: Errno, attempt: String) {
    (self.code, self.attempt) = (code, attempt)
  }

  /// Of the call that has just failed.
  static func last(_ attempt: String) -> SystemError { SystemError(.last, attempt: attempt) }

  package var description: String { "cannot \(attempt): \(code)" }
}
