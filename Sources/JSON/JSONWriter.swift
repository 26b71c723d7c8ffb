import UnderstudyCore

/// Writes JSON piece by piece: the same calls give the same bytes, in the order of the calls.
///
///     var writer = JSONWriter()
///     writer.object { writer in
///       writer.member("setup", joke.setup)
///       writer.member("punchline", joke.punchline)
///     }
///     return writer.bytes
///
/// The calls must make sense: in an object a key before each value, in an array none.
public struct JSONWriter: Sendable {
  /// How the JSON is laid out.
  public enum Style: Hashable, Sendable {
    /// Without any white space.
    case compact
    /// With each element and member on a line of its own.
    case pretty(indent: Int)
  }

  private let style: Style
  private var depth = 0
  /// Whether the next value or key is the first of its container.
  private var isFirst = true
  private var isAfterKey = false

  /// Everything written so far.
  public internal(set) var bytes: [UInt8] = []

  /// A writer that has written nothing yet.
  public init(style: Style = .compact) { self.style = style }

  /// Writes an object, whose members the closure writes.
  public mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(.openBrace, .closeBrace, body)
  }

  /// Writes an array, whose elements the closure writes.
  public mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(.openBracket, .closeBracket, body)
  }

  /// Writes the key of the member whose value comes next.
  public mutating func key(_ key: String) {
    separate()
    Self.appendQuoted(key, to: &bytes)
    endKey()
  }

  /// Writes a string, escaped as it must be.
  public mutating func string(_ value: String) {
    separate()
    Self.appendQuoted(value, to: &bytes)
  }

  /// Writes a whole number.
  public mutating func int(_ value: Int) { token(String(value)) }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { token(value ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { token("null") }

  package mutating func number(_ value: JSONNumber) { token(value.text) }

  /// Writes the shortest text that reads back as the same number; `null` if it is infinite or NaN.
  public mutating func double(_ value: Double) {
    token(value.isFinite ? value.description : "null")
  }

  mutating func endKey() {
    bytes.append(.colon)
    if style != .compact { bytes.append(.space) }
    isAfterKey = true
  }

  private mutating func token(_ text: String) {
    separate()
    bytes += text.utf8
  }

  private mutating func container<Failure: Error>(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    bytes.append(open)
    depth += 1
    isFirst = true
    try body(&self)
    depth -= 1
    if !isFirst { breakLine() }
    isFirst = false
    bytes.append(close)
  }

  /// Writes the separator between the last token and the next.
  mutating func separate() {
    defer { isFirst = false }
    if isAfterKey {
      isAfterKey = false
      return
    }
    guard depth > 0 else { return }
    if !isFirst { bytes.append(.comma) }
    breakLine()
  }

  private mutating func breakLine() {
    guard case .pretty(let indent) = style else { return }
    bytes.append(.newline)
    bytes.append(contentsOf: repeatElement(.space, count: indent * depth))
  }

  // MARK: - Strings

  /// The text as a JSON string.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendQuoted(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(.quote)
    appendEscaped(text, to: &bytes)
    bytes.append(.quote)
  }

  /// Adds the inside of a JSON string.
  package static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    text.withUTF8Bytes { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated()
      where byte < .space || byte == .quote || byte == .backslash {
        bytes += utf8[start..<index]
        start = index + 1
        appendEscape(of: byte, to: &bytes)
      }
      bytes += utf8[start...]
    }
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(.backslash)
    switch byte {
    case .quote, .backslash: bytes.append(byte)
    case .newline: bytes.append(.letterN)
    case .carriageReturn: bytes.append(UInt8(ascii: "r"))
    case .tab: bytes.append(.letterT)
    default:
      let digits = String(byte, radix: 16)
      bytes += "u".utf8
      bytes += repeatElement(.zero, count: 4 - digits.utf8.count)
      bytes += digits.utf8
    }
  }
}
