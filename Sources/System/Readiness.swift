import Glibc

/// Waits on this thread until descriptors can be read or written.
package enum Readiness {
  /// Those that can be read, by their places, or whose other side is gone; a negative one never is.
  ///
  /// - Parameters:
  ///   - writes: places of those that are to be written instead.
  ///   - milliseconds: how long to wait; negative for ever.
  package static func wait(
    for descriptors: [Int32], writes: Set<Int> = [], milliseconds: Int32 = -1
  ) -> Set<Int> {
    var states = descriptors.enumerated().map { place, descriptor in
      pollfd(
        fd: descriptor, events: Int16(writes.contains(place) ? POLLOUT : POLLIN), revents: 0)
    }
    guard poll(&states, nfds_t(states.count), milliseconds) > 0 else { return [] }
    return Set(states.indices.filter { states[$0].revents != 0 })
  }

  /// Whether one of them can be read at this moment.
  package static func isReadable(_ descriptors: [Int32]) -> Bool {
    !wait(for: descriptors, milliseconds: 0).isEmpty
  }
}
