/// What a client that forgives nothing makes of bytes on a connection (RFC 9112).
struct StrictClient {
  enum Outcome: Hashable {
    case nothing
    /// A response, and what came after it.
    case response(body: [UInt8], rest: [UInt8])
    /// The connection ended, or stood still, before the response did.
    case unfinished
    /// Bytes that are not HTTP at this part: `status line`, `header`, `chunk`.
    case malformed(String)
  }

  let isHead: Bool
  /// Whether the connection ended in good order after the bytes.
  let isClosed: Bool

  func read(_ bytes: [UInt8]) -> Outcome {
    if bytes.isEmpty { return .nothing }
    var rest = bytes[...]
    guard let statusLine = Self.line(&rest),
      let match = statusLine.wholeMatch(of: /HTTP\/1\.[01] ([1-5][0-9][0-9]) [\x20-\x7E]*/),
      let status = Int(match.1)
    else { return .malformed("status line") }
    var fields: [String: [String]] = [:]
    while true {
      guard let line = Self.line(&rest) else { return .unfinished }
      if line.isEmpty { break }
      guard
        let field = line.wholeMatch(of: /([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ([^\x00-\x1F\x7F]*)/)
      else { return .malformed("header") }
      fields[field.1.lowercased(), default: []].append(String(field.2))
    }
    guard fields["date"]?.count == 1, fields["connection", default: []].count <= 1 else {
      return .malformed("header")
    }
    let lengths = fields["content-length"] ?? []
    let codings = fields["transfer-encoding"] ?? []
    guard lengths.count + codings.count <= 1 else { return .malformed("framing") }
    if isHead { return .response(body: [], rest: Array(rest)) }
    if status < 200 || status == 204 || status == 304 {
      guard lengths.isEmpty, codings.isEmpty else { return .malformed("framing") }
      return .response(body: [], rest: Array(rest))
    }
    if let text = lengths.first {
      guard let length = Int(text), String(length) == text else { return .malformed("framing") }
      return rest.count < length
        ? .unfinished
        : .response(body: Array(rest.prefix(length)), rest: Array(rest.dropFirst(length)))
    }
    if codings == ["chunked"] { return Self.chunks(&rest) }
    guard fields["connection"] == ["close"] else { return .malformed("framing") }
    return isClosed ? .response(body: Array(rest), rest: []) : .unfinished
  }

  private static func chunks(_ rest: inout ArraySlice<UInt8>) -> Outcome {
    var body: [UInt8] = []
    while true {
      guard let line = line(&rest) else { return .unfinished }
      guard line.wholeMatch(of: /[0-9a-f]+/) != nil, let size = Int(line, radix: 16) else {
        return .malformed("chunk")
      }
      guard rest.count >= size + 2 else { return .unfinished }
      body += rest.prefix(size)
      rest = rest.dropFirst(size)
      guard rest.starts(with: "\r\n".utf8) else { return .malformed("chunk") }
      rest = rest.dropFirst(2)
      if size == 0 { return .response(body: body, rest: Array(rest)) }
    }
  }

  /// The text up to a line break, which has both its bytes.
  private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let range = rest.firstRange(of: Array("\r\n".utf8)) else { return nil }
    defer { rest = rest[range.upperBound...] }
    return String(decoding: rest[..<range.lowerBound], as: UTF8.self)
  }
}
