import UnderstudyCore

/// Why parsing ends before the end of a head.
enum HeadStop: Error {
  case incomplete
  case refused(Refusal)
}

/// A buffer that is searched sixteen bytes at a time and never read past its last byte.
struct ByteScan {
  // SAFETY: `start` has `count` readable bytes, preceded by enough readable bytes to make sixteen.
  // All offsets below are under `count`: a search never returns another, and an unsuccessful search
  // is compared with `count` first.
  private let start: UnsafeRawPointer
  let count: Int
  /// The last offset at which sixteen bytes can be read; negative in a short buffer.
  private let lastVector: Int

  typealias Vector = SIMD16<UInt8>
  typealias Mask = SIMDMask<SIMD16<Int8>>
  static let vectorCount = 16

  init(_ start: UnsafeRawPointer, count: Int) {
    self.start = start
    self.count = count
    lastVector = count &- Self.vectorCount
  }

  subscript(offset: Int) -> UInt8 { start.load(fromByteOffset: offset, as: UInt8.self) }

  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer {
    Integer(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: Integer.self))
  }

  /// The first byte from `offset` on that is in a class.
  func first(
    from offset: Int, in isMember: (Vector) -> Mask
  ) throws(HeadStop) -> Int {
    var offset = offset
    while offset <= lastVector {
      let members = halves(isMember(vector(at: offset)))
      if members.x != 0 { return offset &+ members.x.trailingZeroBitCount >> 3 }
      if members.y != 0 { return offset &+ 8 &+ members.y.trailingZeroBitCount >> 3 }
      offset &+= Self.vectorCount
    }
    return try firstInTail(from: offset, halves(isMember(vector(at: lastVector))))
  }

  /// Reads the last sixteen bytes again, ignoring those already seen.
  @inline(__always)
  private func firstInTail(
    from offset: Int, _ members: SIMD2<UInt64>
  ) throws(HeadStop) -> Int {
    let seen = UInt64(truncatingIfNeeded: offset &- lastVector) &* 8
    let low = members.x >> seen
    if low != 0 { return offset &+ low.trailingZeroBitCount >> 3 }
    // All bytes from the middle on, or those of them not yet seen.
    let high = seen > 64 ? members.y >> (seen &- 64) : members.y
    guard high != 0 else { throw .incomplete }
    return max(offset, lastVector &+ 8) &+ high.trailingZeroBitCount >> 3
  }

  private func vector(at offset: Int) -> Vector {
    start.loadUnaligned(fromByteOffset: offset, as: Vector.self)
  }

  private func halves(_ mask: Mask) -> SIMD2<UInt64> {
    // SAFETY: a mask is sixteen bytes, all ones or all zeros each.
    unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  }

  /// Compares case-insensitively; `text` is in lowercase.
  func matches(_ text: StaticString, at offset: Int) -> Bool {
    guard offset &+ text.utf8CodeUnitCount <= count else { return false }
    for k in 0..<text.utf8CodeUnitCount where self[offset &+ k].lowercased != text.utf8Start[k] {
      return false
    }
    return true
  }

  /// Whether a range equals `text`, case-insensitively.
  func matches(_ text: StaticString, in range: Range<Int>) -> Bool {
    range.count == text.utf8CodeUnitCount && matches(text, at: range.lowerBound)
  }
}

/// Classes of bytes, sixteen at a time.
extension SIMD16<UInt8> {
  typealias Mask = SIMDMask<SIMD16<Int8>>

  // Compared with vectors: comparisons with a scalar are not made into vector instructions.
  static func all(_ byte: UInt8) -> Self { Self(repeating: byte) }

  /// Neither a letter nor a hyphen: the end of nearly every token.
  @inline(__always)
  var isUncommonInToken: Mask {
    ((self | .all(0x20)) &- .all(UInt8(ascii: "a")) .>= .all(26)) .& (self .!= .all(.hyphen))
  }

  /// Neither a letter, digit, hyphen nor period: the end of nearly every host.
  var isUncommonInHost: Mask {
    isUncommonInToken .& isNoDigit .& (self .!= .all(UInt8(ascii: ".")))
  }

  var isNoDigit: Mask { self &- .all(.zero) .>= .all(10) }

  /// Ends a field's value, or is a tab.
  var isControl: Mask { (self .< .all(.space)) .| (self .== .all(.delete)) }

  /// Ends the path or the query of a target.
  var endsTarget: Mask {
    (self &- .all(0x21) .>= .all(.delete - 0x21)) .| (self .== .all(.hash))
      .| (self .== .all(.questionMark))
  }
}
