import UnderstudyCore
import UnderstudyJSON

/// What a schema says about objects.
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

  init(_ reader: KeywordReader) {
    var names = NameTable()
    let properties = reader.namedSchemas(.properties).map {
      (name: names.insert($0.name), schema: $0.schema)
    }
    required = names.set(of: reader.strings(.required) ?? [])
    let lists = reader.namedLists(.dependentRequired) + reader.namedLists(.dependencies)
    dependentRequired = lists.map { (names.insert($0.name), names.set(of: $0.names)) }
    let schemas = reader.namedSchemas(.dependentSchemas) + reader.namedSchemas(.dependencies)
    dependentSchemas = schemas.map { (names.insert($0.name), $0.schema) }
    self.names = names
    var schemasByName = [Int?](repeating: nil, count: names.count)
    for (name, schema) in properties { schemasByName[name] = schema }
    self.properties = schemasByName
    patterns = reader.patternSchemas(.patternProperties)
    additional = reader.schema(.additionalProperties)
    propertyNames = reader.schema(.propertyNames)
    countMin = reader.count(.minProperties)
    countMax = reader.count(.maxProperties)
    looksAtMembers =
      names.count > 0 || !patterns.isEmpty || additional != nil || propertyNames != nil
    isEmpty = !looksAtMembers && countMin == nil && countMax == nil
  }
}

extension NameTable {
  fileprivate mutating func set(of names: [String]) -> NameSet {
    var set = NameSet()
    for name in names { set.insert(insert(name)) }
    return set
  }
}

/// A set of the numbers of names; the first 64 need no memory of their own.
struct NameSet: Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  @inline(__always)
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
