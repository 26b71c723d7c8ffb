import Glibc
import UnderstudyCLinux

/// The kernel's list of descriptors to watch.
///
/// Owned by one loop and used only on its thread.
public struct Poller: ~Copyable {
  package struct Event {
    package let token: UInt64
    package let isReadable: Bool
    package let isWritable: Bool
    /// The peer has shut down its side; data it sent before may still be unread.
    package let hasHungUp: Bool
    /// The connection is reset or has failed.
    package let hasFailed: Bool
  }

  private let descriptor: Int32
  private let events: UnsafeMutableBufferPointer<epoll_event>

  package init(eventCountMax: Int = 256) throws(SystemError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .last("watch sockets") }
    // SAFETY: freed by deinit; the kernel fills it before it is read, up to the count it returns.
    events = .allocate(capacity: eventCountMax)
  }

  deinit {
    close(descriptor)
    events.deallocate()
  }

  /// Which events to report; failures are always reported.
  ///
  /// Public, so that the compiler compares two inline in other modules.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or the client has closed.
    package static let reads = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    package static let hangUps = Interest(rawValue: EPOLLRDHUP.rawValue)
    package static let writes = Interest(rawValue: EPOLLOUT.rawValue)
  }

  package borrowing func add(_ target: Int32, token: UInt64, _ interest: Interest = .reads) -> Bool
  {
    control(EPOLL_CTL_ADD, target, token, interest)
  }

  package borrowing func change(_ target: Int32, token: UInt64, _ interest: Interest) {
    _ = control(EPOLL_CTL_MOD, target, token, interest)
  }

  package borrowing func remove(_ target: Int32) {
    _ = control(EPOLL_CTL_DEL, target, 0, [])
  }

  private borrowing func control(
    _ operation: Int32, _ target: Int32, _ token: UInt64, _ interest: Interest
  ) -> Bool {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = token
    return epoll_ctl(descriptor, operation, target, &event) == 0
  }

  /// Waits for events until the timeout in nanoseconds (negative: no timeout); returns their count.
  package borrowing func wait(nanoseconds: Int64) -> Int {
    Int(max(0, clinux_epoll_wait(descriptor, events.baseAddress, Int32(events.count), nanoseconds)))
  }

  /// One of the events from the last `wait`.
  package borrowing func event(at index: Int) -> Event {
    let event = events[index]
    let flags = event.events
    return Event(
      token: event.data.u64,
      isReadable: flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
      isWritable: flags & EPOLLOUT.rawValue != 0,
      hasHungUp: flags & EPOLLRDHUP.rawValue != 0,
      hasFailed: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
  }
}
