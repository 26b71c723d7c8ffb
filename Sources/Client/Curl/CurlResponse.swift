import UnderstudyCore

/// The response of one transfer as far as it has arrived; does no I/O.
///
/// Everything is kept unparsed, for the sender's thread to parse: the driver's thread has no time
/// for that. It has limits for head and body, and says at each piece whether it accepts more.
// SAFETY: bytes are accessed through the collection's checked indices, only during the call.
struct CurlResponse {
  /// For all lines of a head together.
  static let headBytesMax = 256 << 10

  /// Why it accepts no more data.
  var failure: TransportError?
  private let bodyBytesMax: Int
  private let followsRedirects: Bool
  /// Whether the body is that of a redirect.
  private(set) var isRedirect = false
  private var status = 0
  /// The lines from the status line on, each with its end.
  private var head: [UInt8] = []
  private var statusLineByteCount = 0
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

  /// Whether no body can have begun.
  var expectsHead: Bool { isInHead || status < 200 }

  var response: ClientResponse? {
    guard status >= 200 else { return nil }
    return ClientResponse(status: status, headers: headers, body: body, version: version)
  }

  /// A line of the head with its line end. The head of an interim response is replaced by the next;
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
      statusLineByteCount = line.count
    } else if head.count == statusLineByteCount, line.first == .space || line.first == .tab {
      // It continues nothing. Curl must not see it: see `CurlHandle.readsHeadFirst`.
      return refuseHead("its head begins with a folded line (RFC 9112, section 5.2)")
    }
    guard Self.isClean(line) else {
      return refuseHead("a header has a carriage return or NUL in it (RFC 9110, section 5.5)")
    }
    guard readLength(line) else {
      return refuseHead("its Content-Length is not one whole number (RFC 9112, section 6.3)")
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

  private mutating func refuseHead(_ reason: String) -> Bool {
    failure = TransportError(.malformedResponse, reason)
    return false
  }

  private mutating func refuseBody() -> Bool {
    failure = TransportError(.tooLarge, "the body has more than \(bodyBytesMax) bytes")
    return false
  }

  // MARK: the head

  /// Whether every reader sees a single line: for some, a carriage return within it ends it. RFC
  /// 9110, section 5.5, allows rejecting such a response or inserting spaces; a header hidden in
  /// another is not worth repairing.
  private static func isClean(_ line: UnsafeRawBufferPointer) -> Bool {
    var end = line.count
    while end > 0, line[end - 1].isSpace { end -= 1 }
    return !UnsafeRawBufferPointer(rebasing: line[..<end]).contains {
      $0 == .carriageReturn || $0 == 0
    }
  }

  /// A length that is given again must be the same, in one field or in several. Some versions of
  /// curl take the last, and the digits before anything else.
  private mutating func readLength(_ line: UnsafeRawBufferPointer) -> Bool {
    guard var start = Self.startOfLength(line) else { return true }
    while start <= line.count {
      let end = line[start...].firstIndex(of: .comma) ?? line.count
      guard let length = Self.wholeNumber(line, start..<end), length == contentLength ?? length
      else { return false }
      contentLength = length
      start = end + 1
    }
    return true
  }

  /// Behind the colon of a `Content-Length`; `nil` for another field.
  private static func startOfLength(_ line: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    for byte in "content-length".utf8 {
      guard index < line.count, line[index] | 0x20 == byte | 0x20 else { return nil }
      index += 1
    }
    while index < line.count, line[index].isSpace { index += 1 }
    return index < line.count && line[index] == .colon ? index + 1 : nil
  }

  private static func wholeNumber(_ line: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    let digits = line[range].drop(while: \.isSpace).prefix(while: \.isDigit)
    guard !digits.isEmpty, line[digits.endIndex..<range.upperBound].allSatisfy(\.isSpace) else {
      return nil
    }
    var number = 0
    for digit in digits {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (next, overflows) = tens.addingReportingOverflow(Int(digit - .zero))
      guard !isTooLarge, !overflows else { return nil }
      number = next
    }
    return number
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
    var fields: [HTTPHeaders.Field] = []
    fields.reserveCapacity(12)
    head.withUnsafeBytes { bytes in
      var start = statusLineByteCount
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
        Self.add(bytes, start..<end, to: &fields)
        start = end + 1
      }
    }
    return HTTPHeaders(fields)
  }

  private static func add(
    _ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, to fields: inout [HTTPHeaders.Field]
  ) {
    let text = trimmed(bytes, line)
    if line.isEmpty || bytes[line.lowerBound] == .space || bytes[line.lowerBound] == .tab {
      guard let last = fields.indices.last, !text.isEmpty else { return }
      fields[last].value += " " + bytes.text(text)
    } else if let colon = bytes[text].firstIndex(of: .colon) {
      fields.append(
        HTTPHeaders.Field(
          bytes.text(trimmed(bytes, text.lowerBound..<colon)),
          bytes.text(trimmed(bytes, colon + 1..<text.upperBound))))
    }
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isSpace { start += 1 }
    while start < end, bytes[end - 1].isSpace { end -= 1 }
    return start..<end
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: self[range]), as: UTF8.self)
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
