#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
  public import UnderstudyCLinux
#endif

/// Socket calls that a server needs.
///
/// They work on bare numbers, since a loop has thousands of sockets: whoever gets a descriptor
/// closes it. No child process inherits one, and none blocks but those of `waiting`.
///
/// `Socket+Making` creates sockets in both forms, with the flags that a system can set at once or
/// has to set afterwards. `SocketAddress` is an address to listen on; of names only `localhost` is
/// known there. `ClientSocket` is the other side: a connection that closes itself, whose steps wait
/// until a deadline.
public enum Socket {
  /// How many clients may wait to be accepted.
  package static let backlog = 4096

  /// Creates a listening socket; returns it with the port, which the kernel chooses if none is
  /// given.
  package static func listen(
    on address: SocketAddress, sharesPort: Bool = false
  ) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let attempt = "listen on \(address)"
    let descriptor = try bound(to: address, sharesPort: sharesPort, attempt)
    guard systemListen(descriptor, Int32(backlog)) == 0 else {
      let error = SystemError.last(attempt)
      close(descriptor)
      throw error
    }
    return (descriptor, port(of: descriptor))
  }

  /// Creates a socket that keeps a port for those that will listen on it, which the kernel chooses
  /// if none is given.
  package static func reserve(
    _ address: SocketAddress, sharesPort: Bool = false
  ) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let descriptor = try bound(to: address, sharesPort: sharesPort, "find a free port")
    return (descriptor, port(of: descriptor))
  }

  private static func bound(
    to address: SocketAddress, sharesPort: Bool, _ attempt: String
  ) throws(SystemError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = streamKind
    var found: UnsafeMutablePointer<addrinfo>?
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    guard (try? Errno.check(host)) != nil,
      getaddrinfo(host, "\(address.port)", &hints, &found) == 0, let found
    else {
      throw SystemError(.addressNotAvailable, attempt: attempt)
    }
    defer { freeaddrinfo(found) }
    let descriptor = stream(found.pointee.ai_family)
    guard descriptor >= 0 else { throw .last(attempt) }
    prepare(descriptor, sharesPort: sharesPort)
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
      let error = SystemError.last(attempt)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Lets the kernel refuse the clients of a listening socket, which keeps its port if it was asked
  /// for by its number.
  package static func refuseClients(_ listener: Int32, _ calls: SystemCalls = .chosen) {
    if calls == .fast {
      shutdown(listener, Int32(SHUT_RD))
    } else {
      replaceUnheard(listener)
    }
  }

  /// Accepts clients after `refuseClients`; fails when the port was taken meanwhile.
  package static func listenAgain(_ listener: Int32) -> Bool {
    port(of: listener) != 0 && systemListen(listener, Int32(backlog)) == 0
  }

  /// What became of the next waiting client, so that a server knows whether to go on, wait or
  /// pause.
  package enum Accepted {
    case client(Int32)
    case nobody
    /// This client has disconnected; others may still be waiting.
    case gone
    /// Out of descriptors or memory.
    case exhausted
  }

  /// Accepts the next waiting client on a non-blocking socket.
  package static func accept(_ listener: Int32, _ calls: SystemCalls = .chosen) -> Accepted {
    let descriptor = client(of: listener, calls)
    if descriptor >= 0 { return .client(descriptor) }
    return switch errno {
    case EAGAIN: .nobody
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted
    default: .gone
    }
  }

  /// Sends small amounts of data at once.
  package static func sendAtOnce(_ descriptor: Int32) {
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  /// Signals are for others: Darwin is told so once, by an option of the socket.
  @inlinable package static var sendingFlags: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  /// What a socket had to read. Public, so that the compiler inlines `receive` in other modules.
  public enum Received {
    case bytes(Int)
    case nothingYet
    case end
    case failure
  }

  /// Receives what has arrived, as far as there is room.
  @inlinable public static func receive(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer
  ) -> Received {
    let count = recv(descriptor, room.baseAddress, room.count, 0)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return switch errno {
    case EAGAIN, EINTR: .nothingYet
    default: .failure
    }
  }

  /// How many of the bytes the kernel took; `nil` when the peer cannot receive any more.
  @inlinable public static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = sendto(descriptor, bytes.baseAddress, bytes.count, sendingFlags, nil, 0)
    return count >= 0 ? count : errno == EAGAIN ? 0 : nil
  }

  /// Nothing more will be sent.
  package static func shutWriting(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Nothing more will be sent or received: whoever waits for it goes on.
  package static func shut(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Makes the next close() a reset: unsent data is dropped and the peer is notified.
  package static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// The number of bytes sent that the peer's machine has not acknowledged.
  package static func unacknowledgedByteCount(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      return option(descriptor, SOL_SOCKET, SO_NWRITE)
    #else
      var count: Int32 = 0
      return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    #endif
  }

  /// The IP address of a connection's other end; `nil` when it has none any more.
  package static func peerHost(of descriptor: Int32) -> String? { host(descriptor, getpeername) }

  /// The IP address at which a client reached this end of a connection.
  package static func localHost(of descriptor: Int32) -> String? { host(descriptor, getsockname) }

  private static func host(
    _ descriptor: Int32,
    _ find: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> String? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      // SAFETY: the kernel writes at most `length` bytes of an address, which `getnameinfo` reads.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        find(descriptor, address, &length) == 0 ? host(address, length) : nil
      }
    }
  }

  /// The four words of a resolved IP address, without its zone.
  static func words(of found: addrinfo) -> [UInt32]? {
    // SAFETY: the resolver filled the address, which is as long as it says.
    found.ai_addr.flatMap { host($0, found.ai_addrlen) }
      .flatMap { SocketAddress.words(of: String($0.prefix { $0 != "%" })) }
  }

  private static func host(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The IP addresses of this machine; none where the system does not say.
  package static var localHosts: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    // SAFETY: the system's list ends with a null, and lasts until it is freed; the family of an
    // address determines its length.
    var (next, hosts) = (first, [String]())
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr else { continue }
      let byteCount =
        switch Int32(address.pointee.sa_family) {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: 0
        }
      if byteCount > 0, let host = host(address, socklen_t(byteCount)) { hosts.append(host) }
    }
    return hosts
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      // SAFETY: the kernel writes at most `length` bytes of an address whose family determines its
      // layout; both layouts have the port after the family.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }
}
