/// Finds the members of one object by key in constant time, whatever the object's size; of
/// duplicate keys the last.
///
/// Keys are mostly asked for in the order in which they stand, so the member after the last one
/// found is tried first. Objects of a few members are searched from there, larger ones hashed.
struct MemberIndex {
  let storage: JSONStorage
  private let members: Range<Int>
  /// Where the search begins.
  private var next: Int
  /// Tape indices of keys at the places their hashes give, 0 for none; empty if not needed.
  private var slots: [Int32] = []
  private var hasDuplicates = false

  private static let scanCountMax = 16

  init(of object: JSONValue) {
    storage = object.storage
    members = object.contents(of: .object)
    next = members.lowerBound
    if object.count > Self.scanCountMax {
      fillSlots(count: object.count)
    } else {
      hasDuplicates = findDuplicates()
      if hasDuplicates { fillSlots(count: object.count) }
    }
  }

  /// The tape index of the key's value.
  mutating func find(_ key: String) -> Int? {
    key.withUTF8Bytes { find($0) }
  }

  /// The tape index of the value that stands here under the key of a member of another object.
  mutating func find(keyOf member: JSONMember) -> Int? {
    member.storage.withBytes(ofString: member.keyIndex) { find($0) }
  }

  private mutating func find(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    if members.isEmpty { return nil }
    if !hasDuplicates, storage.isString(next, equalTo: key) { return advance(past: next) }
    if slots.isEmpty { return scan(for: key) }
    let found = Int(slots[slot(of: key)])
    return found == 0 ? nil : advance(past: found)
  }

  /// The tape indices of the keys that count, in the order of the source.
  var keys: [Int] {
    var keys: [Int] = []
    var key = members.lowerBound
    while key < members.upperBound {
      if !hasDuplicates
        || storage.withBytes(ofString: key, { Int(slots[slot(of: $0)]) }) == key
      {
        keys.append(key)
      }
      key = storage.tape.index(after: key + 1)
    }
    return keys
  }

  private mutating func scan(for key: UnsafeBufferPointer<UInt8>) -> Int? {
    var candidate = entry(after: next)
    while candidate != next {
      if storage.isString(candidate, equalTo: key) { return advance(past: candidate) }
      candidate = entry(after: candidate)
    }
    return nil
  }

  private mutating func advance(past key: Int) -> Int {
    next = entry(after: key)
    return key + 1
  }

  /// The next key, after the last one the first.
  private func entry(after key: Int) -> Int {
    let after = storage.tape.index(after: key + 1)
    return after < members.upperBound ? after : members.lowerBound
  }

  private func findDuplicates() -> Bool {
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

  private mutating func fillSlots(count: Int) {
    var capacity = 4
    while capacity < 2 * count { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    var key = members.lowerBound
    while key < members.upperBound {
      let slot = storage.withBytes(ofString: key) { self.slot(of: $0) }
      if slots[slot] != 0 { hasDuplicates = true }
      slots[slot] = Int32(truncatingIfNeeded: key)
      key = storage.tape.index(after: key + 1)
    }
  }

  /// Where the key is, or where it would be put.
  private func slot(of key: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
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
