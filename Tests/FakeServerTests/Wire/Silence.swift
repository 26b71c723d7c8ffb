import Foundation
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

extension WireClient {
  private static let marker = Array("\u{0}nothing before this".utf8)

  /// Whether the server has said nothing that was not received, and the connection is open.
  ///
  /// Its loop does all that it can do now, then sends a marker of ours on this connection: whatever
  /// it had to say would come before that.
  func isSilent(on server: FakeServer) async -> Bool {
    let (client, port, marker) = (localPort, server.address.port, Self.marker)
    var isMarked = false
    for listener in server.core.listeners {
      for _ in 0..<4 { _ = await listener.loop.ask { _ in } }
      let isHere = await listener.loop.ask { $0.send(marker, from: port, to: client) }
      if isHere == true { isMarked = true }
    }
    guard isMarked else { return false }
    var bytes: [UInt8] = []
    while bytes.count < marker.count {
      let (piece, end) = receiveBytes()
      bytes += piece
      if end != nil { return false }
    }
    return bytes == marker
  }
}

extension Loop {
  /// Sends past everything the loop knows of; false when it has no such connection that is open.
  fileprivate func send(_ bytes: [UInt8], from port: UInt16, to client: UInt16) -> Bool {
    for slot in connections.slots {
      let descriptor = connections[slot].pointee.descriptor
      guard portNumber(descriptor, getsockname) == port,
        portNumber(descriptor, getpeername) == client
      else { continue }
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Platform.sendingFlags)
      }
      return count == bytes.count
    }
    return false
  }
}

/// The port of one end of a connection, as `getsockname` or `getpeername` tells it.
func portNumber(
  _ descriptor: Int32,
  _ end: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
) -> UInt16 {
  var address = sockaddr_in()
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = end(descriptor, $0, &length) }
    return UInt16(bigEndian: $0.pointee.sin_port)
  }
}
