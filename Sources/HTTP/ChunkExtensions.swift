import UnderstudyCore

/// Checks the extensions of a chunk byte by byte (RFC 9112, section 7.1.1) and discards them:
///
///     *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )
///
/// Anything else is refused, since other parsers may find the end of the line elsewhere.
struct ChunkExtensions: Sendable {
  enum Step {
    case more, lineEnd, malformed
  }

  private enum State: Sendable {
    case nameStart, name, afterName
    case valueStart, value, quoted, escaped, quotedEnd, afterValue
  }

  /// A semicolon was read.
  private var state = State.nameStart

  mutating func take(_ byte: UInt8) -> Step {
    guard byte != .carriageReturn else { return mayEnd ? .lineEnd : .malformed }
    guard let next = next(after: byte) else { return .malformed }
    state = next
    return .more
  }

  private var mayEnd: Bool {
    switch state {
    case .name, .value, .quotedEnd: true
    default: false
    }
  }

  private func next(after byte: UInt8) -> State? {
    switch (state, byte) {
    case (.quoted, UInt8(ascii: "\"")): .quotedEnd
    case (.quoted, UInt8(ascii: "\\")): .escaped
    case (.quoted, _), (.escaped, _): byte.isFieldValue ? .quoted : nil
    case (.nameStart, _) where byte.isBlank: .nameStart
    case (.nameStart, _) where byte.isToken: .name
    case (.name, _) where byte.isToken: .name
    case (.name, _) where byte.isBlank: .afterName
    case (.afterName, _) where byte.isBlank: .afterName
    case (.name, UInt8(ascii: "=")), (.afterName, UInt8(ascii: "=")): .valueStart
    case (.valueStart, _) where byte.isBlank: .valueStart
    case (.valueStart, UInt8(ascii: "\"")): .quoted
    case (.valueStart, _) where byte.isToken: .value
    case (.value, _) where byte.isToken: .value
    case (.value, _) where byte.isBlank: .afterValue
    case (.quotedEnd, _) where byte.isBlank: .afterValue
    case (.afterValue, _) where byte.isBlank: .afterValue
    case (.name, .semicolon), (.afterName, .semicolon), (.value, .semicolon),
      (.quotedEnd, .semicolon), (.afterValue, .semicolon):
      .nameStart
    default: nil
    }
  }
}
