#if canImport(Darwin)
  typealias EpollPoller = PollPoller
#else
  import Glibc
  import UnderstudyCLinux

  /// A poller over epoll, which keeps the list itself and forgets descriptors that are closed.
  struct EpollPoller: ~Copyable {
    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init(eventCountMax: Int) throws(SystemError) {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard descriptor >= 0 else { throw .last("watch sockets") }
      // SAFETY: freed by deinit; the kernel fills it before it is read, up to the count it returns.
      events = .allocate(capacity: eventCountMax)
    }

    deinit {
      close(descriptor)
      events.deallocate()
    }

    borrowing func add(_ target: Int32, token: UInt64, _ interest: Poller.Interest) -> Bool {
      control(EPOLL_CTL_ADD, target, token, interest)
    }

    borrowing func change(_ target: Int32, token: UInt64, _ interest: Poller.Interest) {
      _ = control(EPOLL_CTL_MOD, target, token, interest)
    }

    borrowing func remove(_ target: Int32) { _ = control(EPOLL_CTL_DEL, target, 0, []) }

    private borrowing func control(
      _ operation: Int32, _ target: Int32, _ token: UInt64, _ interest: Poller.Interest
    ) -> Bool {
      var event = epoll_event()
      if interest.contains(.reads) { event.events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
      if interest.contains(.hangUps) { event.events |= EPOLLRDHUP.rawValue }
      if interest.contains(.writes) { event.events |= EPOLLOUT.rawValue }
      event.data.u64 = token
      return epoll_ctl(descriptor, operation, target, &event) == 0
    }

    borrowing func wait(nanoseconds: Int64) -> Int {
      let count = clinux_epoll_wait(
        descriptor, events.baseAddress, Int32(events.count), nanoseconds)
      return Int(max(0, count))
    }

    borrowing func event(at index: Int) -> Poller.Event {
      let event = events[index]
      let flags = event.events
      return Poller.Event(
        token: event.data.u64,
        isReadable: flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
        isWritable: flags & EPOLLOUT.rawValue != 0,
        hasHungUp: flags & EPOLLRDHUP.rawValue != 0,
        hasFailed: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
    }
  }
#endif
