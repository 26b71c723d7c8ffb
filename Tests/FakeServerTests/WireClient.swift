import CLinux
import Glibc
import HTTP

/// A client that sends what it is told and tells what it gets, byte for byte.
final class WireClient {
  /// How the server's side of the connection ended.
  enum End: Equatable {
    case closed, reset, stillOpen
  }

  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw WireError(code: errno) }
    // A guard against a test that would hang, far longer than anything takes.
    var guardTime = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &guardTime, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func shutWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What comes next, as soon as there is something; empty at the end.
  func receive() -> (text: String, end: End?) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return (String(decoding: buffer[..<count], as: UTF8.self), nil) }
    if count == 0 { return ("", .closed) }
    return ("", errno == ECONNRESET ? .reset : .stillOpen)
  }

  /// Everything up to the end of the connection.
  func receiveAll() -> (text: String, end: End) {
    var text = ""
    while true {
      let (piece, end) = receive()
      text += piece
      if let end { return (text, end) }
    }
  }

  /// Reads until so many answers with a length are complete.
  func receive(_ suffix: String) -> String {
    var text = ""
    while !text.hasSuffix(suffix) {
      let (piece, end) = receive()
      text += piece
      if end != nil { break }
    }
    return text
  }

  /// Whether nothing more has come and the connection is open.
  var isSilent: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
  }
}

struct WireError: Error { let code: Int32 }
