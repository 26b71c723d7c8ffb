import Foundation
import UnderstudyTestSupport
import UnderstudyHTTP

/// A client that sends what it is told and tells what it gets, byte for byte.
final class WireClient {
  /// How the server's side of the connection ended.
  enum End: Equatable {
    case closed, reset, stillOpen
  }

  private let descriptor: Int32

  /// With a small `receiveBufferByteCount`, little fits between the server and this client.
  init(port: UInt16, receiveBufferByteCount: Int32? = nil) throws {
    descriptor = Platform.socket()
    if var count = receiveBufferByteCount {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }
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
    let length = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &guardTime, length)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &guardTime, length)
  }

  deinit { close(descriptor) }

  /// The port on this side.
  var localPort: UInt16 { portNumber(descriptor, getsockname) }

  /// Returns whether everything was taken.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Platform.sendingFlags)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func shutWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Leaves without a word: the server meets a reset.
  func vanish() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    // The descriptor stays this client's, to be closed once.
    dup2(0, descriptor)
  }

  /// What comes next, as soon as there is something; empty at the end.
  func receiveBytes(flags: Int32 = 0) -> (bytes: [UInt8], end: End?) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, flags)
    if count > 0 { return (Array(buffer[..<count]), nil) }
    if count == 0 { return ([], .closed) }
    return ([], errno == ECONNRESET ? .reset : .stillOpen)
  }

  /// Everything up to the end of the connection.
  func receiveAllBytes() -> (bytes: [UInt8], end: End) {
    var bytes: [UInt8] = []
    while true {
      let (piece, end) = receiveBytes()
      bytes += piece
      if let end { return (bytes, end) }
    }
  }

  func receiveAll() -> (text: String, end: End) {
    let (bytes, end) = receiveAllBytes()
    return (String(decoding: bytes, as: UTF8.self), end)
  }

  /// Reads until what came ends so.
  func receive(_ suffix: String) -> String {
    var text = ""
    while !text.hasSuffix(suffix) {
      let (piece, end) = receiveBytes()
      text += String(decoding: piece, as: UTF8.self)
      if end != nil { break }
    }
    return text
  }

  /// Everything that is there already.
  func receiveWaiting() -> (bytes: [UInt8], end: End?) {
    var bytes: [UInt8] = []
    while true {
      let (piece, end) = receiveBytes(flags: Int32(MSG_DONTWAIT))
      bytes += piece
      if let end { return (bytes, end == .stillOpen ? nil : end) }
    }
  }
}

struct WireError: Error { let code: Int32 }
