import Glibc
import UnderstudyCLinux

/// A connection to a server, closed on deinit. Each step waits until a deadline.
package final class ClientSocket {
  private let descriptor: Int32
  private let end: ContinuousClock.Instant

  /// - Parameter host: a name or an address, without brackets.
  package init(
    to host: String, port: Int, until end: ContinuousClock.Instant
  ) throws(SystemError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else {
      throw SystemError(.addressNotAvailable, attempt: "find it")
    }
    // SAFETY: the list is read only as far as getaddrinfo() filled it, and before it is freed.
    defer { freeaddrinfo(found) }
    descriptor = try Self.connect(to: found, until: end)
    self.end = end
  }

  deinit { close(descriptor) }

  package func send(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try Self.limit(descriptor, until: end)
      let count = Glibc.send(descriptor, Array(rest), rest.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw Self.failure("send to it") }
      rest = rest.dropFirst(count)
    }
  }

  /// Everything received until the server closes, up to this limit.
  package func receiveAll(byteCountMax: Int) throws(SystemError) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while received.count < byteCountMax {
      try Self.limit(descriptor, until: end)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { break }
      guard count > 0 else { throw Self.failure("receive from it") }
      received += buffer[..<count]
    }
    return received
  }

  private static func connect(
    to found: UnsafeMutablePointer<addrinfo>, until end: ContinuousClock.Instant
  ) throws(SystemError) -> Int32 {
    var error = SystemError(.connectionRefused, attempt: "connect")
    var next: UnsafeMutablePointer<addrinfo>? = found
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw .last("make a socket") }
      do throws(SystemError) {
        try limit(descriptor, until: end)
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
        error = .last("connect")
        close(descriptor)
      } catch {
        close(descriptor)
        throw error
      }
    }
    throw error
  }

  /// Limits the next step to the remaining time.
  private static func limit(
    _ descriptor: Int32, until end: ContinuousClock.Instant
  ) throws(SystemError) {
    let left = (end - .now).nanoseconds / 1_000
    guard left > 0 else { throw overdue }
    var rest = timeval()
    (rest.tv_sec, rest.tv_usec) = (Int(left / 1_000_000), Int(left % 1_000_000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &rest, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static let overdue = SystemError(.timedOut, attempt: "wait for its answer")

  private static func failure(_ attempt: String) -> SystemError {
    let error = SystemError.last(attempt)
    return error.code == .wouldBlock ? overdue : error
  }
}
