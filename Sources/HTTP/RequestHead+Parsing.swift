import UnderstudyCore
import UnderstudySystem

extension RequestHead {
  /// Parses the head that starts with the first of `bytes`.
  ///
  /// `scanned` belongs to the connection: zero for a new head, and kept between `incomplete`
  /// results for the same head. It limits the cost of a slow head to twice the normal: bytes
  /// already seen are not parsed again until the new bytes contain the end of the head.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer, scanned: inout Int) -> Response {
    guard let start = bytes.baseAddress, bytes.count > scanned else { return .incomplete }
    let count = min(bytes.count, max(limits.headBytesMax, 1))
    let isFull = bytes.count >= limits.headBytesMax
    if scanned > 0, !isFull, !Self.mayEnd(bytes, from: start, after: scanned) {
      scanned = count
      return .incomplete
    }
    do throws(HeadStop) {
      let isShort = count < ByteScan.vectorCount
      let end = try isShort ? parseShort(start, count) : parse(ByteScan(start, count: count))
      scanned = 0
      return .complete(byteCount: end)
    } catch .refused(let refusal) {
      return .malformed(refusal)
    } catch {
      guard !isFull else { return .malformed(.headTooLarge) }
      scanned = count
      return .incomplete
    }
  }

  /// Whether new bytes contain the empty line at the end of a head, or an invalid line feed.
  private static func mayEnd(
    _ bytes: UnsafeRawBufferPointer, from start: UnsafeRawPointer, after scanned: Int
  ) -> Bool {
    var offset = scanned
    // SAFETY: the search gets the bytes from `offset` to the end.
    while let place = CLibrary.offset(
      of: .newline, in: start + offset, count: bytes.count - offset)
    {
      let index = offset + place
      guard index > 0, bytes[index - 1] == .carriageReturn else { return true }
      // The one empty line that may stand before a request line is not its end.
      if index >= 2, bytes[index - 2] == .newline { return true }
      offset = index + 1
    }
    return false
  }

  private mutating func parseShort(_ start: UnsafeRawPointer, _ count: Int) throws(HeadStop) -> Int
  {
    var copy = SIMD16<UInt8>()
    let first = ByteScan.vectorCount - count
    for offset in 0..<count {
      copy[first + offset] = start.load(fromByteOffset: offset, as: UInt8.self)
    }
    var end: Result<Int, HeadStop> = .failure(.incomplete)
    // SAFETY: the bytes are at the end of the copy, after its other bytes.
    withUnsafeBytes(of: copy) { copy in
      guard let start = copy.baseAddress else { return }
      let scan = ByteScan(start + first, count: count)
      do throws(HeadStop) { end = .success(try parse(scan)) } catch { end = .failure(error) }
    }
    return try end.get()
  }

  private mutating func parse(_ bytes: ByteScan) throws(HeadStop) -> Int {
    fieldCount = 0
    body = .none
    expectsContinue = false
    var facts = HeadFacts()
    let end = try parseFields(bytes, from: try parseRequestLine(bytes), &facts)
    guard end &+ 1 < bytes.count else { throw .incomplete }
    guard bytes[end &+ 1] == .newline else { throw .refused(.bareCarriageReturn) }
    try conclude(facts)
    return end &+ 2
  }

  // MARK: - Fields

  /// Returns the offset of the empty line's carriage return.
  private mutating func parseFields(
    _ bytes: ByteScan, from offset: Int, _ facts: inout HeadFacts
  ) throws(HeadStop) -> Int {
    var start = offset
    while true {
      guard start < bytes.count else { throw .incomplete }
      if bytes[start] == .carriageReturn { return start }

      var colon = try bytes.first(from: start) { $0.isUncommonInToken }
      if bytes[colon] != .colon || colon == start {
        colon = try Self.endOfUncommonName(bytes, from: start, to: colon)
      }

      var end = try bytes.first(from: colon &+ 1) { $0.isControl }
      guard end &+ 1 < bytes.count else { throw Self.stop(bytes, at: end) }
      if bytes.integer(at: end) as UInt16 != lineEnd {
        end = try Self.endOfUncommonValue(bytes, from: end)
      }

      // Nearly always one space precedes the value and none follows it.
      let margin = colon &+ (bytes[colon &+ 1] == .space ? 2 : 1)
      let isPlain = bytes[margin] > .space && bytes[end &- 1] > .space
      let value =
        isPlain
        ? ByteRange(margin, to: end) : Self.trimmed(bytes, from: colon &+ 1, to: end)
      guard append(Field(name: ByteRange(start, to: colon), value: value)) else {
        throw .refused(.tooManyFields)
      }
      // A line has at least four bytes: "a:" and its end.
      switch bytes.integer(at: start) as UInt32 | 0x2020_2020 {
      case FramingField.host where colon &- start == 4:
        try meetHost(bytes, value, &facts)
      case FramingField.cont, FramingField.tran, FramingField.conn, FramingField.expe:
        try meetField(bytes, start..<colon, value.offsets, line: colon &+ 1..<end, &facts)
      default: break
      }
      start = end &+ 2
    }
  }

  /// Continues at a byte that is neither a letter nor a hyphen nor the colon after a name.
  private static func endOfUncommonName(
    _ bytes: ByteScan, from start: Int, to uncommon: Int
  ) throws(HeadStop) -> Int {
    let end = endOfToken(bytes, from: uncommon)
    guard end < bytes.count else { throw .incomplete }
    switch bytes[end] {
    case .colon where end > start: return end
    case .space, .tab: throw .refused(end == start ? .obsoleteFold : .spaceBeforeColon)
    case .newline: throw .refused(.bareLineFeed)
    case .carriageReturn: throw .refused(.colonMissing)
    default: throw .refused(.fieldNameInvalid)
    }
  }

  /// The first byte from `start` on that is not a token character; `count` if there is none.
  static func endOfToken(_ bytes: ByteScan, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isToken { end += 1 }
    return end
  }

  /// Continues at a control character that does not start the line end.
  private static func endOfUncommonValue(
    _ bytes: ByteScan, from control: Int
  ) throws(HeadStop) -> Int {
    var end = control
    while bytes[end] == .tab {
      end = try bytes.first(from: end + 1) { $0.isControl }
    }
    guard end + 1 < bytes.count else { throw stop(bytes, at: end) }
    guard bytes.integer(at: end) as UInt16 == lineEnd else {
      throw bytes[end] == .carriageReturn ? .refused(.bareCarriageReturn) : stop(bytes, at: end)
    }
    return end
  }

  /// The problem of a value that ends at a control character; a carriage return may start the line
  /// end.
  private static func stop(_ bytes: ByteScan, at control: Int) -> HeadStop {
    switch bytes[control] {
    case .carriageReturn, .tab: return .incomplete
    case .newline: return .refused(.bareLineFeed)
    default: return .refused(.controlCharacter)
    }
  }

  private static func trimmed(_ bytes: ByteScan, from start: Int, to end: Int) -> ByteRange {
    var (start, end) = (start, end)
    while start < end, bytes[start].isBlank { start += 1 }
    while end > start, bytes[end - 1].isBlank { end -= 1 }
    return ByteRange(start, to: end)
  }
}

/// Carriage return and line feed, as loaded from memory.
let lineEnd: UInt16 = 0x0A0D
