import UnderstudyCore

extension JSONValue {
  /// Calls the body with a cursor at this value, valid until the call returns.
  package func walk<Result>(_ body: (JSONCursor) throws -> Result) rethrows -> Result {
    // SAFETY: text and tape belong to one document, which lives until the body has returned.
    try withExtendedLifetime(storage) {
      try storage.source.withUnsafeBufferPointer { source in
        try body(
          JSONCursor(
            words: storage.tape.words, text: source.baseAddress.unsafelyUnwrapped, index: index))
      }
    }
  }
}

extension JSONDocument {
  /// The value at a cursor that walks through this document.
  package func value(at cursor: JSONCursor) -> JSONValue { JSONValue(storage, cursor.index) }

  /// The member whose key is at a cursor that walks through this document.
  package func member(at key: JSONCursor) -> JSONMember { JSONMember(storage, key.index) }
}

extension JSONCursor {
  /// Where the contents of a container end; a scalar has none.
  @inlinable
  var contents: Range<Int> { word.isContainer ? index &+ 2..<indexAfter : index..<index }

  /// Only for an array; the elements of anything else must not be read.
  @inlinable
  public var elements: Elements { Elements(self) }

  /// Only for an object; the members of anything else must not be read.
  @inlinable
  public var members: Members { Members(self) }

  /// Walks over the elements of an array. Public because other modules can inline only public code.
  public struct Elements: Sequence, IteratorProtocol {
    @usableFromInline var element: JSONCursor
    @usableFromInline let end: Int

    @inlinable
    init(_ array: JSONCursor) {
      element = array.moved(to: array.contents.lowerBound)
      end = array.contents.upperBound
    }

    @inlinable
    public mutating func next() -> JSONCursor? {
      guard element.index < end else { return nil }
      defer { element = element.moved(to: element.indexAfter) }
      return element
    }
  }

  /// Walks over the members of an object. Public because other modules can inline only public code.
  public struct Members: Sequence, IteratorProtocol {
    @usableFromInline var key: JSONCursor
    @usableFromInline let end: Int

    @inlinable
    init(_ object: JSONCursor) {
      key = object.moved(to: object.contents.lowerBound)
      end = object.contents.upperBound
    }

    @inlinable
    public mutating func next() -> (key: JSONCursor, value: JSONCursor)? {
      guard key.index < end else { return nil }
      let (key, value) = (key, key.moved(to: key.index &+ 1))
      self.key = key.moved(to: value.indexAfter)
      return (key, value)
    }
  }
}

extension JSONCursor {
  /// Calls the body with the UTF-8 of a string or a key, escapes resolved.
  @inlinable
  public func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if isPlain { return body(plainText.span) }
    let text = unescaped[...]
    return body(text.span)
  }

  /// Whether it is a string or a key without escapes.
  @inlinable
  var isPlain: Bool { word.tag == .string }

  /// Whether it is a key with this name, written without escapes.
  @inlinable
  public func isPlain(_ name: JSONName) -> Bool {
    name.hasLengthAndTag(of: word)
      && (text + (word.offset &+ 1)).hasEqualBytes(name.bytes, count: name.count)
  }

  /// The bytes between the quotes.
  @inlinable
  var plainText: UnsafeBufferPointer<UInt8> {
    // SAFETY: the parser found the string in the text, which outlives the walk.
    UnsafeBufferPointer(start: text + (word.offset &+ 1), count: word.length)
  }

  @usableFromInline
  var unescaped: [UInt8] { JSONStorage.unescaped(Array(plainText)[...]) }

  package var string: String {
    isPlain
      ? String(decoding: plainText, as: UTF8.self) : String(decoding: unescaped, as: UTF8.self)
  }

  /// The value of a number that is exactly an `Int`, in any notation.
  package var int: Int? {
    // SAFETY: the parser found the number in the text.
    let digits = UnsafeBufferPointer(start: text + word.offset, count: word.length)
    guard kinds == .integer, digits.count <= 18 else {
      return NumberText.int(in: Array(digits), 0..<digits.count)
    }
    let isNegative = digits[0] == .hyphen
    var magnitude = 0
    for digit in digits[(isNegative ? 1 : 0)...] {
      magnitude = magnitude &* 10 &+ Int(digit &- .zero)
    }
    return isNegative ? -magnitude : magnitude
  }
}
