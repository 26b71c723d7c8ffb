import UnderstudyCore
import UnderstudyJSON

extension KeywordGroups {
  init(_ reader: KeywordReader) {
    // Most schemas have keywords of one or two groups.
    let parts = reader.parts
    types = TypeKeyword(reader)
    values = parts.contains(.values) ? ValueKeywords(reader) : .none
    numbers = parts.contains(.numbers) ? NumberKeywords(reader) : .none
    strings = parts.contains(.strings) ? StringKeywords(reader) : .none
    arrays = parts.contains(.arrays) ? ArrayKeywords(reader) : .none
    objects = parts.contains(.objects) ? ObjectKeywords(reader) : .none
    combination =
      parts.contains(.combination) ? CombiningKeywords(reader) : CombiningKeywords(parts: [])
    unevaluatedItems = parts.contains(.unevaluated) ? reader.schema(.unevaluatedItems) : nil
    unevaluatedProperties =
      parts.contains(.unevaluated) ? reader.schema(.unevaluatedProperties) : nil
  }
}

extension TypeKeyword {
  private static let known: [(name: String, kinds: JSONKinds)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  init(_ reader: KeywordReader) {
    guard let value = reader.value(.type) else {
      (names, kinds) = ([], .all)
      return
    }
    var kinds: JSONKinds = []
    var names: [String] = []
    for element in value.kind == .array ? Array(value.elements) : [value] {
      guard let name = element.string, let type = Self.known.first(where: { $0.name == name })
      else {
        reader.noteMismatch(
          element, .type, expected: "one of " + Self.known.map(\.name).joined(separator: ", "),
          fix: element.string.flatMap {
            Spelling.suggestion(for: $0, among: Self.known.lazy.map(\.name))
          })
        continue
      }
      kinds.formUnion(type.kinds)
      names.append(name)
    }
    self.kinds = kinds
    self.names = names
  }
}

extension ValueKeywords {
  static let none = ValueKeywords(constant: nil, choices: nil, isEmpty: true)

  init(_ reader: KeywordReader) {
    constant = reader.value(.const)
    if let list = reader.value(.enum) {
      if list.kind != .array { reader.noteMismatch(list, .enum, expected: "array") }
      choices = Choices(Array(list.elements))
    } else {
      choices = nil
    }
    isEmpty = constant == nil && choices == nil
  }
}

extension NumberKeywords {
  static let none = NumberKeywords(
    minimum: nil, exclusiveMinimum: nil, maximum: nil, exclusiveMaximum: nil, divisor: nil,
    time: nil, isEmpty: true)

  init(_ reader: KeywordReader) {
    minimum = reader.number(.minimum).map(Bound.init)
    exclusiveMinimum = reader.number(.exclusiveMinimum).map(Bound.init)
    maximum = reader.number(.maximum).map(Bound.init)
    exclusiveMaximum = reader.number(.exclusiveMaximum).map(Bound.init)
    divisor = Self.divisor(reader)
    time = TimeKeyword(reader)
    isEmpty =
      minimum == nil && exclusiveMinimum == nil && maximum == nil && exclusiveMaximum == nil
      && divisor == nil && time == nil
  }

  private static func divisor(_ reader: KeywordReader) -> JSONNumber? {
    guard let number = reader.number(.multipleOf), let value = reader.value(.multipleOf),
      let zero = JSONNumber("0")
    else { return nil }
    guard number > zero else {
      reader.noteMismatch(value, .multipleOf, expected: "a number above 0")
      return nil
    }
    guard number.text.utf8.count <= divisorLengthMax else {
      reader.noteMismatch(
        value, .multipleOf, expected: "a number of at most \(divisorLengthMax) characters")
      return nil
    }
    return number
  }

  /// The remainder is computed digit by digit, which takes time proportional to the product of both
  /// lengths.
  private static let divisorLengthMax = 100
}

extension TimeKeyword {
  init?(_ reader: KeywordReader) {
    guard let value = reader.value(.time) else { return nil }
    for member in value.members where member.key != "epoch" && member.key != "within" {
      reader.compiler.problem(
        at: member.value, in: reader.location, "unknown key \"\(member.key)\" in \"x-time\"",
        fix: Spelling.suggestion(for: member.key, among: ["epoch", "within"]) ?? "remove it")
    }
    guard let epoch = value["epoch"]?.int.flatMap(Epoch.init) else {
      reader.noteMismatch(
        value["epoch"] ?? value, .time, expected: "{\"epoch\": 1970 or 2001, …}")
      return nil
    }
    let offsets = value["within"]?.elements.compactMap { $0.string.flatMap(Offset.init) } ?? []
    guard let earliest = offsets.first, let latest = offsets.last, offsets.count == 2,
      value["within"]?.count == 2, earliest.seconds < latest.seconds
    else {
      reader.noteMismatch(
        value["within"] ?? value, .time, expected: "{\"within\": [\"-20y\", \"+1y\"], …}",
        fix: "write the earliest and the latest, each with a sign and y, d or h")
      return nil
    }
    (self.epoch, self.earliest, self.latest) = (epoch, earliest, latest)
  }
}

extension StringKeywords {
  static let none = StringKeywords(
    lengthMin: nil, lengthMax: nil, pattern: nil, format: nil, date: nil, isEmpty: true)

  init(_ reader: KeywordReader) {
    lengthMin = reader.count(.minLength)
    lengthMax = reader.count(.maxLength)
    pattern = reader.pattern(.pattern)
    format = Self.format(reader)
    date = Self.date(reader)
    isEmpty =
      lengthMin == nil && lengthMax == nil && pattern == nil && format == nil && date == nil
  }

  private static func date(_ reader: KeywordReader) -> DateCondition? {
    guard let value = reader.value(.date) else { return nil }
    guard value.kind == .object else {
      reader.noteMismatch(value, .date, expected: "{\"before\": \"now\"}")
      return nil
    }
    for member in value.members where !DateCondition.names.contains(member.key) {
      reader.compiler.problem(
        at: member.value, in: reader.location, "unknown key \"\(member.key)\" in \"x-date\"",
        fix: Spelling.suggestion(for: member.key, among: DateCondition.names) ?? "remove it")
    }
    return DateCondition(reading: value) { place, failure in
      reader.compiler.problem(
        at: place, in: reader.location, "\(failure.message) in \"x-date\"", fix: failure.fix)
    }
  }

  private static func format(_ reader: KeywordReader) -> Format? {
    guard let name = reader.string(.format), let value = reader.value(.format),
      reader.assertsFormats
    else { return nil }
    if let format = Format(rawValue: name) { return format }
    if Format.isKnown(name) { return nil }
    reader.compiler.warning(
      at: value, in: reader.location, "the format \"\(name)\" is not checked",
      fix: Format.unchecked.contains(name)
        ? nil : Spelling.suggestion(for: name, among: Format.allCases.lazy.map(\.rawValue)))
    return nil
  }
}

extension ArrayKeywords {
  static let none = ArrayKeywords(
    prefix: [], rest: nil, contained: nil, containedMin: 1, containedMax: nil, countMin: nil,
    countMax: nil, areUnique: false, isEmpty: true)

  init(_ reader: KeywordReader) {
    prefix = reader.schemas(.prefixItems)
    rest = reader.schema(.items)
    contained = reader.schema(.contains)
    containedMin = reader.count(.minContains) ?? 1
    containedMax = reader.count(.maxContains)
    countMin = reader.count(.minItems)
    countMax = reader.count(.maxItems)
    areUnique = reader.flag(.uniqueItems)
    isEmpty =
      prefix.isEmpty && rest == nil && contained == nil && countMin == nil && countMax == nil
      && !areUnique
  }
}

extension ObjectKeywords {
  static let none = ObjectKeywords(
    names: NameTable(), properties: [], patterns: [], additional: nil, propertyNames: nil,
    countMin: nil, countMax: nil, required: NameSet(), dependentRequired: [], dependentSchemas: [],
    looksAtMembers: false, isEmpty: true)

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

extension CombiningKeywords {
  init(_ reader: KeywordReader) {
    var parts: [Part] = []
    if let target = reader.compiler.reference(.ref, reader) {
      parts.append(.each(Reference(target: target), .ref))
    }
    if let reference = reader.compiler.dynamicReference(reader) {
      parts.append(.each(reference, .dynamicRef))
    }
    parts += reader.schemas(.allOf).map { .each(Reference(target: $0), .allOf) }
    let (any, one) = (reader.schemas(.anyOf), reader.schemas(.oneOf))
    if !any.isEmpty { parts.append(.any(any)) }
    if !one.isEmpty { parts.append(.one(one)) }
    if let none = reader.schema(.not) { parts.append(.none(none)) }
    if let condition = reader.schema(.if) {
      parts.append(
        .condition(condition, then: reader.schema(.then), else: reader.schema(.else)))
    }
    self.parts = parts
  }
}
