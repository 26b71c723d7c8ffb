import Foundation
import Testing
import UnderstudyTestSupport

/// The built tool, serving in a process of its own until it is told to end or let go.
final class RunningServer {
  let port: UInt16
  private let process = Process()
  private let output: LineReader
  private let errors = Pipe()

  /// Returns when it listens.
  init(
    _ arguments: [String], in folder: URL, command: String = "serve", format: String = "text",
    environment: [String: String] = [:], memoryKilobytesMax: Int? = nil
  ) throws {
    let pipe = Pipe()
    process.executableURL = Checkout.tool
    process.arguments = [command, "--port", "0", "--format", format] + arguments
    if let memoryKilobytesMax {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", #"ulimit -v "$0" && exec "$@""#, "\(memoryKilobytesMax)", Checkout.tool.path]
        + (process.arguments ?? [])
    }
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (pipe, errors)
    try process.run()
    try pipe.fileHandleForWriting.close()
    output = LineReader(pipe.fileHandleForReading.fileDescriptor, owner: pipe)
    let line = output.next() ?? ""
    let digits = line.firstMatch(of: /https?:\/\/[0-9.]+:(\d+)/)?.1
    port = try #require(digits.flatMap { UInt16($0) }, "\(line)")
    first = without(port: line)
  }

  deinit { if process.isRunning { process.terminate() } }

  private var first = ""
  var firstLine: String { first }

  /// The next line it prints, with PORT for the port; `nil` at the end.
  func line() -> String? { output.next().map(without(port:)) }

  /// The lines up to one that is as wanted.
  func lines(through isLast: (String) -> Bool) -> [String] {
    var lines: [String] = []
    while let line = line() {
      lines.append(line)
      if isLast(line) { break }
    }
    return lines
  }

  var id: Int32 { process.processIdentifier }

  func interrupt() { process.interrupt() }

  func terminate() { process.terminate() }

  /// Everything that is left to be printed, and the exit code.
  func end() -> (output: String, errors: String, code: Int32) {
    let rest = lines { _ in false }.map { $0 + "\n" }.joined()
    let errors = errors.fileHandleForReading.readOn()
    process.waitUntilExit()
    return (rest, String(decoding: errors, as: UTF8.self), process.terminationStatus)
  }

  private func without(port line: String) -> String {
    line.replacing(":\(port)", with: ":PORT")
  }

  /// Whether somebody still listens there.
  var isListening: Bool { (try? HTTPExchange(port: port)) != nil }

  /// The whole response to one request.
  func send(
    _ line: String, _ headers: String..., host: String = "localhost", body: String = ""
  ) throws -> String {
    try HTTPExchange(port: port).run(line, headers, host: host, body: body)
  }
}

/// One request to a server on this machine.
final class HTTPExchange {
  private let descriptor = Platform.socket()

  struct CannotConnect: Error {}

  init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw CannotConnect() }
  }

  deinit { close(descriptor) }

  func send(
    _ line: String, _ headers: [String] = [], host: String = "localhost", body: String = ""
  ) {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let fields = (["Host: \(host)", "Connection: close"] + headers + length)
      .joined(separator: "\r\n")
    let bytes = Array("\(line) HTTP/1.1\r\n\(fields)\r\n\r\n\(body)".utf8)
    _ = Foundation.send(descriptor, bytes, bytes.count, Platform.sendingFlags)
  }

  /// Sends a body piece by piece, until it is whole or a response comes.
  func send(
    _ line: String, _ piece: [UInt8], upTo byteCount: Int
  ) -> String {
    let head =
      "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Connection: close\r\nContent-Length: \(byteCount)\r\n\r\n"
    _ = Foundation.send(descriptor, head, head.utf8.count, Platform.sendingFlags)
    var left = byteCount
    while left > 0 {
      var file = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
      let ready = poll(&file, 1, 120_000)
      if ready == 0 {
        Issue.record("waited to send the last \(left) of \(byteCount) bytes in vain")
      }
      guard ready == 1, file.revents & Int16(POLLIN) == 0 else { break }
      let count = Foundation.send(descriptor, piece, min(left, piece.count), Platform.sendingFlags)
      guard count > 0 else { break }
      left -= count
    }
    return receive()
  }

  /// Up to the end of the connection.
  func receive() -> String {
    LineReader(descriptor, owner: self).rest()
  }

  func run(
    _ line: String, _ headers: [String] = [], host: String = "localhost", body: String = ""
  ) -> String {
    send(line, headers, host: host, body: body)
    return receive()
  }
}

/// Reads lines as soon as they are there. Waiting ends after two minutes, and says what came.
struct LineReader {
  private final class State {
    var bytes: [UInt8] = []
  }

  private let descriptor: Int32
  private let owner: AnyObject
  private let state = State()

  init(_ descriptor: Int32, owner: AnyObject) {
    (self.descriptor, self.owner) = (descriptor, owner)
  }

  func next() -> String? {
    while true {
      if let end = state.bytes.firstIndex(of: 10) {
        defer { state.bytes.removeFirst(end + 1) }
        return String(decoding: state.bytes[..<end], as: UTF8.self)
      }
      guard readMore() else { return nil }
    }
  }

  func rest() -> String {
    while readMore() {}
    return String(decoding: state.bytes, as: UTF8.self)
  }

  private func readMore() -> Bool {
    var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&file, 1, 120_000) == 0 {
      let text = String(decoding: state.bytes, as: UTF8.self)
      Issue.record("waited for more, but after the lines before only this came: \(text)")
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { return true }
    state.bytes += buffer.prefix(max(0, count))
    return count > 0
  }
}
