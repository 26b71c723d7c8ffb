import Diagnostics
import JSON
import Patterns

/// What a schema says about objects.
final class ObjectKeywords: Sendable {
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

  init?(_ reader: KeywordReader) {
    var names = NameTable()
    let properties = reader.namedSchemas(.properties).map {
      (name: names.number(of: $0.name), schema: $0.schema)
    }
    required = names.set(of: reader.strings(.required) ?? [])
    let lists = reader.namedLists(.dependentRequired) + reader.namedLists(.dependencies)
    dependentRequired = lists.map { (names.number(of: $0.name), names.set(of: $0.names)) }
    let schemas = reader.namedSchemas(.dependentSchemas) + reader.namedSchemas(.dependencies)
    dependentSchemas = schemas.map { (names.number(of: $0.name), $0.schema) }
    self.names = names
    var schemasByName = [Int?](repeating: nil, count: names.count)
    for (name, schema) in properties { schemasByName[name] = schema }
    self.properties = schemasByName
    patterns = reader.patternSchemas(.patternProperties)
    additional = reader.schema(.additionalProperties)
    propertyNames = reader.schema(.propertyNames)
    countMin = reader.count(.minProperties)
    countMax = reader.count(.maxProperties)
    if !looksAtMembers, countMin == nil, countMax == nil { return nil }
  }

  var looksAtMembers: Bool {
    names.count > 0 || !patterns.isEmpty || additional != nil || propertyNames != nil
  }
}

/// The names a schema speaks about, numbered.
struct NameTable: Sendable {
  private(set) var texts: [String] = []
  private var index: [ExactText: Int] = [:]
  private static let scanCountMax = 8

  var count: Int { texts.count }

  mutating func number(of name: String) -> Int {
    if let known = index[ExactText(name)] { return known }
    index[ExactText(name)] = texts.count
    texts.append(name)
    return texts.count - 1
  }

  mutating func set(of names: [String]) -> NameSet {
    var set = NameSet()
    for name in names { set.insert(number(of: name)) }
    return set
  }

  /// The number of a member's name. Members mostly come in the order of the schema, so the one at
  /// `next` is tried first.
  func number(of member: JSONMember, next: inout Int) -> Int? {
    if next < texts.count, member.hasKey(texts[next]) {
      next += 1
      return next - 1
    }
    let found =
      texts.count <= Self.scanCountMax
      ? texts.firstIndex { member.hasKey($0) } : index[ExactText(member.key)]
    if let found { next = found + 1 }
    return found
  }
}

/// A set of the numbers of names; the first 64 need no memory of their own.
struct NameSet: Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
      return
    }
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
