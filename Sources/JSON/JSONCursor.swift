/// A value on a walk over all values of a document.
///
/// It owns nothing, so a step needs no reference counting; it is valid during the call of
/// `JSONValue.walk` that created it. Public because other modules can inline only public code.
@_documentation(visibility: internal)
public struct JSONCursor {
  // SAFETY: both point into a document that `JSONValue.walk` retains, and `index` is that of one of
  // its values or keys: only the tape itself gives the next one.
  @usableFromInline let words: UnsafePointer<UInt64>
  @usableFromInline let text: UnsafePointer<UInt8>
  /// The index of the value in the tape.
  public let index: Int

  @inlinable
  init(words: UnsafePointer<UInt64>, text: UnsafePointer<UInt8>, index: Int) {
    self.words = words
    self.text = text
    self.index = index
  }

  @inlinable
  var word: TapeWord { TapeWord(bits: words[index]) }

  @inlinable
  func moved(to index: Int) -> JSONCursor { JSONCursor(words: words, text: text, index: index) }

  /// The index of the value after this one and all its contents.
  @inlinable
  var indexAfter: Int { word.isContainer ? Int(words[index &+ 1] & 0xFFFF_FFFF) : index &+ 1 }

  /// The single kind of the value.
  @inlinable
  public var kinds: JSONKinds {
    JSONKinds(rawValue: 1 << UInt16(truncatingIfNeeded: word.bits >> 60))
  }

  /// Whether it is an array or an object.
  @inlinable
  public var isContainer: Bool { word.isContainer }

  /// The index of the value's notation; `JSONValue.Kind` knows those of each kind.
  @inlinable
  public var notation: Int { Int(truncatingIfNeeded: word.bits >> 60) }

  /// The number of elements or members; 0 for scalars.
  @inlinable
  public var count: Int { word.isContainer ? word.length : 0 }

  /// How many bytes a string or a number takes in the source, without quotes.
  @inlinable
  public var sourceCount: Int { word.length }
}

extension JSONValue.Kind {
  /// The indexes of its notations.
  package var notations: Range<Int> {
    switch self {
    case .null: 0..<1
    case .boolean: 1..<3
    case .number: 3..<5
    case .string: 5..<7
    case .array: 7..<8
    case .object: 8..<9
    }
  }
}

/// Kinds of values by their notation.
@_documentation(visibility: internal)
public struct JSONKinds: OptionSet, Sendable {
  // A bit for each tag of the tape.
  public let rawValue: UInt16

  @inlinable
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  @inlinable public static var null: Self { Self(rawValue: 1) }
  @inlinable public static var boolean: Self { Self(rawValue: 0b110) }
  /// Without a fraction or an exponent.
  @inlinable public static var integer: Self { Self(rawValue: 1 << 3) }
  @inlinable public static var decimal: Self { Self(rawValue: 1 << 4) }
  @inlinable public static var number: Self { [.integer, .decimal] }
  @inlinable public static var string: Self { Self(rawValue: 0b11 << 5) }
  /// Without escapes.
  @inlinable public static var plainString: Self { Self(rawValue: 1 << 5) }
  @inlinable public static var array: Self { Self(rawValue: 1 << 7) }
  @inlinable public static var object: Self { Self(rawValue: 1 << 8) }
  @inlinable public static var all: Self { [.null, .boolean, .number, .string, .array, .object] }
}
