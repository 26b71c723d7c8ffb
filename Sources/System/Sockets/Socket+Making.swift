#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// New sockets, which are not inherited.
extension Socket {
  package static var streamKind: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  /// Negative if there is none.
  static func stream(_ family: Int32, _ calls: SystemCalls = .chosen) -> Int32 {
    #if !canImport(Darwin)
      if calls == .fast {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return socket(family, streamKind | flags, 0)
      }
    #endif
    return silent(Inheritance.marked(waits: false) { socket(family, streamKind, 0) })
  }

  /// A socket that waits, for a library that makes its own of it; negative if there is none.
  package static func waiting(
    _ family: Int32, kind: Int32, protocol number: Int32, _ calls: SystemCalls = .chosen
  ) -> Int32 {
    #if !canImport(Darwin)
      if calls == .fast { return socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), number) }
    #endif
    return silent(Inheritance.marked { socket(family, kind, number) })
  }

  /// The next client of a listener; negative if there is none.
  static func client(of listener: Int32, _ calls: SystemCalls) -> Int32 {
    #if !canImport(Darwin)
      if calls == .fast {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return accept4(listener, nil, nil, flags)
      }
    #endif
    return silent(Inheritance.marked(waits: false) { systemAccept(listener) })
  }

  private static func silent(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      if descriptor >= 0 { setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1) }
    #endif
    return descriptor
  }

  /// Puts a socket on the same port, which does not listen, in the place of a listener.
  static func replaceUnheard(_ listener: Int32) {
    var storage = sockaddr_storage()
    var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { storage in
      // SAFETY: the kernel writes at most `byteCount` bytes of an address, and reads as many.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(listener, address, &byteCount) == 0 else { return }
        let isShared = option(listener, SOL_SOCKET, SO_REUSEPORT) != 0
        let descriptor = stream(Int32(address.pointee.sa_family))
        guard descriptor >= 0 else { return }
        prepare(descriptor, sharesPort: isShared)
        // Frees the port for the next call.
        _ = Inheritance.marked(waits: false) { dup2(descriptor, listener) }
        close(descriptor)
        _ = bind(listener, address, byteCount)
      }
    }
  }

  static func prepare(_ descriptor: Int32, sharesPort: Bool) {
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if sharesPort { setOption(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    useSteadyCongestionControl(descriptor)
  }

  /// Uses Reno, so that responses are sent at their planned times: BBR, the default of some
  /// systems, would pace them by its own estimate. Every Linux has Reno. Connections inherit it
  /// from the listener.
  private static func useSteadyCongestionControl(_ descriptor: Int32) {
    #if !canImport(Darwin)
      let name: StaticString = "reno"
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, name.utf8Start,
        socklen_t(name.utf8CodeUnitCount))
    #endif
  }

  static func setOption(
    _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32
  ) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// 0 if it cannot be read.
  static func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = 0
    var byteCount = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, level, name, &value, &byteCount) == 0 ? value : 0
  }
}
