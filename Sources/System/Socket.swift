import Glibc
import UnderstudyCLinux

/// Sockets, as far as a server needs them.
package enum Socket {
  /// So many clients may wait to be accepted.
  package static let backlog = 4096

  /// A socket that listens, and the port the kernel chose if none was asked for.
  package static func listen(
    on address: SocketAddress, sharesPort: Bool = false
  ) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let attempt = "listen on \(address)"
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    guard getaddrinfo(host, "\(address.port)", &hints, &found) == 0, let found else {
      throw SystemError(.addressNotAvailable, attempt: attempt)
    }
    defer { freeaddrinfo(found) }
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(found.pointee.ai_family, flags, 0)
    guard descriptor >= 0 else { throw .last(attempt) }
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if sharesPort { setOption(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    useSteadyCongestionControl(descriptor)
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      Glibc.listen(descriptor, Int32(backlog)) == 0
    else {
      let error = SystemError.last(attempt)
      close(descriptor)
      throw error
    }
    return (descriptor, port(of: descriptor))
  }

  /// Lets answers leave as they are played. Where the system prefers BBR, that would space them out
  /// by an estimate of its own; Reno is in every kernel. Connections take it over from a listener.
  private static func useSteadyCongestionControl(_ descriptor: Int32) {
    let name: StaticString = "reno"
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, name.utf8Start,
      socklen_t(name.utf8CodeUnitCount))
  }

  private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32)
  {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  package enum Accepted {
    case client(Int32)
    case nobody
    /// This client is gone again; the next may not be.
    case gone
    /// There are no more descriptors, or no memory for them.
    case exhausted
  }

  /// The next client who waits, whose socket does not wait.
  package static func accept(_ listener: Int32) -> Accepted {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = accept4(listener, nil, nil, flags)
    if descriptor >= 0 { return .client(descriptor) }
    return switch clinux_errno() {
    case EAGAIN: .nobody
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted
    default: .gone
    }
  }

  /// What is sent leaves at once, however little it is.
  package static func sendAtOnce(_ descriptor: Int32) {
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  package enum Received {
    case bytes(Int)
    case nothingYet
    case end
    case failure
  }

  /// Takes what has arrived, as far as there is room.
  package static func receive(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer
  ) -> Received {
    let count = recv(descriptor, room.baseAddress, room.count, 0)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return switch clinux_errno() {
    case EAGAIN, EINTR: .nothingYet
    default: .failure
    }
  }

  /// How many of the bytes the kernel took; `nil` when nobody will get them.
  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    return count >= 0 ? count : clinux_errno() == EAGAIN ? 0 : nil
  }

  /// Nothing more will be sent.
  package static func shutWriting(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

  package static func close(_ descriptor: Int32) { Glibc.close(descriptor) }

  /// Makes the next close() a reset: what was not sent is thrown away and the peer is told.
  package static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// What was sent and is not known to have arrived at the peer's machine.
  package static func unacknowledgedByteCount(_ descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      // SAFETY: the kernel writes no more than `length` bytes of an address whose family says how
      // it is laid out; both layouts have the port behind the family.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }
}
