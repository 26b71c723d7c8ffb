/// The keys of all open mappings, those of inner mappings last, to find duplicates when a mapping
/// ends.
struct KeyStack {
  struct Key {
    /// The string in the output, quotes included.
    let text: Range<Int>
    /// Where it is in the source.
    let origin: Int
    /// Equal for equal keys, and mostly different for others.
    let mark: UInt64
  }

  private(set) var keys: [Key] = []
  private var slots: [Int32] = []

  /// Pairs are compared up to this number of keys, which takes linear time for all mappings.
  private static let pairedCountMax = 16

  var count: Int { keys.count }

  mutating func append(_ text: Range<Int>, origin: Int, mark: UInt64) {
    keys.append(Key(text: text, origin: origin, mark: mark))
  }

  /// Forgets the keys of the innermost mapping; the first two that are the same, if any are.
  mutating func removeKeys(
    from base: Int, in output: borrowing JSONOutput
  ) -> (first: Key, second: Key)? {
    let found =
      keys.count - base <= Self.pairedCountMax
      ? pair(from: base, in: output) : hashedPair(from: base, in: output)
    keys.removeLast(keys.count - base)
    return found
  }

  private func pair(
    from base: Int, in output: borrowing JSONOutput
  ) -> (first: Key, second: Key)? {
    for second in base..<keys.count {
      let mark = keys[second].mark
      for first in base..<second where keys[first].mark == mark {
        if output.isEqual(keys[first].text, keys[second].text) {
          return (keys[first], keys[second])
        }
      }
    }
    return nil
  }

  /// Swift's hasher has a seed of its own in each process, so that nobody can craft collisions.
  private mutating func hashedPair(
    from base: Int, in output: borrowing JSONOutput
  ) -> (first: Key, second: Key)? {
    var capacity = 64
    while capacity < 2 * (keys.count - base) { capacity *= 2 }
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(-1, count: capacity))
    for index in base..<keys.count {
      let key = keys[index]
      var slot = output.hash(of: key.text) & (capacity - 1)
      while slots[slot] >= 0 {
        let other = keys[Int(slots[slot])]
        if output.isEqual(other.text, key.text) { return (other, key) }
        slot = (slot + 1) & (capacity - 1)
      }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
    return nil
  }
}
