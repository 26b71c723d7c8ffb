import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// Keeps descriptors from child processes where no call does so as it makes them: until they are
/// marked, no child is started.
enum Inheritance {
  private static let startingChildren = Mutex(())

  /// Starts a child.
  static func withoutNewDescriptors<Result: Sendable>(_ start: () -> Result) -> Result {
    startingChildren.withLock { _ in start() }
  }

  /// A new descriptor, marked at once; negative if there is none.
  static func marked(waits: Bool = true, _ make: () -> Int32) -> Int32 {
    startingChildren.withLock { _ in
      let descriptor = make()
      if descriptor >= 0 { mark(descriptor, waits: waits) }
      return descriptor
    }
  }

  /// Both ends of a pipe; `nil` if there is none.
  static func pipeEnds(
    waits: Bool = true, _ calls: SystemCalls = .chosen
  ) -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if !canImport(Darwin)
      if calls == .fast {
        let flags = waits ? O_CLOEXEC : O_CLOEXEC | O_NONBLOCK
        return pipe2(&ends, flags) == 0 ? (ends[0], ends[1]) : nil
      }
    #endif
    return startingChildren.withLock { _ in
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { mark(end, waits: waits) }
      return (ends[0], ends[1])
    }
  }

  private static func mark(_ descriptor: Int32, waits: Bool) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if !waits { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }
}
