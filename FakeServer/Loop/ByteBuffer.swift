/// Bytes of one connection to be parsed or sent. An empty buffer holds no memory.
///
/// Part of a connection, and freed by hand: call `removeAll` when the connection ends.
struct ByteBuffer {
  // SAFETY: `base` has `capacity` bytes, of which those from `start` to `end` are set; only the loop
  // that owns the connection touches them.
  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private var start = 0
  private var end = 0

  var count: Int { end - start }
  var isEmpty: Bool { start == end }

  /// Valid until the buffer is changed.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base.map { UnsafeRawPointer($0 + start) }, count: count)
  }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    guard let source = new.baseAddress, new.count > 0 else { return }
    let target = room(for: new.count)
    target.copyMemory(from: source, byteCount: new.count)
    end += new.count
  }

  /// Adds this many bytes; `write` must set every one of them.
  mutating func append(count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    write(room(for: count))
    end += count
  }

  mutating func append(_ new: [UInt8]) {
    new.withUnsafeBytes { append($0) }
  }

  mutating func append(_ new: ArraySlice<UInt8>) {
    new.withUnsafeBytes { append($0) }
  }

  mutating func append(_ date: DateBytes) {
    append(count: DateBytes.count) { date.store(at: $0) }
  }

  mutating func append(_ text: StaticString) {
    // SAFETY: the literal has more than one scalar, so its bytes last as long as the program.
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Removes the bytes, and keeps the memory.
  mutating func clear() { (start, end) = (0, 0) }

  mutating func consume(_ count: Int) {
    start += min(count, self.count)
    if isEmpty { removeAll() }
  }

  mutating func removeAll() {
    base?.deallocate()
    self = ByteBuffer()
  }

  private mutating func room(for added: Int) -> UnsafeMutableRawPointer {
    if let base, added <= capacity - end { return base + end }
    return makeRoom(for: added)
  }

  private mutating func makeRoom(for added: Int) -> UnsafeMutableRawPointer {
    let needed = count + added
    if let base, needed <= capacity, start >= capacity / 2 {
      base.copyMemory(from: base + start, byteCount: count)
      (start, end) = (0, count)
      return base + end
    }
    let newCapacity = max(512, needed + needed / 2)
    let newBase = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
    if let base {
      newBase.copyMemory(from: base + start, byteCount: count)
      base.deallocate()
    }
    (base, capacity, start, end) = (newBase, newCapacity, 0, count)
    return newBase + end
  }
}
