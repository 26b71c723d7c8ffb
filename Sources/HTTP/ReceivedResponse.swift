import UnderstudyCore

/// A received response, for tests that compare a server's bytes and for commands that talk to a
/// running server: strict, not fast.
package struct ReceivedResponse: Equatable, Sendable {
  /// A header field as it came: its name is not lowercased, so that tests see what was sent.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package let minorVersion: UInt8
  package let status: Int
  package let reason: String
  package let fields: [Field]
  /// Without framing.
  package private(set) var body: [UInt8] = []
  /// Whether the connection ended before the body did.
  package private(set) var isTruncated = false
  /// Where the next response starts.
  package private(set) var byteCount = 0

  /// The values of a field, in order; names are case-insensitive.
  package func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// Reads the response at the start of `bytes`; `nil` if it is not complete yet.
  ///
  /// `isHead` for a response to HEAD. `isClosed` if nothing more can arrive: then an unfinished head
  /// is malformed and an unfinished body is truncated. Interim responses are responses too.
  package static func parse(
    _ bytes: [UInt8], isHead: Bool = false, isClosed: Bool
  ) throws(ResponseError) -> ReceivedResponse? {
    guard let headEnd = endOfHead(bytes) else {
      guard isClosed else { return nil }
      throw .malformed("no end of the head", offset: bytes.count)
    }
    let lines = Self.lines(bytes[..<headEnd])
    var response = try ReceivedResponse(statusLine: lines[0], fieldLines: lines.dropFirst())
    response.byteCount = headEnd + 4
    if isHead || response.status < 200 || response.status == 204 || response.status == 304 {
      return response
    }
    return try response.readBody(bytes, isClosed: isClosed) ? response : nil
  }

  /// Where the line end before the empty line starts.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    let pattern = Array("\r\n\r\n".utf8)
    return bytes.indices.first { bytes[$0...].starts(with: pattern) }
  }

  /// At least one line.
  private static func lines(_ head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = head.startIndex
    for index in head.indices where head[index...].starts(with: [.carriageReturn, .newline]) {
      lines.append(head[start..<index])
      start = index + 2
    }
    return lines + [head[start...]]
  }

  private init(
    statusLine line: ArraySlice<UInt8>, fieldLines: ArraySlice<ArraySlice<UInt8>>
  ) throws(ResponseError) {
    let text = String(decoding: line, as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
      parts[1].utf8.count == 3, parts[1].utf8.allSatisfy(\.isDigit), let status = Int(parts[1]),
      status >= 100, parts[2].utf8.allSatisfy(\.isFieldValue)
    else {
      throw .malformed("malformed status line \(text.debugDescription)", offset: line.startIndex)
    }
    minorVersion = parts[0] == "HTTP/1.1" ? 1 : 0
    self.status = status
    reason = String(parts[2])
    var fields: [Field] = []
    for line in fieldLines { fields.append(try Self.field(line)) }
    self.fields = fields
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(ResponseError) -> Field {
    let colon = line.firstIndex(of: .colon) ?? line.endIndex
    let (name, rest) = (line[..<colon], line[colon...].dropFirst())
    guard colon < line.endIndex, !name.isEmpty, name.allSatisfy(\.isToken),
      rest.allSatisfy(\.isFieldValue)
    else {
      let text = String(decoding: line, as: UTF8.self)
      throw .malformed("malformed field \(text.debugDescription)", offset: line.startIndex)
    }
    let value = rest.drop { $0.isBlank }
    let end = value.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? value.startIndex
    return Field(
      name: String(decoding: name, as: UTF8.self),
      value: String(decoding: value[..<end], as: UTF8.self))
  }

  /// Returns whether the body is complete.
  private mutating func readBody(_ bytes: [UInt8], isClosed: Bool) throws(ResponseError) -> Bool {
    guard let framing = try bodyFraming() else {
      body = Array(bytes[byteCount...])
      byteCount = bytes.count
      return isClosed
    }
    var limits = MessageLimits()
    limits.bodyBytesMax = .max
    var reader = BodyReader(framing, limits: limits)
    while true {
      // SAFETY: the pointer stays inside the closure.
      let (step, place) = bytes.withUnsafeBytes { bytes in
        var place = byteCount
        let step = reader.next(bytes, from: &place)
        return (step, place)
      }
      byteCount = place
      switch step {
      case .data(let range): body += bytes[range]
      case .complete: return true
      case .needsMore:
        isTruncated = isClosed
        return isClosed
      case .malformed(let refusal): throw .malformed(refusal.message, offset: place)
      }
    }
  }

  /// `nil` for a body that ends with the connection.
  private func bodyFraming() throws(ResponseError) -> BodyFraming? {
    let codings = values(of: "Transfer-Encoding")
    let lengths = values(of: "Content-Length")
    switch (codings.count, lengths.count) {
    case (0, 0): return nil
    case (1, 0) where codings[0].lowercased() == "chunked": return .chunked
    case (0, 1):
      if 1...18 ~= lengths[0].utf8.count, lengths[0].utf8.allSatisfy(\.isDigit),
        let length = Int(lengths[0])
      {
        return .length(length)
      }
      fallthrough
    default:
      throw .malformed(
        "both Transfer-Encoding \(codings) and Content-Length \(lengths)", offset: 0)
    }
  }
}
