import Glibc
import UnderstudyCLinux
import UnderstudyContractModel
import UnderstudyCore

/// Where to listen: an IPv4 or IPv6 address and a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package let host: String
  package let port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Whether only programs on this machine can reach it.
  package var isLoopback: Bool { NetworkHost(host).isLoopback }

  /// Whether the host is `localhost` or an address in digits, the only ones to listen on.
  package var isNumeric: Bool {
    var address = in6_addr()
    return host == "localhost" || inet_pton(AF_INET, host, &address) == 1
      || inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &address) == 1
  }

  /// Whether it stands for all addresses of the machine: `0.0.0.0` or `::`.
  var isWildcard: Bool { host.utf8.allSatisfy("0.:".utf8.contains) }

  /// Where programs on this machine find who listens here.
  package var local: SocketAddress {
    guard isWildcard else { return self }
    return SocketAddress(host: host.contains(":") ? "::1" : "127.0.0.1", port: port)
  }

  /// The same port of the host that a client calls by this name and a port.
  func reached(by authority: String) -> String {
    let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
    return isWildcard ? "\(authority[..<(colon ?? authority.endIndex)]):\(port)" : description
  }

  /// As it stands in a URL.
  package var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Sockets, as far as a server needs them.
enum Socket {
  /// So many clients may wait to be accepted.
  static let backlog = 4096

  /// A socket that listens, and the port the kernel chose if none was asked for.
  static func listen(
    on address: SocketAddress, sharesPort: Bool = false
  ) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let attempt = "listen on \(address)"
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    guard getaddrinfo(host, "\(address.port)", &hints, &found) == 0, let found else {
      throw SystemError(code: EADDRNOTAVAIL, attempt: attempt)
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

  static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes the next close() a reset: what was not sent is thrown away and the peer is told.
  static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// What was sent and is not known to have arrived at the peer's machine.
  static func unacknowledgedByteCount(_ descriptor: Int32) -> Int32 {
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
