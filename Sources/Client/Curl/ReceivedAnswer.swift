import UnderstudyCore

/// The answer of one transfer as far as it has arrived; does no I/O.
///
/// Everything is kept unparsed, for the sender's thread to parse: the driver's thread has no time
/// for that.
// SAFETY: bytes are accessed through the collection's checked indices, only during the call.
struct ReceivedAnswer {
  /// For all lines of a head together.
  static let headBytesMax = 256 << 10

  /// Why it accepts no more data.
  var failure: TransportError?
  private let bodyBytesMax: Int
  private let followsRedirects: Bool
  /// Whether the body is that of a redirect.
  private(set) var isRedirect = false
  private var status = 0
  private var head: [UInt8] = []
  /// Empty if it has another destination.
  private var body: [UInt8] = []
  private var pieceCount = 0
  private var headByteCount = 0
  private var isInHead = false
  private var contentLength: Int?
  private var bodyByteCount = 0

  init(limits options: ClientRequestOptions) {
    bodyBytesMax = options.bodyBytesMax
    followsRedirects = options.redirectCountMax > 0
    // For blocks of this size, the allocator has a lock-free cache per thread.
    head.reserveCapacity(960)
  }

  var hasBegun: Bool { status > 0 }

  var response: ClientResponse? {
    guard status >= 200 else { return nil }
    return ClientResponse(status: status, headers: headers, body: body, version: version)
  }

  /// A line of the head with its line end. The head of an interim answer is replaced by the next;
  /// lines after the body are dropped.
  mutating func readLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headByteCount += line.count
    guard headByteCount <= Self.headBytesMax else {
      failure = TransportError(.tooLarge, "the head has more than \(Self.headBytesMax) bytes")
      return false
    }
    if !isInHead {
      guard status < 200, let found = Self.status(line) else { return true }
      status = found
      isInHead = true
      contentLength = nil
      head.removeAll(keepingCapacity: true)
    }
    guard Self.isClean(line) else {
      failure = TransportError(
        .malformedResponse, "a header has a carriage return or NUL in it (RFC 9110, section 5.5)")
      return false
    }
    guard readLength(line) else {
      failure = TransportError(
        .malformedResponse,
        "its Content-Length is not one whole number (RFC 9112, section 6.3)")
      return false
    }
    head.append(contentsOf: line)
    isInHead = line.first != .carriageReturn && line.first != .newline
    if !isInHead, followsRedirects, ClientRequest.redirectStatuses.contains(status) {
      isRedirect = headers["Location"] != nil
    }
    return true
  }

  mutating func readBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard count(piece.count) else { return false }
    pieceCount += 1
    // Most bodies come in one piece; a growing array would need up to twice the memory.
    if pieceCount == 2, let length = contentLength {
      guard length <= bodyBytesMax else { return refuseBody() }
      body.reserveCapacity(length)
    }
    body.append(contentsOf: piece)
    return true
  }

  /// Counts bytes that go to another destination.
  mutating func count(_ byteCount: Int) -> Bool {
    bodyByteCount += byteCount
    return bodyByteCount <= bodyBytesMax || refuseBody()
  }

  private mutating func refuseBody() -> Bool {
    failure = TransportError(.tooLarge, "the body has more than \(bodyBytesMax) bytes")
    return false
  }

  // MARK: the head

  /// Whether every reader sees a single line: for some, a carriage return within it ends it. RFC
  /// 9110, section 5.5, allows rejecting such an answer or inserting spaces; a header hidden in
  /// another is not worth repairing.
  private static func isClean(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let last = line.lastIndex(where: { !$0.isSpace }) else { return true }
    return !line[..<last].contains { $0 == .carriageReturn || $0 == 0 } && line[last] != 0
  }

  /// A length that is given again must be the same, in one field or in several. Some versions of curl
  /// take the last, and the digits before anything else.
  private mutating func readLength(_ line: UnsafeRawBufferPointer) -> Bool {
    let name = "content-length"
    guard line.count > name.utf8.count, zip(line, name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
      let colon = line.firstIndex(of: .colon),
      line[name.utf8.count..<colon].allSatisfy(\.isSpace)
    else { return true }
    let value = line[(colon + 1)...]
    for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = part.drop(while: \.isSpace).prefix(while: \.isDigit)
      guard part[digits.endIndex...].allSatisfy(\.isSpace),
        let length = Int(String(decoding: digits, as: UTF8.self)), length == contentLength ?? length
      else { return false }
      contentLength = length
    }
    return true
  }

  private static func status(_ line: UnsafeRawBufferPointer) -> Int? {
    guard line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F]) else { return nil }  // HTTP/
    let digits = line.drop { $0 != .space }.drop { $0 == .space }.prefix { $0.isDigit }
    return digits.isEmpty ? nil : digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - .zero) }
  }

  private var version: HTTPVersion {
    let text = head.dropFirst("HTTP/".utf8.count).prefix { $0 != .space }
    return HTTPVersion(curlSpelling: String(decoding: text, as: UTF8.self))
  }

  private var headers: HTTPHeaders {
    head.withUnsafeBytes { bytes in
      var headers = HTTPHeaders()
      headers.fields.reserveCapacity(12)
      var rest = bytes.drop { $0 != .newline }.dropFirst()
      while !rest.isEmpty {
        let line = rest.prefix { $0 != .newline }
        rest = rest[line.endIndex...].dropFirst()
        headers.add(line)
      }
      return headers
    }
  }
}

extension HTTPHeaders {
  fileprivate mutating func add(_ line: Slice<UnsafeRawBufferPointer>) {
    let text = Self.trimmed(line)
    if line.first == .space || line.first == .tab {
      if let last = fields.indices.last, !text.isEmpty {
        fields[last].value += " " + String(decoding: text, as: UTF8.self)
      }
    } else if let colon = text.firstIndex(of: .colon) {
      append(
        String(decoding: Self.trimmed(text[..<colon]), as: UTF8.self),
        String(decoding: Self.trimmed(text[(colon + 1)...]), as: UTF8.self))
    }
  }

  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, bytes[start].isSpace { start += 1 }
    while start < end, bytes[end - 1].isSpace { end -= 1 }
    return bytes[start..<end]
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == .space || 0x09...0x0D ~= self }
}

extension HTTPVersion {
  fileprivate init(curlSpelling text: String) {
    self =
      switch text {
      case "1.0": .http10
      case "2", "2.0": .http2
      case "3": .http3
      default: .http11
      }
  }
}
