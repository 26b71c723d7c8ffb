/// The kernel's list of descriptors to watch.
///
/// Owned by one loop and used only on its thread. Whoever adds a descriptor chooses its token, gets
/// events by it, and calls `forget` before closing it.
///
/// `EpollPoller` and `PollPoller` are its two forms. Another thread wakes the owner with a
/// `Wakeup`, which is watched like any descriptor. `Readiness` is for threads that have no poller:
/// it blocks until one of a few descriptors is ready.
public struct Poller: ~Copyable {
  /// What happened to a watched descriptor; several things may have happened at once.
  package struct Event {
    package let token: UInt64
    package let isReadable: Bool
    package let isWritable: Bool
    /// The peer has shut down its side; data it sent before may still be unread.
    package let hasHungUp: Bool
    /// The connection is reset or has failed.
    package let hasFailed: Bool
  }

  /// Which events to report; failures are always reported.
  ///
  /// Public, so that the compiler compares two inline in other modules.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to read, or the client has closed.
    package static let reads = Interest(rawValue: 1)
    package static let hangUps = Interest(rawValue: 2)
    package static let writes = Interest(rawValue: 4)
  }

  enum Form: ~Copyable {
    case fast(EpollPoller)
    case portable(PollPoller)
  }

  private let form: Form

  package init(eventCountMax: Int = 256, _ calls: SystemCalls = .chosen) throws(SystemError) {
    form =
      switch calls {
      case .fast: .fast(try EpollPoller(eventCountMax: eventCountMax))
      case .portable: .portable(try PollPoller(eventCountMax: eventCountMax))
      }
  }

  package borrowing func add(_ target: Int32, token: UInt64, _ interest: Interest = .reads) -> Bool
  {
    switch form {
    case .fast(let poller): poller.add(target, token: token, interest)
    case .portable(let poller): poller.add(target, token: token, interest)
    }
  }

  package borrowing func change(_ target: Int32, token: UInt64, _ interest: Interest) {
    switch form {
    case .fast(let poller): poller.change(target, token: token, interest)
    case .portable(let poller): poller.change(target, token: token, interest)
    }
  }

  package borrowing func remove(_ target: Int32) {
    switch form {
    case .fast(let poller): poller.remove(target)
    case .portable(let poller): poller.remove(target)
    }
  }

  /// To call before a watched descriptor is closed, which spares the kernel's list a call.
  package borrowing func forget(_ target: Int32) {
    switch form {
    case .fast: break
    case .portable(let poller): poller.remove(target)
    }
  }

  /// Waits for events until the timeout in nanoseconds (negative: no timeout); returns their count.
  package borrowing func wait(nanoseconds: Int64) -> Int {
    switch form {
    case .fast(let poller): poller.wait(nanoseconds: nanoseconds)
    case .portable(let poller): poller.wait(nanoseconds: nanoseconds)
    }
  }

  /// One of the events from the last `wait`.
  package borrowing func event(at index: Int) -> Event {
    switch form {
    case .fast(let poller): poller.event(at: index)
    case .portable(let poller): poller.event(at: index)
    }
  }
}
