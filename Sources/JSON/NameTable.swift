/// Numbered names, found by keys that mostly come in the order of the numbers.
///
/// Public because other modules can inline only public code.
@_documentation(visibility: internal)
public struct NameTable: Sendable {
  package private(set) var texts: [String] = []
  /// All names, concatenated, and where each starts and ends.
  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var bounds = Self.noBounds
  /// Numbers at the slots of their names' hashes, or the next free slots; -1 for none.
  private var slots: [Int32] = []
  private let seed = Self.seed

  /// Shared by all empty tables, of which there are many.
  private static let noBounds = [0]
  /// Different in each process, so that nobody can craft colliding keys.
  private static let seed = UInt64.random(in: 0 ... .max)

  package init() {}

  @inlinable
  public var count: Int { bounds.count &- 1 }

  /// The number of a name; adds the name if it is new.
  @discardableResult
  package mutating func insert(_ name: String) -> Int {
    if let known = number(of: name) { return known }
    texts.append(name)
    bytes += name.utf8
    bounds.append(bytes.count)
    if 2 * count > slots.count {
      slots = Array(repeating: -1, count: max(8, 2 * slots.count))
      for number in 0..<count { place(number) }
    } else {
      place(count - 1)
    }
    return count - 1
  }

  package func number(of name: String) -> Int? { name.withUTF8Bytes { search($0) } }

  /// The number of a key or a string. Tries `next` first, and sets it to the following number.
  @inlinable
  public func number(of key: JSONCursor, next: inout Int) -> Int? {
    let number =
      next < count && key.isPlain && isName(next, key.plainText) ? next : search(for: key)
    if let number { next = number &+ 1 }
    return number
  }

  @inlinable
  func isName(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = bounds[number]
    guard text.count == bounds[number &+ 1] &- start else { return false }
    // SAFETY: the name lies within `bytes`.
    return bytes.withUnsafeBufferPointer { names in
      UnsafeBufferPointer(start: names.baseAddress.map { $0 + start }, count: text.count)
        .isEqual(to: text)
    }
  }

  @usableFromInline
  func search(for key: JSONCursor) -> Int? {
    key.isPlain
      ? search(key.plainText) : key.unescaped.withUnsafeBufferPointer { search($0) }
  }

  private func search(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    if slots.isEmpty { return nil }
    var slot = slot(of: text)
    while slots[slot] >= 0 {
      if isName(Int(slots[slot]), text) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func place(_ number: Int) {
    // SAFETY: the name lies within `bytes`.
    var slot = bytes.withUnsafeBufferPointer { names in
      self.slot(of: UnsafeBufferPointer(rebasing: names[bounds[number]..<bounds[number + 1]]))
    }
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(truncatingIfNeeded: number)
  }

  private func slot(of text: UnsafeBufferPointer<UInt8>) -> Int {
    var hash = seed ^ UInt64(text.count)
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
    }
    if let start = text.baseAddress {
      // SAFETY: words are read only within the text.
      var place = 0
      while place + 8 <= text.count {
        add((start + place).word)
        place += 8
      }
      if place < text.count {
        if text.count >= 8 {
          add((start + (text.count - 8)).word)
        } else {
          for byte in text { add(UInt64(byte)) }
        }
      }
    }
    return Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }
}
