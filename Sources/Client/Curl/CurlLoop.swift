import UnderstudyCCurl
import UnderstudySystem

/// Drives every transfer of one transport.
///
/// Created by another thread, then owned by the driver's thread alone, together with curl.
/// Continuations are resumed once curl has released their transfer.
///
/// The folder is the transport over libcurl. Read `CurlTransport` with its `CurlDriver`, which is
/// the side of the senders; `CurlMailbox`, through which they reach this thread; this file; then
/// `CurlHandle`, which is lent to the driver for a transfer, and `CurlResponse`, which collects
/// what arrives. `CurlFailure` gives curl's codes a meaning, `CurlLibrary` finds libcurl on first
/// use, and `BodySink` passes bodies on.
///
/// Curl's multi handle, its connections and the poller are used on this thread only. A handle has
/// one owner at any time: its sender, or the driver from posting it until the waiter is resumed.
final class CurlLoop {
  private struct Finished: Sendable {
    let waiter: CurlWaiter
    let ending: CurlEnding

    func tell() { waiter.resume(returning: ending) }
  }

  private let mailbox: CurlMailbox
  private let curl: ccurl
  private let multi: UnsafeMutableRawPointer
  private let poller: Poller
  private var sockets = WatchedSockets()
  private var active: [CurlHandle] = []
  private var isClosing = false
  private var isCleanedUp = false
  private var closed: [CheckedContinuation<Void, Never>] = []
  /// The waiters to resume when this round's work is done: resumed tasks compete for the processor.
  private var finished: [Finished] = []
  /// When curl wants to be called, in nanoseconds.
  private var timer: Int64?
  /// When the next transfer may have stalled or reached its time limit.
  private var check: Int64?
  private let time: LoopTime

  init(
    _ curl: ccurl, _ configuration: CurlConfiguration, _ mailbox: CurlMailbox, _ time: LoopTime
  ) throws(TransportError) {
    self.curl = curl
    self.mailbox = mailbox
    self.time = time
    guard let multi = curl.pointee.multi_init() else {
      throw .outOfMemory
    }
    self.multi = multi
    do throws(SystemError) {
      poller = try Poller(eventCountMax: 128)
    } catch {
      throw TransportError(error)
    }
    _ = poller.add(mailbox.descriptor, token: sockets.begin(mailbox.descriptor))
    let connectionCountMax = max(1, configuration.connectionCountMax)
    ccurl_multi_set_long(curl, multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connectionCountMax)
    ccurl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, connectionCountMax)
    // SAFETY: the loop outlives the handle: `deinit` cleans it up, and the callbacks run only
    // within calls that the loop makes.
    ccurl_multi_set_callbacks(
      curl, multi, onSocket, onTimer, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    if !isCleanedUp { _ = curl.pointee.multi_cleanup(multi) }
  }

  func run() {
    // TLS connections are written to without MSG_NOSIGNAL; other threads handle the other signals.
    SystemThread.holdBackSignals()
    var commands: [TransferCommand] = []
    while !isClosing {
      mailbox.take(&commands)
      for command in commands { carryOut(command) }
      commands.removeAll(keepingCapacity: true)
      time.update()
      actInTime()
      tellFinished()
      let count = poller.wait(nanoseconds: sleepNanoseconds())
      time.update()
      for index in 0..<count { handle(poller.event(at: index)) }
      // Last: data that arrived while this thread was not scheduled is not a stall.
      if let check, check <= time.now {
        actInTime()
        endOverdue()
      }
    }
    shutDown()
  }

  /// Until the next action; negative for no limit.
  private func sleepNanoseconds() -> Int64 {
    guard !isClosing, mailbox.fallAsleep() else { return 0 }
    let next = min(timer ?? .max, check ?? .max)
    return next == .max ? -1 : max(0, next - SystemClock.monotonic)
  }

  private func handle(_ event: Poller.Event) {
    guard let descriptor = sockets.descriptor(of: event.token) else { return }
    if descriptor == mailbox.descriptor {
      return mailbox.wakeup.reset()
    }
    var actions: Int32 = 0
    if event.isReadable { actions |= CURL_CSELECT_IN }
    if event.isWritable { actions |= CURL_CSELECT_OUT }
    if event.hasFailed { actions |= CURL_CSELECT_ERR }
    act(descriptor, actions)
  }

  /// Runs what curl's timer is due for.
  private func actInTime() {
    guard let timer, timer <= time.now else { return }
    self.timer = nil
    act(CURL_SOCKET_TIMEOUT, 0)
  }

  /// Lets curl act on a socket, and finishes the transfers this completes.
  private func act(_ descriptor: curl_socket_t, _ actions: Int32) {
    var runningCount: Int32 = 0
    _ = curl.pointee.multi_socket_action(multi, descriptor, actions, &runningCount)
    var remainingCount: Int32 = 0
    while let message = curl.pointee.multi_info_read(multi, &remainingCount) {
      guard message.pointee.msg == CURLMSG_DONE,
        let handle = CurlHandle.owner(of: message.pointee.easy_handle, curl)
      else { continue }
      finish(handle, .curl(ccurl_result(message)))
    }
  }

  private func carryOut(_ command: TransferCommand) {
    switch command {
    case .send(let handle): start(handle)
    case .cancel(let handle): finish(handle, .cancelled)
    case .close(let continuation):
      isClosing = true
      if let continuation { closed.append(continuation) }
    }
  }

  private func start(_ handle: CurlHandle) {
    handle.begin(at: active.count)
    active.append(handle)
    guard curl.pointee.multi_add_handle(multi, handle.easy) == CURLM_OK else {
      return finish(handle, .refused)
    }
    if let stalls = handle.stallNanoseconds {
      check = min(check ?? .max, time.now + stalls)
    }
    if let end = handle.endTime { check = min(check ?? .max, end) }
  }

  /// Removes a transfer from curl, if it is active; its waiter is resumed later.
  private func finish(_ handle: CurlHandle, _ ending: CurlEnding) {
    guard let (index, waiter) = handle.end() else { return }
    _ = curl.pointee.multi_remove_handle(multi, handle.easy)
    let last = active.removeLast()
    if index < active.count {
      active[index] = last
      last.index = index
    }
    finished.append(Finished(waiter: waiter, ending: ending))
  }

  private func tellFinished() {
    guard !finished.isEmpty else { return }
    if finished.count > 1, !isClosing {
      // Resumed one by one from here, a faster thread pool would fall asleep and be woken for each.
      Task.detached { [finished] in finished.forEach { $0.tell() } }
    } else {
      finished.forEach { $0.tell() }
    }
    finished = []
    // With more transfers active, lets the resumed tasks run if they wait for this processor: their
    // next requests are then taken without a wake-up, the most expensive step.
    if !active.isEmpty { SystemThread.yield() }
  }

  private func endOverdue() {
    var next = Int64.max
    for handle in active {
      let end = handle.endTime ?? .max
      let stall = handle.stallNanoseconds.map { handle.lastProgress() + $0 } ?? .max
      if end <= time.now {
        finish(handle, .overdue)
      } else if stall <= time.now {
        finish(handle, .stalled)
      } else {
        next = min(next, end, stall)
      }
    }
    // With many active transfers, not all are checked for each that moves.
    check = next == .max ? nil : max(next, time.now + 10_000_000)
  }

  private func shutDown() {
    for command in mailbox.close() {
      switch command {
      case .send(let handle): handle.waiter?.resume(returning: .closed)
      case .cancel: break
      case .close(let continuation): if let continuation { closed.append(continuation) }
      }
    }
    for handle in active { finish(handle, .closed) }
    tellFinished()
    _ = curl.pointee.multi_cleanup(multi)
    isCleanedUp = true
    for continuation in closed { continuation.resume() }
  }

  // MARK: what curl asks for

  fileprivate func watch(_ descriptor: curl_socket_t, _ what: Int32, isWatched: Bool) {
    guard what != CURL_POLL_REMOVE else {
      sockets.end(descriptor)
      poller.remove(descriptor)
      _ = curl.pointee.multi_assign(multi, descriptor, nil)
      return
    }
    let token = isWatched ? sockets.mark(of: descriptor) : sockets.begin(descriptor)
    var interest: Poller.Interest = []
    if what & CURL_POLL_IN != 0 { interest.formUnion(.reads) }
    if what & CURL_POLL_OUT != 0 { interest.formUnion(.writes) }
    if isWatched {
      poller.change(descriptor, token: token, interest)
    } else {
      _ = poller.add(descriptor, token: token, interest)
      _ = curl.pointee.multi_assign(multi, descriptor, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  fileprivate func wake(afterMilliseconds milliseconds: Int) {
    timer = milliseconds < 0 ? nil : SystemClock.monotonic + Int64(milliseconds) * 1_000_000
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
