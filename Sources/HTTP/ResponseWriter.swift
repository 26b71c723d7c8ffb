/// How the end of a response's body is told.
package enum ResponseFraming: Hashable, Sendable {
  /// For a status that has no body: 1xx, 204, 304.
  case none
  case length(Int)
  case chunked
  /// The connection ends with the body.
  case close
}

/// Writes the bytes of a response into a buffer of the caller's.
///
/// Values that would end their line are refused, so whoever chooses a value does not choose the
/// fields after it. When something is refused, what was written before stays.
package struct ResponseWriter {
  // SAFETY: the caller keeps the buffer for as long as it writes, and `count` never exceeds it.
  private let buffer: UnsafeMutableRawBufferPointer
  /// The bytes written.
  package private(set) var count = 0

  package init(into buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  // MARK: - Head

  /// Without a reason, the one that RFC 9110 gives the status.
  package mutating func begin(
    status: Int, reason: String? = nil, minorVersion: UInt8 = 1
  ) throws(ResponseError) {
    guard 100...999 ~= status else { throw .statusInvalid(status) }
    try append(minorVersion == 0 ? "HTTP/1.0 " : "HTTP/1.1 ")
    try appendDecimal(status)
    try append(" ")
    if let reason {
      guard reason.utf8.allSatisfy(\.isFieldValue) else { throw .reasonInvalid(reason) }
      try append(reason.utf8)
    } else {
      try append(Self.reason(of: status))
    }
    try append("\r\n")
  }

  package mutating func field(_ name: String, _ value: String) throws(ResponseError) {
    guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else { throw .nameInvalid(name) }
    guard value.utf8.allSatisfy(\.isFieldValue) else { throw .valueInvalid(name: name) }
    try append(name.utf8)
    try append(": ")
    try append(value.utf8)
    try append("\r\n")
  }

  package mutating func date(_ date: borrowing HTTPDate) throws(ResponseError) {
    try append("Date: ")
    let place = try grow(by: HTTPDate.byteCount)
    for k in 0..<HTTPDate.byteCount { buffer[place + k] = date.bytes[k] }
    try append("\r\n")
  }

  /// Says how the body ends and whether the connection goes on, and ends the head.
  ///
  /// A client of HTTP/1.0 knows no chunks: the body of what was to be chunked ends with the
  /// connection. Returns the framing to use; with `close` the connection ends in any case.
  package mutating func endHead(
    _ framing: ResponseFraming, keepsAlive: Bool, minorVersion: UInt8 = 1
  ) throws(ResponseError) -> ResponseFraming {
    let framing = framing == .chunked && minorVersion == 0 ? .close : framing
    switch framing {
    case .none, .close: break
    case .length(let length):
      try append("Content-Length: ")
      try appendDecimal(max(length, 0))
      try append("\r\n")
    case .chunked: try append("Transfer-Encoding: chunked\r\n")
    }
    if !keepsAlive || framing == .close {
      try append("Connection: close\r\n")
    } else if minorVersion == 0 {
      try append("Connection: keep-alive\r\n")
    }
    try append("\r\n")
    return framing
  }

  // MARK: - Body

  /// Bytes as they are: a body, or a part of a head that was written before.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ResponseError) {
    let place = try grow(by: bytes.count)
    buffer[place..<count].copyBytes(from: bytes)
  }

  /// The line before the data of a chunk. A chunk without data would end the body, so it has none.
  package mutating func beginChunk(byteCount: Int) throws(ResponseError) {
    guard byteCount > 0 else { return }
    let digits = (Int.bitWidth - byteCount.leadingZeroBitCount + 3) / 4
    let place = try grow(by: digits)
    for k in 0..<digits {
      let digit = UInt8(truncatingIfNeeded: byteCount >> (4 * (digits - 1 - k)) & 15)
      buffer[place + k] = digit < 10 ? .zero + digit : UInt8(ascii: "a") + digit - 10
    }
    try append("\r\n")
  }

  /// The end of a chunk's data.
  package mutating func endChunk() throws(ResponseError) { try append("\r\n") }

  /// The end of a body in chunks.
  package mutating func endChunks() throws(ResponseError) { try append("0\r\n\r\n") }

  // MARK: - Bytes

  /// Returns where the new bytes begin.
  private mutating func grow(by added: Int) throws(ResponseError) -> Int {
    guard added <= buffer.count - count else { throw .bufferFull }
    defer { count += added }
    return count
  }

  private mutating func append(_ text: StaticString) throws(ResponseError) {
    try append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String.UTF8View) throws(ResponseError) {
    let place = try grow(by: text.count)
    buffer[place..<count].copyBytes(from: text)
  }

  private mutating func appendDecimal(_ number: Int) throws(ResponseError) {
    var digits = 1
    var bound = 10
    while number >= bound, digits < 18 {
      digits += 1
      bound *= 10
    }
    if number >= bound { digits += 1 }
    let place = try grow(by: digits)
    var rest = number
    for k in (0..<digits).reversed() {
      buffer[place + k] = .zero + UInt8(rest % 10)
      rest /= 10
    }
  }
}
