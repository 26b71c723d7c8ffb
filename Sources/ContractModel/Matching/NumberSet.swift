/// A set of small numbers, in bits: thousands are copied as fast as a few.
package struct NumberSet: Hashable, Sendable {
  private var words: [UInt64] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package func contains(_ number: Int) -> Bool {
    let place = number >> 6
    return place < words.count && words[place] & Self.bit(number) != 0
  }

  package mutating func insert(_ number: Int) {
    if contains(number) { return }
    let place = number >> 6
    if place >= words.count {
      words += Array(repeating: 0, count: place + 1 - words.count)
    }
    words[place] |= Self.bit(number)
    count += 1
  }

  package mutating func remove(_ number: Int) {
    guard contains(number) else { return }
    words[number >> 6] &= ~Self.bit(number)
    count -= 1
  }

  package func union(_ other: NumberSet) -> NumberSet {
    guard words.count >= other.words.count else { return other.union(self) }
    var union = self
    for (place, word) in other.words.enumerated() { union.words[place] |= word }
    union.count = union.words.reduce(0) { $0 + $1.nonzeroBitCount }
    return union
  }

  private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}
