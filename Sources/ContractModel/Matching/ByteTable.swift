import UnderstudyCore
import UnderstudySystem

/// A hash table from a context and a byte string to a small number, filled once and then only read.
///
/// Its contents are in two blocks of memory that it owns: a lookup allocates nothing, counts no
/// references, and costs the same at any size.
struct ByteTable: ~Copyable, @unchecked Sendable {
  private struct Entry {
    var hash: UInt64 = 0
    var offset = 0
    var count: UInt32 = 0
    var context: UInt32 = 0
    /// Negative in a free entry.
    var value: Int32 = -1
  }

  // SAFETY: `entries` has `mask + 1` initialized entries, fewer than three quarters of them taken;
  // `keys` has `keysCapacity` bytes, of which entries name only those below `keysCount`. Both are
  // changed by `insert` alone, which is called only before a table is shared.
  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private var keys: UnsafeMutableRawPointer
  private var keysCapacity = 1 << 10
  private var keysCount = 0
  private var count = 0

  init() {
    mask = 63
    entries = .allocate(capacity: 64)
    entries.initialize(repeating: Entry(), count: 64)
    keys = .allocate(byteCount: keysCapacity, alignment: 8)
  }

  deinit {
    entries.deallocate()
    keys.deallocate()
  }

  /// `nil` for an unknown key.
  @inline(__always)
  func find(_ key: UnsafeRawBufferPointer, in context: Int) -> Int? {
    let entry = entries[place(of: key, in: context, hash: Self.hash(key, context))]
    return entry.value >= 0 ? Int(entry.value) : nil
  }

  /// The number of a key, which becomes `value` if the key is new.
  mutating func insert(_ key: UnsafeRawBufferPointer, in context: Int, value: Int) -> Int {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    let hash = Self.hash(key, context)
    let place = place(of: key, in: context, hash: hash)
    if entries[place].value >= 0 { return Int(entries[place].value) }
    entries[place] = Entry(
      hash: hash, offset: store(key), count: UInt32(key.count), context: UInt32(context),
      value: Int32(value))
    count += 1
    return value
  }

  /// The position of a key, or where it would be inserted.
  @inline(__always)
  private func place(of key: UnsafeRawBufferPointer, in context: Int, hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash) & mask
    while entries[place].value >= 0 {
      if entries[place].hash == hash, entries[place].context == UInt32(truncatingIfNeeded: context),
        Int(entries[place].count) == key.count,
        isSame(key, at: entries[place].offset)
      {
        break
      }
      place = (place + 1) & mask
    }
    return place
  }

  private func isSame(_ key: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let start = key.baseAddress else { return true }
    return CLibrary.areEqual(keys + offset, start, count: key.count)
  }

  private mutating func store(_ key: UnsafeRawBufferPointer) -> Int {
    if keysCount + key.count > keysCapacity {
      keysCapacity = max(2 * keysCapacity, keysCount + key.count)
      let larger = UnsafeMutableRawPointer.allocate(byteCount: keysCapacity, alignment: 8)
      larger.copyMemory(from: keys, byteCount: keysCount)
      keys.deallocate()
      keys = larger
    }
    if let start = key.baseAddress {
      (keys + keysCount).copyMemory(from: start, byteCount: key.count)
    }
    defer { keysCount += key.count }
    return keysCount
  }

  private mutating func grow() {
    let (old, oldCount) = (entries, mask + 1)
    mask = 2 * oldCount - 1
    entries = .allocate(capacity: 2 * oldCount)
    entries.initialize(repeating: Entry(), count: 2 * oldCount)
    for index in 0..<oldCount where old[index].value >= 0 {
      var place = Int(truncatingIfNeeded: old[index].hash) & mask
      while entries[place].value >= 0 { place = (place + 1) & mask }
      entries[place] = old[index]
    }
    old.deallocate()
  }

  /// Hashes eight bytes at a time, each mixed in by a double-width multiplication.
  @inline(__always)
  private static func hash(_ key: UnsafeRawBufferPointer, _ context: Int) -> UInt64 {
    var state = mix(
      UInt64(truncatingIfNeeded: context) ^ 0xA076_1D64_78BD_642F,
      UInt64(truncatingIfNeeded: key.count) ^ 0xE703_7ED1_A0B4_28DB)
    // SAFETY: this many bytes are read only where this many are left.
    guard let start = key.baseAddress else { return state }
    var offset = 0
    while offset &+ 8 <= key.count {
      let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      state = mix(state ^ word, 0x8EBC_6AF0_9C88_C6E3)
      offset &+= 8
    }
    let rest: UInt64
    if key.count >= 8 {
      // The last eight bytes, some of them for the second time; likewise below.
      rest = start.loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self)
    } else if key.count >= 4 {
      let last = start.loadUnaligned(fromByteOffset: key.count &- 4, as: UInt32.self)
      rest = UInt64(start.loadUnaligned(as: UInt32.self)) << 32 | UInt64(last)
    } else if key.count > 0 {
      func byte(_ offset: Int) -> UInt8 { start.load(fromByteOffset: offset, as: UInt8.self) }
      let (middle, last) = (byte(key.count >> 1), byte(key.count &- 1))
      rest = UInt64(byte(0)) << 16 | UInt64(middle) << 8 | UInt64(last)
    } else {
      rest = 0
    }
    return mix(state ^ rest, 0x5899_65CC_7537_4CC3)
  }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

extension ByteTable {
  func find(_ key: String, in context: Int) -> Int? {
    var key = key
    return key.withUTF8 { find(UnsafeRawBufferPointer($0), in: context) }
  }

  func find(_ key: [UInt8], in context: Int) -> Int? {
    key.withUnsafeBytes { find($0, in: context) }
  }

  mutating func insert(_ key: [UInt8], in context: Int, value: Int) -> Int {
    key.withUnsafeBytes { insert($0, in: context, value: value) }
  }

  mutating func insert(_ key: String, in context: Int, value: Int) -> Int {
    var key = key
    return key.withUTF8 { insert(UnsafeRawBufferPointer($0), in: context, value: value) }
  }
}
