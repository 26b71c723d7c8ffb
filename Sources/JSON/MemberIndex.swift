/// Finds the members of an object by key in constant time; of duplicate keys the last.
///
/// Keys are mostly read in source order, so the member after the last one found is tried first.
/// Small objects are searched from there, larger ones use a hash table.
///
/// It does not retain the storage: a decoder creates one index per object and already has it.
struct MemberIndex {
  private let members: Range<Int>
  /// Where the search begins.
  private var next: Int
  /// Tape indices of keys at the slots of their hashes, 0 for none; empty if not needed.
  private var slots: [Int32] = []
  private(set) var hasDuplicates = false

  private static let scanCountMax = 16

  init(of object: JSONValue) {
    self.init(ofObject: object.index, in: object.storage)
  }

  init(ofObject index: Int, in storage: JSONStorage) {
    members = index + 2..<storage.tape.index(after: index)
    next = members.lowerBound
    let count = storage.tape[index].length
    if count <= Self.scanCountMax {
      hasDuplicates = mayHaveDuplicates(in: storage) && findDuplicates(in: storage)
      if !hasDuplicates { return }
    }
    fillSlots(count: count, in: storage)
  }

  /// The tape index of the key's value.
  @inline(__always)
  mutating func find(_ key: String, in storage: JSONStorage) -> Int? {
    key.withUTF8Bytes { find($0, in: storage) }
  }

  /// The tape index of the value under the same key as a member of another object.
  mutating func find(keyOf member: JSONMember, in storage: JSONStorage) -> Int? {
    member.storage.withBytes(ofString: member.keyIndex) { find($0, in: storage) }
  }

  @inline(__always)
  private mutating func find(
    _ key: UnsafeBufferPointer<UInt8>, in storage: JSONStorage
  ) -> Int? {
    if !hasDuplicates, next < members.upperBound, storage.isString(next, equalTo: key) {
      return advance(past: next, in: storage)
    }
    return search(for: key, in: storage)
  }

  private mutating func search(
    for key: UnsafeBufferPointer<UInt8>, in storage: JSONStorage
  ) -> Int? {
    if members.isEmpty { return nil }
    if slots.isEmpty { return scan(for: key, in: storage) }
    let found = Int(slots[slot(of: key, in: storage)])
    return found == 0 ? nil : advance(past: found, in: storage)
  }

  /// The tape indices of the keys that count, in source order.
  func keys(in storage: JSONStorage) -> [Int] {
    var keys: [Int] = []
    var key = members.lowerBound
    while key < members.upperBound {
      if !hasDuplicates
        || storage.withBytes(ofString: key, { Int(slots[slot(of: $0, in: storage)]) }) == key
      {
        keys.append(key)
      }
      key = storage.tape.index(after: key + 1)
    }
    return keys
  }

  private mutating func scan(
    for key: UnsafeBufferPointer<UInt8>, in storage: JSONStorage
  ) -> Int? {
    var candidate = entry(after: next, in: storage)
    while candidate != next {
      if storage.isString(candidate, equalTo: key) { return advance(past: candidate, in: storage) }
      candidate = entry(after: candidate, in: storage)
    }
    return nil
  }

  private mutating func advance(past key: Int, in storage: JSONStorage) -> Int {
    next = entry(after: key, in: storage)
    return key + 1
  }

  /// The next key; after the last one, the first.
  private func entry(after key: Int, in storage: JSONStorage) -> Int {
    let after = storage.tape.index(after: key + 1)
    return after < members.upperBound ? after : members.lowerBound
  }

  /// A quick check with rare false positives and no false negatives: equal keys also agree in their
  /// length, their first and last bytes and the middle.
  private func mayHaveDuplicates(in storage: JSONStorage) -> Bool {
    var (heads, tails): (UInt64, UInt64) = (0, 0)
    var key = members.lowerBound
    while key < members.upperBound {
      if storage.tape[key].tag == .escapedString { return true }
      let isNew = storage.withBytes(ofString: key) { text in
        let length = text.count
        if length == 0 { return false }
        // Masked shifts use the lowest six bits of the number.
        let head: UInt64 = 1 &<< (Int(text[0]) &+ length &* 5)
        let tail: UInt64 = 1 &<< (Int(text[length - 1]) &+ Int(text[length / 2]) &* 7)
        defer { (heads, tails) = (heads | head, tails | tail) }
        return heads & head == 0 || tails & tail == 0
      }
      if !isNew { return true }
      key = storage.tape.index(after: key + 1)
    }
    return false
  }

  private func findDuplicates(in storage: JSONStorage) -> Bool {
    var key = members.lowerBound
    while key < members.upperBound {
      let after = storage.tape.index(after: key + 1)
      var other = after
      while other < members.upperBound {
        if storage.haveEqualText(key, other) { return true }
        other = storage.tape.index(after: other + 1)
      }
      key = after
    }
    return false
  }

  private mutating func fillSlots(count: Int, in storage: JSONStorage) {
    var capacity = 4
    while capacity < 2 * count { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    var key = members.lowerBound
    while key < members.upperBound {
      let slot = storage.withBytes(ofString: key) { self.slot(of: $0, in: storage) }
      if slots[slot] != 0 { hasDuplicates = true }
      slots[slot] = Int32(truncatingIfNeeded: key)
      key = storage.tape.index(after: key + 1)
    }
  }

  /// The slot of the key, or the one where it would go.
  private func slot(of key: UnsafeBufferPointer<UInt8>, in storage: JSONStorage) -> Int {
    var hasher = Hasher()
    // SAFETY: the hasher reads the key's bytes and keeps none of them.
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    var slot = hasher.finalize() & (slots.count - 1)
    while slots[slot] != 0, !storage.isString(Int(slots[slot]), equalTo: key) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}

extension JSONStorage {
  func haveEqualText(_ first: Int, _ second: Int) -> Bool {
    let (left, right) = (tape[first], tape[second])
    if left.tag == .string, right.tag == .string, left.length != right.length { return false }
    return withBytes(ofString: first) { isString(second, equalTo: $0) }
  }
}
