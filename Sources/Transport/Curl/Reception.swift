/// The answer of one transfer as far as it is there; does no I/O.
// SAFETY: bytes are looked at through the collection's checked indices, during the call alone.
struct Reception {
  /// Of all lines of a head together.
  static let headBytesMax = 256 << 10

  /// Why it takes no more.
  var failure: TransportError?
  private let bodyBytesMax: Int
  private let followsRedirects: Bool
  private var status = 0
  private var version = HTTPVersion.http11
  private var headers = HTTPHeaders()
  private var body: [UInt8] = []
  private var bodyByteCount = 0
  private var headByteCount = 0
  private var isInHead = false

  init(limits options: HTTPRequestOptions = HTTPRequestOptions()) {
    bodyBytesMax = options.bodyBytesMax
    followsRedirects = options.redirectCountMax > 0
  }

  var hasBegun: Bool { status > 0 }

  /// Whether the body is not the one that was asked for.
  var isRedirect: Bool {
    followsRedirects && HTTPRequest.redirectStatuses.contains(status) && headers["Location"] != nil
  }

  var response: HTTPResponse? {
    guard status >= 200 else { return nil }
    return HTTPResponse(status: status, headers: headers, body: body, version: version)
  }

  /// A line of a head with its end. An interim answer's head gives way to the next; what stands
  /// behind the body is dropped.
  mutating func readLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headByteCount += bytes.count
    guard headByteCount <= Self.headBytesMax else {
      failure = TransportError(.tooLarge, "the head has more than \(Self.headBytesMax) bytes")
      return false
    }
    let line = Self.trimmed(bytes[...])
    if !isInHead {
      if status < 200, line.starts(with: "HTTP/".utf8) { readStatus(line) }
      return true
    }
    if line.isEmpty {
      isInHead = false
    } else if let first = bytes.first, first == 0x20 || first == 0x09 {
      if let last = headers.fields.indices.last {
        headers.fields[last].value += " " + String(decoding: line, as: UTF8.self)
      }
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(
        String(decoding: Self.trimmed(line[..<colon]), as: UTF8.self),
        String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self))
    }
    return true
  }

  mutating func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard count(bytes.count) else { return false }
    body.append(contentsOf: bytes)
    return true
  }

  /// Counts bytes that another takes.
  mutating func count(_ byteCount: Int) -> Bool {
    bodyByteCount += byteCount
    guard bodyByteCount <= bodyBytesMax else {
      failure = TransportError(.tooLarge, "the body has more than \(bodyBytesMax) bytes")
      return false
    }
    return true
  }

  private mutating func readStatus(_ line: Slice<UnsafeRawBufferPointer>) {
    let space = UInt8(ascii: " ")
    let version = line.dropFirst(5).prefix { $0 != space }
    let code = line[version.endIndex...].drop { $0 == space }.prefix { $0 != space }
    guard !code.isEmpty else { return }
    status = Int(String(decoding: code, as: UTF8.self)) ?? 0
    self.version = HTTPVersion(curlSpelling: String(decoding: version, as: UTF8.self))
    headers = HTTPHeaders()
    headers.fields.reserveCapacity(12)
    isInHead = true
  }

  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }
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
