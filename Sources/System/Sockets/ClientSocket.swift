#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to a server, closed on deinit. Each step waits until a deadline.
package final class ClientSocket: Sendable {
  package let descriptor: Int32
  private let end: ContinuousClock.Instant

  /// - Parameters:
  ///   - host: a name or an address, without brackets.
  ///   - admits: whether to connect to an address that the host has, given as its four words, which
  ///     is then the very address that is connected to.
  package init(
    to host: String, port: Int, until end: ContinuousClock.Instant,
    admits: ([UInt32]) -> Bool = { _ in true }
  ) throws(SystemError) {
    var hints = addrinfo()
    hints.ai_socktype = Socket.streamKind
    var found: UnsafeMutablePointer<addrinfo>?
    guard (try? Errno.check(host)) != nil,
      getaddrinfo(host, "\(port)", &hints, &found) == 0, let found
    else {
      throw SystemError(.addressNotAvailable, attempt: "find it")
    }
    // SAFETY: the list is read only as far as getaddrinfo() filled it, and before it is freed.
    defer { freeaddrinfo(found) }
    descriptor = try Self.connect(to: found, until: end, admits)
    self.end = end
  }

  deinit { close(descriptor) }

  package func send(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = rest.withUnsafeBytes({ Socket.send(descriptor, $0) }) else {
        throw .last("send to it")
      }
      rest = rest.dropFirst(count)
      if count == 0 { try Self.wait(for: descriptor, toWrite: true, until: end) }
    }
  }

  /// What arrives next; empty when the server has closed.
  package func receive(byteCountMax: Int) throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: byteCountMax)
    while true {
      switch buffer.withUnsafeMutableBytes({ Socket.receive(descriptor, into: $0) }) {
      case .bytes(let count): return Array(buffer.prefix(count))
      case .nothingYet: try Self.wait(for: descriptor, toWrite: false, until: end)
      case .end: return []
      case .failure: throw .last("receive from it")
      }
    }
  }

  /// Everything received until the server closes, up to this limit.
  package func receiveAll(byteCountMax: Int) throws(SystemError) -> [UInt8] {
    var received: [UInt8] = []
    while received.count < byteCountMax {
      let piece = try receive(byteCountMax: 64 << 10)
      if piece.isEmpty { break }
      received += piece
    }
    return received
  }

  private static func connect(
    to found: UnsafeMutablePointer<addrinfo>, until end: ContinuousClock.Instant,
    _ admits: ([UInt32]) -> Bool
  ) throws(SystemError) -> Int32 {
    var error = SystemError(.connectionRefused, attempt: "connect")
    var next: UnsafeMutablePointer<addrinfo>? = found
    while let address = next?.pointee {
      next = address.ai_next
      guard let words = Socket.words(of: address), admits(words) else { continue }
      let descriptor = Socket.stream(address.ai_family)
      guard descriptor >= 0 else { throw .last("make a socket") }
      do throws(SystemError) {
        var code = Errno(rawValue: 0)
        if systemConnect(descriptor, address.ai_addr, address.ai_addrlen) != 0 { code = .last }
        if code == .inProgress {
          try wait(for: descriptor, toWrite: true, until: end)
          code = Errno(rawValue: Socket.option(descriptor, SOL_SOCKET, SO_ERROR))
        }
        if code.rawValue == 0 { return descriptor }
        error = SystemError(code, attempt: "connect")
        close(descriptor)
      } catch {
        close(descriptor)
        throw error
      }
    }
    throw error
  }

  /// Waits for the next step as long as there is time.
  private static func wait(
    for descriptor: Int32, toWrite: Bool, until end: ContinuousClock.Instant
  ) throws(SystemError) {
    let left = (end - .now).nanoseconds
    let milliseconds = Int32(clamping: (max(0, left) + 999_999) / 1_000_000)
    let isReady = !Readiness.wait(
      for: [descriptor], writes: toWrite ? [0] : [], milliseconds: milliseconds
    ).isEmpty
    guard isReady || end > .now else {
      throw SystemError(.timedOut, attempt: "wait for its response")
    }
  }
}
