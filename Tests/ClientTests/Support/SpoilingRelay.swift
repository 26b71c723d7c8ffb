import Foundation
import UnderstudyTestSupport

/// Stands between a client and a server that speak TLS until the server has shown its certificate;
/// from then on the client hears plain text.
final class SpoilingRelay: Sendable {
  private let socket: ListeningSocket

  var port: UInt16 { socket.port }

  init(to serverPort: UInt16) throws {
    let socket = try ListeningSocket(backlog: 4)
    self.socket = socket
    let listener = dup(socket.descriptor)
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        let server = Self.connect(to: serverPort)
        Self.spoil(client, server)
        close(client)
        close(server)
      }
      close(listener)
    }
  }

  // Wakes the thread, whose descriptor is another one of the same socket.
  deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

  private static func spoil(_ client: Int32, _ server: Int32) {
    // A client speaks first, and then not until it has all of the server's side.
    guard pass(from: client, to: server) else { return }
    var sockets = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&sockets, 2, -1) > 0, sockets[0].revents == 0 {
      guard pass(from: server, to: client) else { return }
    }
    let text = "this is no TLS, and long enough to be seen as none"
    _ = text.withCString { send(client, $0, text.utf8.count, Platform.sendingFlags) }
    shutdown(client, Int32(SHUT_WR))
    while pass(from: client, to: server) {}
  }

  private static func pass(from source: Int32, to sink: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = recv(source, &bytes, bytes.count, 0)
    return count > 0 && send(sink, bytes, count, Platform.sendingFlags) == count
  }

  private static func connect(to port: UInt16) -> Int32 {
    let server = Platform.socket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return server
  }
}
