import Foundation
import Testing
import UnderstudySystem

/// The two sockets of a name server.
@Suite struct NameSocketsTests {
  @Test("a connection sends messages behind their lengths, in any pieces")
  func connections() throws {
    let datagrams = try Socket.reserve(SocketAddress(host: "127.0.0.1", port: 0))
    let listener = try Socket.listen(on: SocketAddress(host: "127.0.0.1", port: 0))
    let sockets = try NameSockets(
      datagrams: datagrams.descriptor, connections: listener.descriptor
    ) { $0.isEmpty ? nil : $0.reversed() }
    defer { sockets.stop() }
    let client = try ClientSocket(
      to: "127.0.0.1", port: Int(listener.port), until: .now + .seconds(60))
    for piece: [UInt8] in [[0], [2, 7], [8, 0, 1, 9, 0, 0]] { try client.send(piece) }
    // The last message gets no response, which ends the connection.
    #expect(try client.receiveAll(byteCountMax: 100) == [0, 2, 8, 7, 0, 1, 9])
  }
}
