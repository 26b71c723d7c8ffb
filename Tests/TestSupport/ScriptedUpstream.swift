internal import Foundation

/// A server on a socket of its own that responds as a closure says: a live API nobody here wrote.
///
/// Each connection serves one request. It ends when it is no longer referred to.
package final class ScriptedUpstream: Sendable {
  package typealias Message = WireMessage

  private let socket: ListeningSocket
  package var url: String { socket.url }
  package var port: UInt16 { socket.port }

  package init(_ response: @escaping @Sendable (Message) -> Message) throws {
    socket = try ListeningSocket(backlog: 64)
    let listener = dup(socket.descriptor)
    Thread.detachNewThread {
      defer { close(listener) }
      while true {
        let client = accept(listener, nil, nil)
        if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard client >= 0 else { return }
        Thread.detachNewThread {
          defer { close(client) }
          guard let asked = WireMessage(readingFrom: client) else { return }
          response(asked).write(to: client, hasBody: asked.method != "HEAD")
        }
      }
    }
  }

  // Wakes the thread, whose descriptor is another one of the same socket.
  deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
}

/// A request or a response as it is on the wire.
package struct WireMessage: Hashable, Sendable {
  /// `GET /users HTTP/1.1`, or `HTTP/1.1 200 OK`.
  package var firstLine: String
  package var headers: [[String]]
  package var body: [UInt8]

  package init(
    _ method: String, _ target: String, _ headers: [[String]] = [], body: [UInt8] = []
  ) {
    firstLine = "\(method) \(target) HTTP/1.1"
    (self.headers, self.body) = (headers, body)
  }

  package init(_ method: String, _ target: String, _ headers: [[String]] = [], body: String) {
    self.init(method, target, headers, body: Array(body.utf8))
  }

  package init(status: Int, _ headers: [[String]] = [], body: String = "") {
    self.init(status: status, headers, bytes: Array(body.utf8))
  }

  package init(status: Int, _ headers: [[String]] = [], bytes: [UInt8]) {
    firstLine = "HTTP/1.1 \(status) Status"
    (self.headers, body) = (headers, bytes)
  }

  package var method: String { word(0) }
  package var target: String { word(1) }
  package var path: String { String(target.prefix { $0 != "?" }) }
  package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }
  package var status: Int { Int(word(1)) ?? 0 }

  private func word(_ index: Int) -> String {
    let words = firstLine.split(separator: " ")
    return index < words.count ? String(words[index]) : ""
  }

  /// The values of a header.
  package func values(_ name: String) -> [String] {
    headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
  }

  // MARK: - The wire

  /// Up to the length that it names, or the end of the connection.
  init?(readingFrom descriptor: Int32) {
    var bytes: [UInt8] = []
    var end: Int?
    func readMore() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        bytes += buffer.prefix(max(0, count))
        return count > 0
      }
    }
    repeat {
      end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound
    } while end == nil
      && readMore()
    guard let end else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    firstLine = lines.first.map(String.init) ?? ""
    headers = lines.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      let value = line[name.endIndex...].dropFirst().drop { $0 == " " }
      return [String(name), String(value)]
    }
    body = []
    let length = values("content-length").first.flatMap { Int($0) }
    let isRequest = !firstLine.hasPrefix("HTTP/")
    let count = length ?? (isRequest ? 0 : .max)
    while bytes.count - end - 4 < count, readMore() {}
    body = Array(bytes[(end + 4)...].prefix(count))
  }

  func write(to descriptor: Int32, hasBody: Bool = true) {
    var text = "\(firstLine)\r\nConnection: close\r\n"
    for header in headers { text += "\(header[0]): \(header[1])\r\n" }
    let isEmptyResponse = firstLine.hasPrefix("HTTP/") && (status == 204 || status == 304)
    if !isEmptyResponse { text += "Content-Length: \(body.count)\r\n" }
    var rest = (Array("\(text)\r\n".utf8) + (hasBody ? body : []))[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Platform.sendingFlags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The response of a server on this machine; blocks until it is there.
  package func ask(port: UInt16) throws -> WireMessage {
    let descriptor = Platform.socket()
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw SocketError(code: errno) }
    var request = self
    if values("host").isEmpty { request.headers.append(["Host", "127.0.0.1:\(port)"]) }
    request.write(to: descriptor)
    guard let response = WireMessage(readingFrom: descriptor) else {
      throw SocketError(code: ECONNRESET)
    }
    return response
  }
}
