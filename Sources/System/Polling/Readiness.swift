#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Blocks this thread until descriptors can be read or written.
package enum Readiness {
  /// The indices of those that are readable or whose other side has closed; negative descriptors
  /// are skipped.
  ///
  /// - Parameters:
  ///   - writes: indices of those to wait for writing instead.
  ///   - milliseconds: how long to wait; negative for no limit.
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

  /// Whether one of them is readable now.
  package static func isReadable(_ descriptors: [Int32]) -> Bool {
    !wait(for: descriptors, milliseconds: 0).isEmpty
  }
}
