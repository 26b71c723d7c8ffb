import Glibc
import UnderstudyCLinux
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON

/// Asks the admin API of a running server, one request a connection, and waits for the answer.
struct AdminClient {
  private static let answerByteCountMax = 64 << 20

  let url: BaseURL
  let session: String?
  let token: String?
  /// How long it may take to connect, to send and to receive, together.
  var timeMax = Duration.seconds(10)

  /// The JSON of the answer, if there is any; fails with what the server complains about.
  @discardableResult
  func send(
    _ method: String, _ path: String, body: [UInt8] = []
  ) throws(Failure) -> JSONValue? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try exchange(request(method, path, body))
    } catch {
      throw .noServer(url, error)
    }
    let answer: ReceivedResponse?
    do throws(ResponseError) {
      answer = try ReceivedResponse.parse(bytes, isClosed: true)
    } catch {
      throw .noUnderstudy(url, "\(error)")
    }
    guard let answer else { throw .noUnderstudy(url, "it says nothing") }
    let json = (try? JSONDocument(parsing: answer.body))?.root
    guard !(200..<300 ~= answer.status) else { return json }
    guard let detail = json?["detail"]?.string else {
      throw .noUnderstudy(url, "it answers with status \(answer.status)")
    }
    throw answer.status == 401
      ? .wrongAdminToken(url) : Failure(message: detail, fix: json?["fix"]?.string)
  }

  private func request(_ method: String, _ path: String, _ body: [UInt8]) -> [UInt8] {
    let prefix = url.path + (session.map { "/~\(PercentEncoding.encode($0))" } ?? "")
    var lines = [
      "\(method) \(prefix)\(Admin.prefix)\(path) HTTP/1.1", "Host: \(url.authority)",
      "Connection: close", "Content-Length: \(body.count)",
    ]
    if let token { lines.append("Authorization: Bearer \(token)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Sends the bytes and returns everything that comes until the server closes.
  private func exchange(_ request: [UInt8]) throws(SystemError) -> [UInt8] {
    let end = ContinuousClock.now + timeMax
    let descriptor = try connect(until: end)
    defer { close(descriptor) }
    var rest = request[...]
    while !rest.isEmpty {
      try Self.limit(descriptor, until: end)
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Self.failure("send to it") }
      rest = rest.dropFirst(count)
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while received.count < Self.answerByteCountMax {
      try Self.limit(descriptor, until: end)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { break }
      guard count > 0 else { throw Self.failure("receive from it") }
      received += buffer[..<count]
    }
    return received
  }

  /// Leaves the next step the time that is left.
  private static func limit(
    _ descriptor: Int32, until end: ContinuousClock.Instant
  ) throws(SystemError) {
    let milliseconds = (end - .now).milliseconds
    guard milliseconds > 0 else { throw overdue }
    var rest = timeval()
    (rest.tv_sec, rest.tv_usec) = (milliseconds / 1_000, milliseconds % 1_000 * 1_000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &rest, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static let overdue = SystemError(code: ETIMEDOUT, attempt: "wait for its answer")

  private static func failure(_ attempt: String) -> SystemError {
    let error = SystemError.last(attempt)
    return error.code == EAGAIN ? overdue : error
  }

  private func connect(until end: ContinuousClock.Instant) throws(SystemError) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    guard getaddrinfo(host, "\(url.port ?? 80)", &hints, &found) == 0, let found else {
      throw SystemError(code: EADDRNOTAVAIL, attempt: "find it")
    }
    // SAFETY: the list is read before it is freed, and only as far as getaddrinfo() made it.
    defer { freeaddrinfo(found) }
    var error = SystemError(code: ECONNREFUSED, attempt: "connect")
    var next: UnsafeMutablePointer<addrinfo>? = found
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw .last("make a socket") }
      do throws(SystemError) {
        try Self.limit(descriptor, until: end)
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
        error = .last("connect")
        close(descriptor)
      } catch {
        close(descriptor)
        throw error
      }
    }
    throw error
  }
}
