internal import Foundation
internal import UnderstudySystem

/// What C says differently on each system.
package enum Platform {
  package static var streamKind: Int32 { Socket.streamKind }

  /// For `send`: no signal if nobody listens any more.
  package static var sendingFlags: Int32 { Socket.sendingFlags }

  /// A socket for TCP that other programs do not inherit.
  package static func socket() -> Int32 {
    let descriptor = Foundation.socket(AF_INET, streamKind, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
