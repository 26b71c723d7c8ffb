import UnderstudyCore

/// JSON text under construction, and where its keys and values came from.
struct JSONOutput: ~Copyable {
  // SAFETY: `memory` has `capacity` bytes, of which the first `count` are written; every function
  // that writes makes room first.
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  /// As `SourceMap` takes them.
  private(set) var notes: [UInt64] = []

  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// The text, and nothing afterwards.
  mutating func finish() -> (bytes: [UInt8], notes: [UInt64]) {
    let bytes = Array(UnsafeBufferPointer(start: memory, count: count))
    count = 0
    defer { notes = [] }
    return (bytes, notes)
  }

  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity + more)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity = 2 * capacity + more
  }

  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: memory + range.lowerBound, count: range.count)
  }

  mutating func note(from origin: Int) { note(at: count, from: origin) }

  mutating func note(at offset: Int, from origin: Int) {
    notes.append(UInt64(truncatingIfNeeded: offset) << 32 | UInt64(truncatingIfNeeded: origin))
  }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count &+= 1
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    append(from: start, to: start + bytes.count)
  }

  mutating func append(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
    reserve(end - start)
    (memory + count).update(from: start, count: end - start)
    count &+= end - start
  }

  /// Appends text of the source as a string that needs no escapes.
  @inline(__always)
  mutating func appendQuoted(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
    let length = end - start
    reserve(length &+ 18)
    let target = memory + count
    target[0] = .quote
    if length <= 16 {
      // SAFETY: at least sixteen bytes of padding follow the source, and there is room for them.
      UnsafeMutableRawPointer(target + 1).storeBytes(
        of: UnsafeRawPointer(start).loadUnaligned(as: SIMD16<UInt8>.self),
        as: SIMD16<UInt8>.self)
    } else {
      (target + 1).update(from: start, count: length)
    }
    target[length &+ 1] = .quote
    count &+= length &+ 2
  }

  /// Appends text of the source, which has no control characters but tabs and line breaks.
  mutating func appendEscaped(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) {
    reserve(2 &* (end - start))
    var (source, target) = (start, memory + count)
    // SAFETY: at least sixteen bytes of padding follow the source, and there is room for them.
    while end - source >= 16 {
      let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
      if Self.needEscape(bytes).isAnySet { break }
      UnsafeMutableRawPointer(target).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
      source += 16
      target += 16
    }
    while source < end {
      let byte = source.pointee
      source += 1
      switch byte {
      case .quote, .backslash:
        target[0] = .backslash
        target[1] = byte
        target += 2
      case .tab, .newline:
        target[0] = .backslash
        target[1] = byte == .tab ? UInt8(ascii: "t") : UInt8(ascii: "n")
        target += 2
      default:
        target.pointee = byte
        target += 1
      }
    }
    count = target - memory
  }

  private static func needEscape(_ bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (bytes .== SIMD16<UInt8>(repeating: .quote)) .| (bytes .== SIMD16<UInt8>(repeating: .backslash))
      .| (bytes .< SIMD16<UInt8>(repeating: .space))
  }

  /// Appends any character, as text of the source with the same meaning would be written.
  mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x22, 0x5C: append([.backslash, UInt8(truncatingIfNeeded: scalar.value)])
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      append("\\u00")
      append(digits[Int(scalar.value >> 4)])
      append(digits[Int(scalar.value & 15)])
    default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
  }

  mutating func appendLineBreaks(_ number: Int) {
    for _ in 0..<number { append("\\n") }
  }

  mutating func truncate(to count: Int) { self.count = count }

  /// Inserts a byte before what was written last, which has no notes yet.
  mutating func insert(_ byte: UInt8, at offset: Int) {
    reserve(1)
    (memory + offset + 1).update(from: memory + offset, count: count - offset)
    memory[offset] = byte
    count += 1
  }

  /// Appends text of this output again; notes of what is in it are copied, but for the first one.
  mutating func repeatText(_ range: Range<Int>, notes copied: Range<Int>, origin: Int) {
    reserve(range.count)
    let shift = count - range.lowerBound
    note(from: origin)
    (memory + count).update(from: memory + range.lowerBound, count: range.count)
    count += range.count
    for index in copied.dropFirst() {
      notes.append(notes[index] &+ UInt64(truncatingIfNeeded: shift) << 32)
    }
  }

  /// Equal for equal strings: made from the length, the beginning and the end.
  @inline(__always)
  func mark(of string: Range<Int>) -> UInt64 {
    let start = UnsafeRawPointer(memory + string.lowerBound)
    guard string.count >= 8 else {
      var mark: UInt64 = 0
      for offset in string { mark = mark << 8 | UInt64(memory[offset]) }
      return mark
    }
    // SAFETY: there are eight bytes.
    let head = start.loadUnaligned(as: UInt64.self)
    let tail = (start + (string.count - 8)).loadUnaligned(as: UInt64.self)
    return head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(string.count) << 56
  }

  func isEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    bytes(first).elementsEqual(bytes(second))
  }

  func hash(of string: Range<Int>) -> Int {
    var hasher = Hasher()
    // SAFETY: the hasher reads the bytes and keeps none of them.
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes(string)))
    return hasher.finalize()
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// Faster than `any`, which looks at one byte after the other.
  var isAnySet: Bool {
    // SAFETY: a mask is sixteen bytes, all ones or all zeros each.
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves.x | halves.y != 0
  }
}
