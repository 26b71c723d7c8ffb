import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem

/// A connection to a host that no upstream declares, and what its client gets first.
struct PassedConnection {
  /// From the request to the head of the response.
  private static let timeMax = Duration.seconds(60)
  private static let headByteCountMax = 64 << 10

  let server: ClientSocket
  private let status: Int
  /// The head of the response, and what has come of its body.
  private let response: [UInt8]

  /// Waits until the host has responded.
  init(for request: PassedRequest, by parent: PassThrough.Parent?) throws(Problem) {
    let (host, port) = parent.map { ($0.host, $0.port) } ?? (request.host, request.port)
    if parent != nil, let address = IPAddress(anyForm: request.host),
      let reason = request.client.refusal(of: address, request.port)
    {
      throw .notPassed(request.authority, reason)
    }
    var refusal: String?
    let way = parent.map { " by the proxy \($0.host):\($0.port)" } ?? ""
    do throws(SystemError) {
      server = try ClientSocket(to: host, port: port, until: .now + Self.timeMax) { words in
        let address = IPAddress(words: words)
        refusal = request.client.refusal(of: address, port, isParent: parent != nil)
        return refusal == nil
      }
      if let bytes = request.bytes(by: parent) {
        try server.send(bytes)
        (status, response) = try Self.head(from: server, isTunnel: request.isTunnel)
      } else {
        (status, response) = (200, Self.established)
      }
    } catch {
      if let refusal { throw .notPassed(request.authority, refusal) }
      let reason =
        error.code == .addressNotAvailable ? "the name leads to no address" : "\(error)"
      throw .unreachable("no connection to \(request.authority)\(way): \(reason)")
    }
    guard status > 0 else {
      throw .unreachable("\(request.authority) does not respond in HTTP\(way)")
    }
    guard !request.isTunnel || 200..<300 ~= status else {
      throw .unreachable("no connection to \(request.authority)\(way): it responded \(status)")
    }
  }

  private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

  /// Reads the head of a response, and leaves out what is about the connection to the server; the
  /// status is 0 for what is none.
  private static func head(
    from server: ClientSocket, isTunnel: Bool
  ) throws(SystemError) -> (Int, [UInt8]) {
    var (bytes, searchedCount): ([UInt8], Int) = ([], 0)
    while bytes.count < headByteCountMax {
      let piece = try server.receive(byteCountMax: headByteCountMax)
      if piece.isEmpty { break }
      bytes += piece
      while let end = bytes[searchedCount...].firstRange(ofBytes: "\r\n\r\n".utf8)?.upperBound {
        guard let head = PassedHead(bytes[..<end]) else { return (0, []) }
        bytes.removeFirst(end)
        searchedCount = 0
        if head.isInterim { continue }
        return (head.status, (isTunnel ? established : head.bytes) + bytes)
      }
      // The end may have begun in this piece.
      searchedCount = max(0, bytes.count - 3)
    }
    return (0, [])
  }

  func script(for passage: Passage) -> WireScript {
    var script = WireScript(delayConfigured: .zero, head: response, end: .handOver(passage))
    script.status = status
    return script
  }
}

/// The head of a response that is the only one of its connection.
private struct PassedHead {
  let status: Int
  private(set) var bytes: [UInt8] = []

  /// `nil` for what is not HTTP.
  init?(_ received: ArraySlice<UInt8>) {
    let lines = received.split(separator: .newline)
    guard let first = lines.first, first.starts(with: "HTTP/1.".utf8),
      let code = first.split(separator: .space).dropFirst().first,
      let status = Int(String(decoding: code.prefix { $0 != .carriageReturn }, as: UTF8.self)),
      100...999 ~= status
    else { return nil }
    self.status = status
    for line in lines where !Self.isAboutConnection(line) {
      if line == [.carriageReturn] { bytes += "Connection: close\r\n".utf8 }
      bytes += line
      bytes.append(.newline)
    }
  }

  /// 101 is none: no other protocol was asked for.
  var isInterim: Bool { status < 200 && status != 101 }

  private static func isAboutConnection(_ line: ArraySlice<UInt8>) -> Bool {
    let name = HeaderName(String(decoding: line.prefix { $0 != .colon }, as: UTF8.self))
    return ["connection", "keep-alive", "proxy-connection"].contains(name)
  }
}

extension Problem {
  fileprivate static func notPassed(_ authority: String, _ reason: String) -> Self {
    Self(
      status: 403, title: "The host is not passed through",
      detail: "\(authority.quotedAndCut) is not passed through: \(reason)")
  }

  fileprivate static func unreachable(_ detail: String) -> Self {
    Self(status: 502, title: "The host did not respond", detail: detail)
  }
}
