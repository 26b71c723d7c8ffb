#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A poller over poll(2), which is given the whole list each time.
///
/// It waits for whole milliseconds, rounded up. An end behind unread data, which poll(2) does not
/// see, is looked for a few times a second.
final class PollPoller {
  private static let pause: Int64 = 50_000_000

  private var states: [pollfd] = []
  /// Beside `states`.
  private var watched: [(token: UInt64, interest: Poller.Interest)] = []
  /// The places in both lists by descriptor; negative for one that is not watched.
  private var places: [Int] = []
  private var events: [Poller.Event] = []
  /// Descriptors that still have unread data, while their watcher waits for their end.
  private var unread: Set<Int32> = []
  /// When their ends are looked for again.
  private var due: Int64 = 0

  init(eventCountMax: Int) throws(SystemError) { events.reserveCapacity(eventCountMax) }

  func add(_ target: Int32, token: UInt64, _ interest: Poller.Interest) -> Bool {
    guard target >= 0, place(of: target) == nil else { return false }
    if places.count <= target {
      places += repeatElement(-1, count: Int(target) + 1 - places.count)
    }
    places[Int(target)] = states.count
    states.append(pollfd(fd: target, events: interest.flags, revents: 0))
    watched.append((token, interest))
    return true
  }

  func change(_ target: Int32, token: UInt64, _ interest: Poller.Interest) {
    guard let place = place(of: target) else { return }
    unread.remove(target)
    states[place].events = interest.flags
    watched[place] = (token, interest)
  }

  func remove(_ target: Int32) {
    guard let place = place(of: target) else { return }
    unread.remove(target)
    places[Int(target)] = -1
    let (state, token) = (states.removeLast(), watched.removeLast())
    guard place < states.count else { return }
    (states[place], watched[place]) = (state, token)
    places[Int(state.fd)] = place
  }

  func wait(nanoseconds: Int64) -> Int {
    events.removeAll(keepingCapacity: true)
    var limit = nanoseconds
    if !unread.isEmpty {
      let pause = max(0, due - SystemClock.monotonic)
      limit = limit < 0 ? pause : min(limit, pause)
    }
    let milliseconds = limit < 0 ? -1 : Int32(clamping: (limit + 999_999) / 1_000_000)
    var left = poll(&states, nfds_t(states.count), milliseconds)
    for place in states.indices {
      guard left > 0 else { break }
      guard states[place].revents != 0 else { continue }
      note(place)
      left -= 1
    }
    if !unread.isEmpty { findEnds() }
    return events.count
  }

  func event(at index: Int) -> Poller.Event { events[index] }

  private func place(of target: Int32) -> Int? {
    guard places.indices.contains(Int(target)), places[Int(target)] >= 0 else { return nil }
    return places[Int(target)]
  }

  private func note(_ place: Int) {
    let (token, interest) = watched[place]
    let flags = Int32(states[place].revents)
    let hasEnded = flags & POLLHUP != 0
    var (hasHungUp, hasFailed) = (false, flags & (POLLERR | POLLNVAL) != 0)
    if !hasFailed, interest.contains(.hangUps), hasEnded || flags & POLLIN != 0 {
      var byte: UInt8 = 0
      let count = recv(states[place].fd, &byte, 1, Int32(MSG_PEEK))
      hasHungUp = count == 0 || count > 0 && hasEnded
      hasFailed = count < 0 && ![.wouldBlock, .interrupted].contains(Errno.last)
      if count > 0, !hasEnded {
        // It would be reported again at once.
        states[place].events &= ~Int16(POLLIN)
        if unread.isEmpty { due = SystemClock.monotonic + Self.pause }
        unread.insert(states[place].fd)
      }
    } else if hasEnded, !interest.contains(.reads) {
      hasFailed = true
    }
    if hasHungUp || hasFailed { unread.remove(states[place].fd) }
    let isReadable =
      hasHungUp || interest.contains(.reads) && flags & (POLLIN | POLLHUP) != 0
    let isWritable = flags & POLLOUT != 0
    guard isReadable || isWritable || hasFailed else { return }
    events.append(
      Poller.Event(
        token: token, isReadable: isReadable, isWritable: isWritable, hasHungUp: hasHungUp,
        hasFailed: hasFailed))
  }
}

extension PollPoller {
  private func findEnds() {
    let now = SystemClock.monotonic
    guard now >= due else { return }
    due = now + Self.pause
    for descriptor in unread where Self.peerHasClosed(descriptor) {
      unread.remove(descriptor)
      guard let place = place(of: descriptor) else { continue }
      events.append(
        Poller.Event(
          token: watched[place].token, isReadable: true, isWritable: false, hasHungUp: true,
          hasFailed: false))
    }
  }

  /// Whether a connection's state is CLOSE_WAIT.
  private static func peerHasClosed(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      let (option, closeWait) = (TCP_CONNECTION_INFO, 5)
    #else
      let (option, closeWait) = (TCP_INFO, 8)
    #endif
    // Both systems tell more, the state first.
    var state: UInt8 = 0
    var byteCount = socklen_t(1)
    return getsockopt(descriptor, Int32(IPPROTO_TCP), option, &state, &byteCount) == 0
      && state == closeWait
  }
}

extension Poller.Interest {
  fileprivate var flags: Int16 {
    var flags: Int32 = 0
    if contains(.reads) || contains(.hangUps) { flags |= POLLIN }
    if contains(.writes) { flags |= POLLOUT }
    return Int16(flags)
  }
}
