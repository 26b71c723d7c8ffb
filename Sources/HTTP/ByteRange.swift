/// A part of a buffer, counted from the first byte of the message in it.
public struct ByteRange: Hashable, Sendable {
  // Half the size of a Range<Int>: a head has a hundred of them.
  public var start: UInt32
  public var count: UInt32

  @inlinable
  public init(start: Int = 0, count: Int = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.count = UInt32(truncatingIfNeeded: count)
  }

  init(_ start: Int, to end: Int) { self.init(start: start, count: end &- start) }

  @inlinable public var isEmpty: Bool { count == 0 }

  /// As offsets into the bytes the message was read from.
  @inlinable public var offsets: Range<Int> { Int(start)..<Int(start) + Int(count) }
}
