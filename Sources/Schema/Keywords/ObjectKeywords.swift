import UnderstudyJSON

/// The keywords for objects.
struct ObjectKeywords: Sendable {
  let names: NameTable
  /// The schemas of `properties`, by the number of the name.
  let properties: [Int?]
  let patterns: [(pattern: Pattern, schema: Int)]
  let additional: Int?
  let propertyNames: Int?
  let countMin: Int?
  let countMax: Int?
  let required: NameSet
  let dependentRequired: [(name: Int, required: NameSet)]
  let dependentSchemas: [(name: Int, schema: Int)]
  let looksAtMembers: Bool
  let isEmpty: Bool
}

/// A set of name numbers; the first 64 need no allocation.
struct NameSet: Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  mutating func insert(_ number: Int) {
    if number < 64 { low |= 1 &<< UInt64(number) } else { insertHigh(number) }
  }

  private mutating func insertHigh(_ number: Int) {
    let word = number / 64 - 1
    if high.count <= word {
      high.append(contentsOf: repeatElement(0, count: word - high.count + 1))
    }
    high[word] |= 1 << UInt64(number % 64)
  }

  func contains(_ number: Int) -> Bool {
    if number < 64 { return low & 1 << UInt64(number) != 0 }
    let word = number / 64 - 1
    return word < high.count && high[word] & 1 << UInt64(number % 64) != 0
  }

  func isSubset(of other: NameSet) -> Bool {
    guard low & ~other.low == 0 else { return false }
    return high.indices.allSatisfy { word in
      high[word] & ~(word < other.high.count ? other.high[word] : 0) == 0
    }
  }
}
