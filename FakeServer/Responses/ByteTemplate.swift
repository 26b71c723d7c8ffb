import UnderstudyCore
import UnderstudyContractModel
import UnderstudyJSON

/// Bytes with placeholders, split once so that serving only appends pieces.
///
/// Unlike `Template`, whose grammar it uses, it works on bytes as sent: JSON with its escapes, and
/// bodies that are not valid UTF-8.
struct ByteTemplate: Sendable {
  /// The syntax around a value, which decides how the value is written.
  enum Syntax: Sendable {
    case headerValue, json, text
    /// The lines of an event's data.
    case eventData
  }

  /// Each is one reference, which is all that copying a piece counts.
  indirect enum Value: Sendable {
    case baseURL(upstream: String)
    case path(String)
    case query(String)
    case header(String)
    case body(JSONPointer)
    case state(ByteTemplate)
    case states(ByteTemplate)
    case uuid
    case counter
    case now(MovingTime)
    case random(ClosedRange<Int>)
  }

  enum Escaping: Sendable {
    case none
    /// Without control characters: a value cannot end its line or start another.
    case headerValue
    case jsonString
    /// As in a string, with each slash written as `\/`.
    case jsonStringWithSlashes
    /// A complete JSON value.
    case jsonValue
    /// With the name of the field before each further line.
    case eventData
  }

  enum Piece: Sendable {
    case bytes([UInt8])
    case value(Value, Escaping)
  }

  private(set) var pieces: [Piece] = []

  /// The number of bytes that no value decides.
  var fixedByteCount: Int {
    pieces.reduce(0) { count, piece in
      if case .bytes(let bytes) = piece { count + bytes.count } else { count }
    }
  }

  /// Whether a value is random or counted.
  var drawsValues: Bool {
    pieces.contains { piece in
      switch piece {
      case .value(.uuid, _), .value(.counter, _), .value(.random, _): true
      case .value, .bytes: false
      }
    }
  }

  init() {}

  /// A text that is not sent but used.
  init(_ template: Template, upstreamName: String) {
    for piece in template.pieces {
      switch piece {
      case .text(let text): append(text.utf8)
      case .expression(let expression):
        if let value = Value(expression.plain, upstreamName: upstreamName) { append(value, .none) }
      }
    }
  }

  /// The bytes when there are no placeholders, otherwise `nil`.
  var fixedBytes: [UInt8]? {
    // Adjacent bytes are always joined.
    guard pieces.count < 2 else { return nil }
    guard let piece = pieces.first else { return [] }
    guard case .bytes(let bytes) = piece else { return nil }
    return bytes
  }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    if case .bytes(var last) = pieces.last {
      pieces.removeLast()
      last += bytes
      pieces.append(.bytes(last))
    } else {
      let new = Array(bytes)
      if !new.isEmpty { pieces.append(.bytes(new)) }
    }
  }

  mutating func append(_ value: Value, _ escaping: Escaping) {
    pieces.append(.value(value, escaping))
  }

  mutating func append(_ other: ByteTemplate) {
    for piece in other.pieces {
      switch piece {
      case .bytes(let bytes): append(bytes)
      case .value: pieces.append(piece)
      }
    }
  }
}

extension ByteTemplate {
  /// Splits bytes at the URLs of live APIs, if those are to lead to the fake.
  init(_ bytes: [UInt8], _ syntax: Syntax, rewriting addresses: LiveAddresses?) {
    self.init()
    var start = 0
    for match in addresses?.matches(in: bytes) ?? [] {
      append(bytes[start..<match.range.lowerBound])
      let escaping: Escaping = match.hasEscapedSlashes ? .jsonStringWithSlashes : syntax.escaping
      append(.baseURL(upstream: match.upstreamName), escaping)
      start = match.range.upperBound
    }
    append(bytes[start...])
  }

  /// Also splits bytes at the contract's expressions.
  init(
    templateIn bytes: [UInt8], _ syntax: Syntax, upstreamName: String,
    rewriting addresses: LiveAddresses?
  ) {
    self.init()
    var literalStart = 0
    var search = 0
    while let open = bytes[search...].firstIndex(of: .openBrace) {
      // A backslash escapes a brace and is removed; in JSON it is written as two.
      let escape = max(literalStart, open - (syntax == .json ? 2 : 1))..<open
      if !escape.isEmpty, bytes[escape].allSatisfy({ $0 == .backslash }) {
        append(
          ByteTemplate(
            Array(bytes[literalStart..<escape.lowerBound]), syntax, rewriting: addresses))
        (literalStart, search) = (open, open + 1)
        continue
      }
      search = open + 1
      guard let close = Template.closingBrace(in: bytes[search...]) else { continue }
      let inside = bytes[search..<close]
      search = close + 1
      guard let expression = Self.expression(inside, syntax) else { continue }
      var range = open..<search
      var escaping = syntax.escaping
      var value = Value(expression, upstreamName: upstreamName)
      if case .json(let inner) = expression {
        value = Value(inner, upstreamName: upstreamName)
        if syntax == .json, let string = Self.wholeString(around: range, in: bytes) {
          range = string
          escaping = .jsonValue
        }
      }
      guard let value else { continue }
      append(
        ByteTemplate(
          Array(bytes[literalStart..<range.lowerBound]), syntax, rewriting: addresses))
      append(value, escaping)
      literalStart = range.upperBound
    }
    append(ByteTemplate(Array(bytes[literalStart...]), syntax, rewriting: addresses))
  }

  private static func expression(
    _ inside: ArraySlice<UInt8>, _ syntax: Syntax
  ) -> Template.Expression? {
    // All expressions begin with a word, so most braces of JSON are skipped here.
    guard let first = inside.first, first.isLetterOrDigit,
      var text = String(validating: inside, as: UTF8.self)
    else { return nil }
    if syntax == .json, inside.contains(.backslash) {
      guard let string = try? JSONDocument(parsing: "\"\(text)\"").root.string else { return nil }
      text = string
    }
    return Template("{\(text)}").expressions.first
  }

  /// The JSON string that consists of nothing but this range. A member's name is excluded: it must
  /// stay a string.
  private static func wholeString(around range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
    let quotes = range.lowerBound - 1..<range.upperBound + 1
    guard quotes.lowerBound >= 0, quotes.upperBound <= bytes.count,
      bytes[quotes.lowerBound] == .quote, bytes[range.upperBound] == .quote,
      quotes.lowerBound == 0 || bytes[quotes.lowerBound - 1] != .backslash,
      quotes.upperBound == bytes.count || bytes[quotes.upperBound] != .colon
    else { return nil }
    return quotes
  }
}

extension ByteTemplate.Syntax {
  fileprivate var escaping: ByteTemplate.Escaping {
    switch self {
    case .headerValue: .headerValue
    case .json: .jsonString
    case .text: .none
    case .eventData: .eventData
    }
  }
}

extension ByteTemplate.Value {
  /// `nil` for an invalid pointer.
  fileprivate init?(_ expression: Template.Expression, upstreamName: String) {
    switch expression {
    case .baseURL(let upstream): self = .baseURL(upstream: upstream ?? upstreamName)
    case .path(let name): self = .path(name)
    case .query(let name): self = .query(name)
    case .header(let name): self = .header(name)
    case .body(let text):
      guard let pointer = JSONPointer(parsing: text) else { return nil }
      self = .body(pointer)
    case .state(let name): self = .state(ByteTemplate(name, upstreamName: upstreamName))
    case .states(let prefix): self = .states(ByteTemplate(prefix, upstreamName: upstreamName))
    case .uuid: self = .uuid
    case .counter: self = .counter
    case .now(let time): self = .now(time)
    case .random(let range): self = .random(range)
    case .json: return nil
    }
  }
}
