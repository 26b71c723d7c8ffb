#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Socket {
  /// Sends what the closure makes of each datagram that has arrived back to where it is from.
  package static func respondToDatagrams(
    _ descriptor: Int32, byteCountMax: Int, _ respond: ([UInt8]) -> [UInt8]?
  ) {
    var bytes = [UInt8](repeating: 0, count: byteCountMax)
    var storage = sockaddr_storage()
    withUnsafeMutablePointer(to: &storage) { storage in
      // SAFETY: the kernel writes at most as many bytes of an address and of a datagram as there is
      // room for, and reads as many of the address as it wrote.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        while true {
          var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
          let count = recvfrom(descriptor, &bytes, bytes.count, 0, address, &length)
          guard count >= 0 else { return }
          guard let reply = respond(Array(bytes.prefix(count))) else { continue }
          _ = sendto(descriptor, reply, reply.count, sendingFlags, address, length)
        }
      }
    }
  }
}
