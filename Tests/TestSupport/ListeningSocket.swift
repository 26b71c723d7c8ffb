internal import Foundation

/// A socket on a free port of this machine that nobody serves.
package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  package let port: UInt16
  package var url: String { "http://127.0.0.1:\(port)" }

  /// Without a backlog it is bound and refuses.
  package init(backlog: Int32?) throws {
    descriptor = Platform.socket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0 else { return Int32(-1) }
        if let backlog { guard listen(descriptor, backlog) == 0 else { return Int32(-1) } }
        return getsockname(descriptor, address, &length)
      }
    }
    guard code == 0 else { throw SocketError(code: errno) }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Calls with the address of a port that is taken meanwhile, and at which nobody listens. One
  /// that was closed would be the next test's.
  package static func refusing<Result>(
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    let socket = try ListeningSocket(backlog: nil)
    let result = try await body(socket.url)
    return withExtendedLifetime(socket) { result }
  }

  /// Connects until the backlog is full, so that the next client waits; the connections stay open
  /// until they are closed.
  package func fill() throws -> [Int32] {
    try (0..<4).map { _ in
      let client = Platform.socket()
      guard client >= 0 else { throw SocketError(code: errno) }
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return client
    }
  }
}

package struct SocketError: Error { let code: Int32 }
