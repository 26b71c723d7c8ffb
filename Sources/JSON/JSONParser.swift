import UnderstudyCore

/// Turns bytes into a tape in one pass, without recursion.
///
/// It only finds where a text is wrong; `JSONDiagnosis` describes the failure.
enum JSONParser {
  typealias Pointer = UnsafePointer<UInt8>

  /// The text and how far beyond it may be read.
  ///
  /// Scans do not count bytes. They stop at the text's *guard*, a byte that only strings run over;
  /// only strings and reads of several bytes check where the memory ends. The guard is either the
  /// last closing bracket of the text or a zero byte after it.
  struct Text {
    // SAFETY: all bytes from `start` up to `end` are readable, and the guard is among them.
    let start: Pointer
    let count: Int
    /// The last places at which 8 and 16 bytes can be read.
    let wordLimit: Pointer
    let vectorLimit: Pointer

    /// A text that ends with its guard, or is followed by zero bytes.
    init(_ start: Pointer, count: Int, paddingCount: Int) {
      self.start = start
      self.count = count
      wordLimit = start + (count + paddingCount) - 8
      vectorLimit = start + (count + paddingCount) - 16
    }
  }

  /// Enough zero bytes to allow every read from any byte of the text.
  static let paddingCount = 16

  /// The place where parsing stopped and what failed there.
  struct Stop: Error, @unchecked Sendable {
    // SAFETY: the place is only compared with the start of the text, by the caller of `parse`.
    enum Reason {
      case value, key, colon, separator, end
      case stringEnd, escape, hexadecimalEscape, surrogate, encoding
      case digit, leadingZero
      case depth
    }
    let reason: Reason
    let place: Pointer
    /// The offset of the innermost open bracket.
    var opening: Int?

    init(_ reason: Reason, at place: Pointer, opening: Int? = nil) {
      self.reason = reason
      self.place = place
      self.opening = opening
    }
  }

  /// While a container is open, its end word holds the index of its parent and the parent's count
  /// of values, so that the tape is its own stack.
  static func parse(_ source: Text, depthMax: Int) throws(Stop) -> Tape {
    let text = source.start
    let end = text + source.count
    var tape = Tape(capacity: source.count / 8 + 32)
    // SAFETY: each iteration writes at most three words and first makes room for them.
    var words = tape.words
    var (used, limit) = (0, tape.capacity &- 4)
    var p = skipWhitespace(from: text, in: source)
    var (container, members, depth) = (-1, 0, 0)
    var isObject = false

    values: while true {
      if used > limit {
        tape.grow()
        (words, limit) = (tape.words, tape.capacity &- 4)
      }
      if isObject {
        guard p.pointee == .quote else {
          throw Stop(.key, at: p, opening: opening(of: container, in: words))
        }
        let offset = p - text
        let end = try scanString(from: p + 1, in: source)
        words[used] = end.word(at: offset, from: p)
        used &+= 1
        p = skipWhitespace(from: end.quote + 1, in: source)
        guard p.pointee == .colon else { throw Stop(.colon, at: p) }
        p = skipWhitespace(from: p + 1, in: source)
      }

      let offset = p - text
      let first = p.pointee
      switch first {
      case .quote:
        let end = try scanString(from: p + 1, in: source)
        words[used] = end.word(at: offset, from: p)
        used &+= 1
        p = end.quote + 1
      case .openBrace, .openBracket:
        guard depth < depthMax else { throw Stop(.depth, at: p) }
        words[used] =
          TapeWord(first == .openBrace ? .object : .array, offset: offset, length: 0).bits
        p = skipWhitespace(from: p + 1, in: source)
        // In ASCII, both closing brackets are two after their opening ones.
        if p.pointee == first &+ 2 {
          p += 1
          words[used &+ 1] = UInt64(p - text) << 32 | UInt64(used &+ 2)
          used &+= 2
        } else {
          words[used &+ 1] = UInt64(members) << 32 | UInt64(container &+ 1)
          (container, members, isObject) = (used, 0, first == .openBrace)
          depth &+= 1
          used &+= 2
          continue values
        }
      case .letterT:
        guard p + 4 <= end, p.quarter == 0x6575_7274 else { throw Stop(.value, at: p) }
        words[used] = TapeWord(.true, offset: offset, length: 4).bits
        used &+= 1
        p += 4
      case .letterF:
        guard p + 5 <= end, (p + 1).quarter == 0x6573_6c61 else { throw Stop(.value, at: p) }
        words[used] = TapeWord(.false, offset: offset, length: 5).bits
        used &+= 1
        p += 5
      case .letterN:
        guard p + 4 <= end, p.quarter == 0x6c6c_756e else { throw Stop(.value, at: p) }
        words[used] = TapeWord(.null, offset: offset, length: 4).bits
        used &+= 1
        p += 4
      case .hyphen, .zero...(.nine):
        let end = try scanNumber(from: p, in: source)
        words[used] =
          TapeWord(end.isInteger ? .integer : .decimal, offset: offset, length: end.place - p).bits
        used &+= 1
        p = end.place
      default:
        throw Stop(.value, at: p, opening: opening(of: container, in: words))
      }

      while container >= 0 {
        // The guard can only have been passed after a closing bracket.
        guard p < end else {
          throw Stop(.separator, at: p, opening: opening(of: container, in: words))
        }
        p = skipWhitespace(from: p, in: source)
        members &+= 1
        if p.pointee == .comma {
          p = skipWhitespace(from: p + 1, in: source)
          continue values
        }
        guard p.pointee == (isObject ? .closeBrace : .closeBracket) else {
          throw Stop(.separator, at: p, opening: opening(of: container, in: words))
        }
        p += 1
        depth &-= 1
        let outer = words[container &+ 1]
        words[container] |= UInt64(members) << 30
        words[container &+ 1] = UInt64(p - text) << 32 | UInt64(used)
        container = Int(outer & 0xFFFF_FFFF) &- 1
        members = Int(outer >> 32)
        isObject = container >= 0 && TapeWord(bits: words[container]).tag == .object
      }
      break
    }
    if p < end { p = skipWhitespace(from: p, in: source) }
    guard p == end else { throw Stop(.end, at: p) }
    tape.trim(to: used)
    return tape
  }

  private static func opening(of container: Int, in words: UnsafePointer<UInt64>) -> Int? {
    container >= 0 ? TapeWord(bits: words[container]).offset : nil
  }

  @inline(__always)
  static func skipWhitespace(from start: Pointer, in text: Text) -> Pointer {
    var p = start
    if p.pointee > .space { return p }
    // The two most common runs: one space, and a line break with indentation.
    if p.pointee == .space, p[1] > .space { return p + 1 }
    while p.pointee.isWhitespace {
      p += 1
      while p <= text.wordLimit {
        let spaces = (p.word ^ 0x2020_2020_2020_2020).trailingZeroBitCount >> 3
        p += spaces
        if spaces < 8 { break }
      }
    }
    return p
  }
}

extension UnsafePointer<UInt8> {
  // SAFETY: the caller has compared the pointer with the limits of its text.
  @inlinable
  var quarter: UInt32 { UnsafeRawPointer(self).loadUnaligned(as: UInt32.self) }
  @inlinable
  var word: UInt64 { UnsafeRawPointer(self).loadUnaligned(as: UInt64.self) }
  var vector: SIMD16<UInt8> { UnsafeRawPointer(self).loadUnaligned(as: SIMD16<UInt8>.self) }
}
