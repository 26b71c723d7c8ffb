import UnderstudyCore

extension RequestHead {
  private static let methodBytesMax = 32

  /// Returns where the next line starts.
  @inline(__always)
  mutating func parseRequestLine(_ bytes: ByteScan) throws(HeadStop) -> Int {
    let start = try Self.skipEmptyLine(bytes)
    let methodEnd: Int
    var isConnect = false
    if start &+ 4 <= bytes.count, bytes.integer(at: start) as UInt32 == 0x2054_4547 {
      methodEnd = start &+ 3
      isHead = false
    } else {
      methodEnd = try parseUncommonMethod(bytes, from: start)
      isConnect = bytes.isExactly("CONNECT ", at: start)
    }
    method = ByteRange(start, to: methodEnd)

    let targetStart = methodEnd &+ 1
    let targetEnd = try parseTarget(bytes, from: targetStart)
    let end = try parseVersion(bytes, from: targetEnd &+ 1)
    // After the version: the version of an HTTP/2 preface gives a better reason than its target.
    if isConnect {
      try parseAuthorityForm(bytes, targetStart..<targetEnd)
    } else {
      try parseForm(bytes, targetStart..<targetEnd)
    }
    return end
  }

  /// Servers should ignore an empty line before the request line (RFC 9112, section 2.2).
  @inline(__always)
  private static func skipEmptyLine(_ bytes: ByteScan) throws(HeadStop) -> Int {
    guard bytes[0] == .carriageReturn else { return 0 }
    guard bytes.count > 1 else { throw .incomplete }
    guard bytes[1] == .newline else { throw .refused(.bareCarriageReturn) }
    guard bytes.count > 2 else { throw .incomplete }
    guard bytes[2] != .carriageReturn else { throw .refused(.emptyLines) }
    return 2
  }

  /// Any method except GET. Returns the offset of the space after it.
  private mutating func parseUncommonMethod(
    _ bytes: ByteScan, from start: Int
  ) throws(HeadStop) -> Int {
    let end = Self.endOfToken(bytes, from: start)
    guard end < bytes.count else { throw .incomplete }
    switch bytes[end] {
    case .space where end > start: break
    case .newline where end == start: throw .refused(.bareLineFeed)
    case .space, .carriageReturn, .newline: throw .refused(.requestLineInvalid)
    case 0x16 where end == start: throw .refused(.tlsHandshake)
    case 4 where end == start, 5 where end == start: throw .refused(.socksHandshake)
    default: throw .refused(.methodInvalid)
    }
    guard end - start <= Self.methodBytesMax else { throw .refused(.methodTooLong) }
    isHead = bytes.isExactly("HEAD ", at: start)
    return end
  }

  /// Returns the end of the target, which is a space.
  @inline(__always)
  private mutating func parseTarget(_ bytes: ByteScan, from start: Int) throws(HeadStop) -> Int {
    let end = try endOfTarget(bytes, from: start)
    guard end &- start <= limits.targetBytesMax else { throw .refused(.targetTooLong) }
    guard bytes[end] == .space, end > start else {
      switch bytes[end] {
      case .hash: throw .refused(.targetFragment)
      case .space, .carriageReturn, .newline: throw .refused(.requestLineInvalid)
      default: throw .refused(.targetInvalid)
      }
    }
    target = ByteRange(start, to: end)
    return end
  }

  /// Also finds the path and the query.
  @inline(__always)
  private mutating func endOfTarget(_ bytes: ByteScan, from start: Int) throws(HeadStop) -> Int {
    do throws(HeadStop) {
      var end = try bytes.first(from: start) { $0.endsTarget }
      path = ByteRange(start, to: end)
      query = nil
      guard bytes[end] == .questionMark else { return end }
      let queryStart = end &+ 1
      repeat {
        end = try bytes.first(from: end &+ 1) { $0.endsTarget }
      } while bytes[end] == .questionMark
      query = ByteRange(queryStart, to: end)
      return end
    } catch {
      throw bytes.count &- start > limits.targetBytesMax ? .refused(.targetTooLong) : error
    }
  }

  /// Returns where the next line starts.
  private mutating func parseVersion(_ bytes: ByteScan, from start: Int) throws(HeadStop) -> Int {
    let end = start &+ 8
    if end &+ 2 <= bytes.count, bytes.integer(at: end) as UInt16 == lineEnd,
      bytes.integer(at: start) as UInt64 == 0x312E_312F_5054_5448
    {
      minorVersion = 1
      return end &+ 2
    }
    return try parseUncommonVersion(bytes, from: start)
  }

  private mutating func parseUncommonVersion(
    _ bytes: ByteScan, from start: Int
  ) throws(HeadStop) -> Int {
    let name: StaticString = "HTTP/"
    for k in 0..<8 {
      guard start + k < bytes.count else { throw .incomplete }
      let byte = bytes[start + k]
      let isExpected = k < 5 ? byte == name.utf8Start[k] : k == 6 ? byte == 0x2E : byte.isDigit
      guard isExpected else { throw .refused(k < 5 ? .requestLineInvalid : .versionInvalid) }
    }
    let (major, minor) = (bytes[start + 5] - .zero, bytes[start + 7] - .zero)
    guard start + 8 < bytes.count else { throw .incomplete }
    switch bytes[start + 8] {
    case .carriageReturn: break
    case .newline: throw .refused(.bareLineFeed)
    default: throw .refused(.versionInvalid)
    }
    guard start + 9 < bytes.count else { throw .incomplete }
    guard bytes[start + 9] == .newline else { throw .refused(.bareCarriageReturn) }
    if major == 2, bytes.isExactly("PRI * ", at: start - 6) { throw .refused(.http2Preface) }
    guard major == 1, minor <= 1 else { throw .refused(.versionUnsupported) }
    minorVersion = minor
    return start + 10
  }

  // MARK: - The form of the target

  private mutating func parseForm(_ bytes: ByteScan, _ target: Range<Int>) throws(HeadStop) {
    targetForm = .origin
    authority = ByteRange()
    host = ByteRange()
    if bytes[target.lowerBound] != .slash { try parseUncommonForm(bytes, target) }
  }

  /// The port is required (RFC 9112, section 3.2.3).
  private mutating func parseAuthorityForm(
    _ bytes: ByteScan, _ target: Range<Int>
  ) throws(HeadStop) {
    targetForm = .authority
    authority = ByteRange(target.lowerBound, to: target.upperBound)
    guard let host = Host.parse(bytes, in: authority), host.count + 1 < authority.count else {
      throw .refused(.connectTarget)
    }
    self.host = host
    path = ByteRange(target.upperBound, to: target.upperBound)
    query = nil
  }

  private mutating func parseUncommonForm(
    _ bytes: ByteScan, _ target: Range<Int>
  ) throws(HeadStop) {
    if target.count == 1, bytes[target.lowerBound] == UInt8(ascii: "*") {
      guard method.count == 7, bytes.isExactly("OPTIONS", at: Int(method.start)) else {
        throw .refused(.targetForm)
      }
      targetForm = .asterisk
      return
    }
    let schemeCount: Int
    if bytes.matches("http://", at: target.lowerBound) {
      schemeCount = 7
    } else if bytes.matches("https://", at: target.lowerBound) {
      schemeCount = 8
    } else {
      throw .refused(.targetForm)
    }
    let start = target.lowerBound + schemeCount
    let pathEnd = path.offsets.upperBound
    guard start <= pathEnd else { throw .refused(.targetForm) }
    var end = start
    while end < pathEnd, bytes[end] != .slash { end += 1 }
    authority = ByteRange(start, to: end)
    guard let host = Host.parse(bytes, in: authority) else { throw .refused(.hostInvalid) }
    targetForm = .absolute
    self.host = host
    path = ByteRange(end, to: pathEnd)
  }
}

extension ByteScan {
  func isExactly(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset &+ text.utf8CodeUnitCount <= count else { return false }
    for k in 0..<text.utf8CodeUnitCount where self[offset &+ k] != text.utf8Start[k] {
      return false
    }
    return true
  }
}
