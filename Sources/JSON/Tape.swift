import UnderstudySystem

/// One entry of the tape: what a value is, where its text starts and how long it is.
///
/// Containers take two words. The length in the first is the number of elements or members; the
/// second, an end word, holds where the container ends in the tape and in the text.
@usableFromInline
struct TapeWord {
  @usableFromInline
  enum Tag: UInt64 {
    case null, `false`, `true`, integer, decimal, string, escapedString, array, object
  }

  @usableFromInline
  let bits: UInt64

  /// The largest offset, length or count that fits a word.
  @inlinable
  static var fieldMax: Int { 1 << 30 - 1 }

  init(_ tag: Tag, offset: Int, length: Int) {
    bits = tag.rawValue << 60 | UInt64(truncatingIfNeeded: length << 30 | offset)
  }

  @inlinable
  init(bits: UInt64) { self.bits = bits }

  @inlinable
  var tag: Tag {
    // SAFETY: only the other initializer writes tags, from a `Tag`, and end words have none to
    // read.
    unsafeBitCast(UInt8(truncatingIfNeeded: bits >> 60), to: Tag.self)
  }

  @inlinable
  var offset: Int { Int(truncatingIfNeeded: bits) & Self.fieldMax }
  @inlinable
  var length: Int { Int(truncatingIfNeeded: bits >> 30) & Self.fieldMax }

  @inlinable
  var isString: Bool { tag == .string || tag == .escapedString }
  @inlinable
  var isContainer: Bool { bits >> 60 >= Tag.array.rawValue }
}

/// A flat, growing list of words, not zeroed before it is written.
struct Tape: ~Copyable, @unchecked Sendable {
  // SAFETY: `words` has `capacity` words, of which the parser has written those that indices from
  // the tape lead to; nothing writes after parsing, so threads may share it.
  private(set) var words: UnsafeMutablePointer<UInt64>
  private(set) var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    words = .allocate(capacity: capacity)
  }

  deinit { words.deallocate() }

  mutating func grow() { resize(to: capacity * 2) }

  /// Returns reserved but unused memory, of small tapes.
  ///
  /// The unused pages of a large tape were never touched and take no memory. Returning them would
  /// make malloc request fresh pages from the kernel for the next document, which costs half as
  /// much as parsing.
  mutating func trim(to count: Int) {
    if count < min(capacity, Self.trimmedCountMax) { resize(to: count) }
  }

  private static let trimmedCountMax = 16_384

  private mutating func resize(to count: Int) {
    // SAFETY: `allocate` gets memory of this alignment from malloc, so realloc may take it.
    guard let memory = CLibrary.reallocate(words, byteCount: count * MemoryLayout<UInt64>.stride)
    else {
      preconditionFailure("out of memory")
    }
    words = memory.assumingMemoryBound(to: UInt64.self)
    capacity = count
  }

  subscript(_ index: Int) -> TapeWord {
    assert(index < capacity)
    return TapeWord(bits: words[index])
  }

  /// The index of the entry after this one and all its contents.
  func index(after index: Int) -> Int {
    self[index].isContainer ? Int(self[index + 1].bits & 0xFFFF_FFFF) : index + 1
  }

  /// Where a container's text ends, its closing bracket included.
  func endOffset(ofContainer index: Int) -> Int { Int(self[index + 1].bits >> 32) }
}
