package import UnderstudyCore

/// Why a value could not be decoded: where, what was found there and what was expected.
public struct JSONDecodingError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The bytes are not a JSON text.
    case invalidJSON
    /// A value of another kind than the type expects.
    case typeMismatch
    /// An object without a key that the type needs.
    case missingKey
    /// `null` where a value is required.
    case null
    /// A number with a fraction for an integer, or one too large for its type.
    case numberDoesNotFit
    /// Fewer elements than the type expects.
    case endOfArray
    /// The type itself rejected the value.
    case refused
  }

  /// What went wrong.
  public let kind: Kind
  /// Starts at the value that decoding started with.
  package let pointer: JSONPointer
  package let position: SourcePosition
  /// The line of the value, or of the object that lacks the key; the first is 1.
  public var line: Int { position.line }
  /// The place of the value in its line, in Unicode scalars; the first is 1.
  public var column: Int { position.column }
  /// One sentence without a full stop: `found string "1", expected an integer`.
  public let message: String
  /// How to fix it, if that is known.
  public let fix: String?

  /// The JSON pointer to the value (RFC 6901); empty for the root.
  public var path: String { pointer.description }

  init(_ error: JSONError) {
    self.init(
      .invalidJSON, at: JSONPointer(), error.position, error.message, fix: error.fix)
  }

  init(
    _ kind: Kind, at pointer: JSONPointer, _ position: SourcePosition, _ message: String,
    fix: String? = nil
  ) {
    self.kind = kind
    self.pointer = pointer
    self.position = position
    self.message = message
    self.fix = fix
  }

  /// Unwraps this error from what decoding threw, or wraps an error that a type threw.
  init(_ error: any Error, in root: JSONValue) {
    guard let decodingError = error as? DecodingError else {
      self.init(
        .refused, at: JSONPointer(), root.position, "its type refuses the value: \(error)")
      return
    }
    let context = decodingError.context
    if let original = context.underlyingError as? JSONDecodingError {
      self = original
      return
    }
    var pointer = JSONPointer(context.codingPath.map(\.pointerToken))
    var place = root.value(at: pointer)
    while place == nil, let parent = pointer.parent {
      pointer = parent
      place = root.value(at: pointer)
    }
    let value = place ?? root
    let reason =
      context.debugDescription.hasSuffix(".")
      ? String(context.debugDescription.dropLast()) : context.debugDescription
    self.init(
      decodingError.kind, at: pointer, value.position,
      "its type refuses \(value.summary): \(reason)")
  }
}

extension JSONDecodingError: CustomStringConvertible {
  /// Line, column, path and message, and the fix on a line of its own.
  public var description: String {
    let path = pointer.tokens.isEmpty ? "" : "\(pointer): "
    let complaint = "\(position): \(path)\(message)"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}

extension DecodingError {
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }

  fileprivate var kind: JSONDecodingError.Kind {
    switch self {
    case .typeMismatch: .typeMismatch
    case .valueNotFound: .null
    case .keyNotFound: .missingKey
    default: .refused
    }
  }
}

extension CodingKey {
  var pointerToken: String { intValue.map { String($0) } ?? stringValue }
}
