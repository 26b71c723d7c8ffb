import UnderstudyCore

/// What the fields of an unfinished head have stated so far.
struct HeadFacts {
  var hasHost = false
  var saysClose = false
  var saysKeepAlive = false
}

/// The fields that determine how a message is read, by the first four letters of their names.
enum FramingField {
  static let host: UInt32 = 0x7473_6F68
  static let cont: UInt32 = 0x746E_6F63
  static let tran: UInt32 = 0x6E61_7274
  static let conn: UInt32 = 0x6E6E_6F63
  static let expe: UInt32 = 0x6570_7865
}

/// The fields that determine a message's end and its host. If two servers read them differently,
/// requests can be smuggled, so nothing unusual is accepted.
extension RequestHead {
  /// `line` is the value with surrounding whitespace.
  mutating func meetField(
    _ bytes: ByteScan, _ name: Range<Int>, _ value: Range<Int>, line: Range<Int>,
    _ facts: inout HeadFacts
  ) throws(HeadStop) {
    switch name.count {
    case 6 where bytes.matches("expect", at: name.lowerBound):
      try meetExpect(bytes, value)
    case 10 where bytes.matches("connection", at: name.lowerBound):
      meetConnection(bytes, value, &facts)
    case 14 where bytes.matches("content-length", at: name.lowerBound):
      try meetContentLength(bytes, value, line: line)
    case 17 where bytes.matches("transfer-encoding", at: name.lowerBound):
      try meetTransferEncoding(bytes, value, line: line)
    default: break
    }
  }

  mutating func meetHost(
    _ bytes: ByteScan, _ value: ByteRange, _ facts: inout HeadFacts
  ) throws(HeadStop) {
    guard !facts.hasHost else { throw .refused(.hostRepeated) }
    guard let host = Host.parse(bytes, in: value) else { throw .refused(.hostInvalid) }
    facts.hasHost = true
    switch targetForm {
    case .absolute:
      // One of them may leave out the port.
      let isWhole = host.count < value.count && self.host.count < authority.count
      guard
        isWhole
          ? bytes.areSame(value.offsets, authority.offsets)
          : bytes.areSame(host.offsets, self.host.offsets)
      else { throw .refused(.hostDiffersFromTarget) }
    // Clients differ in whether they add the port here.
    case .authority: break
    case .origin, .asterisk:
      self.host = host
      authority = value
    }
  }

  private mutating func meetContentLength(
    _ bytes: ByteScan, _ value: Range<Int>, line: Range<Int>
  ) throws(HeadStop) {
    switch body {
    case .none: break
    case .length: throw .refused(.contentLengthRepeated)
    case .chunked: throw .refused(.lengthAndTransferEncoding)
    }
    try Self.refuseTabs(bytes, around: value, in: line)
    guard 1...18 ~= value.count else { throw .refused(.contentLengthInvalid) }
    var length = 0
    for offset in value {
      guard bytes[offset].isDigit else { throw .refused(.contentLengthInvalid) }
      length = length * 10 + Int(bytes[offset] - .zero)
    }
    body = .length(length)
  }

  private mutating func meetTransferEncoding(
    _ bytes: ByteScan, _ value: Range<Int>, line: Range<Int>
  ) throws(HeadStop) {
    switch body {
    case .none: break
    case .length: throw .refused(.lengthAndTransferEncoding)
    case .chunked: throw .refused(.transferEncodingRepeated)
    }
    guard minorVersion > 0 else { throw .refused(.transferEncodingInHTTP10) }
    try Self.refuseTabs(bytes, around: value, in: line)
    var (chunkedCount, codingCount) = (0, 0)
    var isLast = false
    var elements = ListElements(bytes, value)
    while let coding = elements.next() {
      guard !coding.isEmpty, coding.allSatisfy({ bytes[$0].isToken }) else {
        throw .refused(.transferEncodingInvalid)
      }
      isLast = bytes.matches("chunked", in: coding)
      if isLast { chunkedCount += 1 }
      codingCount += 1
    }
    if chunkedCount > 1 { throw .refused(.transferEncodingRepeated) }
    if chunkedCount == 1, !isLast { throw .refused(.chunkedNotLast) }
    guard codingCount == chunkedCount else { throw .refused(.transferCodingUnknown) }
    body = .chunked
  }

  /// Not all servers treat a tab as whitespace.
  private static func refuseTabs(
    _ bytes: ByteScan, around value: Range<Int>, in line: Range<Int>
  ) throws(HeadStop) {
    let hasTab =
      (line.lowerBound..<value.lowerBound).contains { bytes[$0] == .tab }
      || (value.upperBound..<line.upperBound).contains { bytes[$0] == .tab }
    if hasTab { throw .refused(.tabAroundFraming) }
  }

  private mutating func meetConnection(
    _ bytes: ByteScan, _ value: Range<Int>, _ facts: inout HeadFacts
  ) {
    var elements = ListElements(bytes, value)
    while let option = elements.next() {
      if bytes.matches("close", in: option) { facts.saysClose = true }
      if bytes.matches("keep-alive", in: option) { facts.saysKeepAlive = true }
    }
  }

  private mutating func meetExpect(_ bytes: ByteScan, _ value: Range<Int>) throws(HeadStop) {
    // HTTP/1.0 clients do not know this field (RFC 9110, section 10.1.1).
    guard minorVersion > 0 else { return }
    guard bytes.matches("100-continue", in: value) else { throw .refused(.expectationUnknown) }
    expectsContinue = true
  }

  /// Checks that need the whole head.
  mutating func conclude(_ facts: HeadFacts) throws(HeadStop) {
    keepsAlive = !facts.saysClose && (minorVersion > 0 || facts.saysKeepAlive)
    guard facts.hasHost || minorVersion == 0 else { throw .refused(.hostMissing) }
  }
}

/// The comma-separated parts of a value, without surrounding whitespace, including empty ones.
struct ListElements {
  private let bytes: ByteScan
  private let value: Range<Int>
  private var offset: Int?

  init(_ bytes: ByteScan, _ value: Range<Int>) {
    self.bytes = bytes
    self.value = value
    offset = value.lowerBound
  }

  mutating func next() -> Range<Int>? {
    guard var start = offset else { return nil }
    var end = start
    while end < value.upperBound, bytes[end] != .comma { end += 1 }
    offset = end < value.upperBound ? end + 1 : nil
    while start < end, bytes[start].isBlank { start += 1 }
    while end > start, bytes[end - 1].isBlank { end -= 1 }
    return start..<end
  }
}

extension ByteScan {
  /// Compares two hosts, ignoring case.
  func areSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { l, r in
      self[l] == self[r] || (self[l].isLetter && self[l].lowercased == self[r].lowercased)
    }
  }
}
