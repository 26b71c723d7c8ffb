import CCurl
import CLinux
import Glibc

/// Drives every transfer of one transport.
///
/// Made by another thread, then owned by the driver's alone, curl with it. Continuations are resumed
/// when curl has let go of their transfer.
final class CurlLoop {
  private struct Finished: Sendable {
    let waiter: CurlWaiter
    let outcome: CurlOutcome

    func tell() { waiter.resume(returning: outcome) }
  }

  private let configuration: CurlConfiguration
  private let mailbox: CurlMailbox
  private let multi: UnsafeMutableRawPointer
  private let poller: Int32
  private var active: [Int: CurlHandle] = [:]
  private var idle: [CurlHandle] = []
  private var isClosing = false
  private var isCleanedUp = false
  private var closed: [CheckedContinuation<Void, Never>] = []
  /// What is to be told when this round's work is done: whoever is told competes for the processor.
  private var finished: [Finished] = []
  /// When curl wants to be called, in nanoseconds.
  private var timer: Int64?
  /// When the next transfer may have stalled or be out of time.
  private var check: Int64?
  private let time = LoopTime()

  init(_ configuration: CurlConfiguration, _ mailbox: CurlMailbox) throws(TransportError) {
    self.configuration = configuration
    self.mailbox = mailbox
    guard let multi = curl_multi_init() else {
      throw TransportError(.failed, "libcurl lacks memory")
    }
    self.multi = multi
    poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poller >= 0 else { throw .system("watch sockets") }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.fd = mailbox.descriptor
    epoll_ctl(poller, EPOLL_CTL_ADD, mailbox.descriptor, &event)
    let connectionCountMax = max(1, configuration.connectionCountMax)
    ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connectionCountMax)
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connectionCountMax)
    // SAFETY: the loop outlives the handle: `deinit` cleans it up, and the callbacks run only within
    // calls that the loop makes.
    ccurl_multi_set_callbacks(
      multi, onSocket, onTimer, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    if !isCleanedUp { curl_multi_cleanup(multi) }
    Glibc.close(poller)
  }

  func run() {
    // Encrypted connections are written to without MSG_NOSIGNAL; other signals are for the
    // threads that know them.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var events = [epoll_event](repeating: epoll_event(), count: 128)
    var commands: [CurlCommand] = []
    while !isClosing {
      mailbox.take(&commands)
      for command in commands { carryOut(command) }
      commands.removeAll(keepingCapacity: true)
      time.update()
      actInTime()
      tellFinished()
      let count = clinux_epoll_wait(poller, &events, Int32(events.count), sleepNanoseconds())
      time.update()
      for event in events.prefix(Int(max(0, count))) { handle(event) }
      // Last: what had come while this thread was not let run is no stall.
      if let check, check <= time.now {
        actInTime()
        endOverdue()
      }
    }
    shutDown()
  }

  /// Until the next thing to do; negative for ever.
  private func sleepNanoseconds() -> Int64 {
    guard !isClosing, mailbox.fallAsleep() else { return 0 }
    let next = [timer, check].compactMap { $0 }.min()
    return next.map { max(0, $0 - LoopTime.nanoseconds()) } ?? -1
  }

  private func handle(_ event: epoll_event) {
    let descriptor = event.data.fd
    if descriptor == mailbox.descriptor {
      var rings: eventfd_t = 0
      eventfd_read(descriptor, &rings)
      return
    }
    var actions: Int32 = 0
    if event.events & EPOLLIN.rawValue != 0 { actions |= CURL_CSELECT_IN }
    if event.events & EPOLLOUT.rawValue != 0 { actions |= CURL_CSELECT_OUT }
    if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { actions |= CURL_CSELECT_ERR }
    act(descriptor, actions)
  }

  /// Lets curl do what it wanted to be called for by now.
  private func actInTime() {
    guard let timer, timer <= time.now else { return }
    self.timer = nil
    act(CURL_SOCKET_TIMEOUT, 0)
  }

  /// Lets curl act, and hands over what is finished thereby.
  private func act(_ descriptor: curl_socket_t, _ actions: Int32) {
    var runningCount: Int32 = 0
    curl_multi_socket_action(multi, descriptor, actions, &runningCount)
    var remainingCount: Int32 = 0
    while let message = curl_multi_info_read(multi, &remainingCount) {
      guard message.pointee.msg == CURLMSG_DONE,
        let handle = CurlHandle.owner(of: message.pointee.easy_handle)
      else { continue }
      let code = ccurl_result(message)
      finish(handle) { $0.outcome(code) }
    }
  }

  private func carryOut(_ command: CurlCommand) {
    switch command {
    case .send(let order, let waiter): start(order, waiter)
    case .cancel(let number):
      if let handle = active[number] {
        finish(handle) { .failure(TransportError(.cancelled, $0.place)) }
      }
    case .close(let continuation):
      isClosing = true
      if let continuation { closed.append(continuation) }
    }
  }

  private func start(_ order: CurlOrder, _ waiter: CurlWaiter) {
    guard let handle = idle.popLast() ?? CurlHandle(configuration, time) else {
      return waiter.resume(returning: .failure(TransportError(.failed, "libcurl lacks memory")))
    }
    do throws(TransportError) {
      try handle.prepare(order, waiter)
      guard curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
        throw TransportError(.failed, "libcurl takes no more transfers")
      }
    } catch {
      handle.clear()
      idle.append(handle)
      return waiter.resume(returning: .failure(error))
    }
    active[order.number] = handle
    if let stalls = handle.stallNanoseconds {
      check = min(check ?? .max, time.now + stalls)
    }
    if let end = handle.endTime { check = min(check ?? .max, end) }
  }

  /// Takes a transfer from curl and tells whoever waits for it how it went.
  private func finish(
    _ handle: CurlHandle, _ outcome: (CurlHandle) -> CurlOutcome
  ) {
    guard let number = handle.order?.number, let waiter = handle.waiter else { return }
    curl_multi_remove_handle(multi, handle.easy)
    active[number] = nil
    let result = outcome(handle)
    handle.clear()
    // After a failure, what a handle knows of the last error would be taken for the next one's.
    if case .success = result, idle.count < configuration.connectionCountMax {
      idle.append(handle)
    }
    finished.append(Finished(waiter: waiter, outcome: result))
  }

  private func tellFinished() {
    guard !finished.isEmpty else { return }
    if finished.count > 1, !isClosing {
      // Told from here one by one, a pool that is quicker falls asleep and is woken for each.
      Task.detached { [finished] in finished.forEach { $0.tell() } }
    } else {
      finished.forEach { $0.tell() }
    }
    finished = []
    // With more under way, lets those just told run if they wait for this processor: what they ask
    // for next is then taken without a wake-up, which costs more than all else here.
    if !active.isEmpty { sched_yield() }
  }

  private func endOverdue() {
    var next = Int64.max
    for handle in Array(active.values) {
      let end = handle.endTime ?? .max
      let stall = handle.stallNanoseconds.map { handle.lastProgress() + $0 } ?? .max
      if end <= time.now {
        finish(handle) { $0.timedOut("not over in time") }
      } else if stall <= time.now {
        finish(handle) { $0.timedOut("not a byte for too long") }
      } else {
        next = min(next, end, stall)
      }
    }
    // A crowd that moves is not looked through for each of its members.
    check = next == .max ? nil : max(next, time.now + 10_000_000)
  }

  private func shutDown() {
    for command in mailbox.close() {
      switch command {
      case .send(_, let waiter):
        waiter.resume(
          returning: .failure(TransportError(.cancelled, "the transport is closed")))
      case .cancel: break
      case .close(let continuation): if let continuation { closed.append(continuation) }
      }
    }
    for handle in Array(active.values) {
      finish(handle) { _ in .failure(TransportError(.cancelled, "the transport is closed")) }
    }
    tellFinished()
    idle = []
    curl_multi_cleanup(multi)
    isCleanedUp = true
    for continuation in closed { continuation.resume() }
  }

  // MARK: what curl asks for

  fileprivate func watch(_ descriptor: curl_socket_t, _ what: Int32, isWatched: Bool) {
    var event = epoll_event()
    event.data.fd = descriptor
    guard what != CURL_POLL_REMOVE else {
      epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, &event)
      curl_multi_assign(multi, descriptor, nil)
      return
    }
    if what & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
    if what & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
    if isWatched {
      epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event)
    } else {
      epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
      curl_multi_assign(multi, descriptor, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  fileprivate func wake(afterMilliseconds milliseconds: Int) {
    timer = milliseconds < 0 ? nil : LoopTime.nanoseconds() + Int64(milliseconds) * 1_000_000
  }
}

/// The time in nanoseconds when the loop looked last, for all that it owns.
final class LoopTime {
  private(set) var now = nanoseconds()

  func update() { now = Self.nanoseconds() }

  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private let onSocket: curl_socket_callback = { _, descriptor, what, loop, mark in
  guard let loop else { return -1 }
  // SAFETY: the loop that called curl.
  Unmanaged<CurlLoop>.fromOpaque(loop).takeUnretainedValue()
    .watch(descriptor, what, isWatched: mark != nil)
  return 0
}

private let onTimer: curl_multi_timer_callback = { _, milliseconds, loop in
  guard let loop else { return -1 }
  // SAFETY: the loop that called curl.
  Unmanaged<CurlLoop>.fromOpaque(loop).takeUnretainedValue()
    .wake(afterMilliseconds: milliseconds)
  return 0
}
