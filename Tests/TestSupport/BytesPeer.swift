internal import Foundation

/// A server that sends these bytes to whoever asks, then closes the connection.
package final class BytesPeer: Sendable {
  private let socket: ListeningSocket

  package var url: String { "http://127.0.0.1:\(socket.port)/" }

  package init(_ bytes: [UInt8], awaitsHead: Bool = true) throws {
    let socket = try ListeningSocket(backlog: 64)
    self.socket = socket
    let listener = dup(socket.descriptor)
    let thread = Thread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        if awaitsHead { Self.readHead(client) }
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Platform.sendingFlags)
          }
          guard count > 0 else { break }
          sent += count
        }
        // Closing with bytes unread would reset the connection.
        shutdown(client, Int32(SHUT_WR))
        var byte: UInt8 = 0
        while recv(client, &byte, 1, 0) == 1 {}
        close(client)
      }
      close(listener)
    }
    thread.start()
  }

  // Wakes the thread, whose descriptor is another one of the same socket.
  deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

  private static func readHead(_ client: Int32) {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(client, &byte, 1, 0) == 1 {
      head.append(byte)
    }
  }
}

extension BytesPeer {
  /// Sends a response of one body, with these header lines.
  package convenience init(headers: [String], body: [UInt8]) throws {
    let lines = ["HTTP/1.1 200 OK"] + headers + ["Content-Length: \(body.count)", "", ""]
    try self.init(Array(lines.joined(separator: "\r\n").utf8) + body)
  }
}
