import UnderstudyJSON

/// Reads the keywords of one schema and reports values of the wrong type.
struct KeywordReader {
  let compiler: SchemaCompiler
  let location: SchemaLocation
  /// A schema has few keywords, so searching is faster than hashing.
  private var entries: [(keyword: Keyword, value: JSONValue)] = []
  private(set) var parts: KeywordGroups.Parts = []

  init(_ location: SchemaLocation, compiler: SchemaCompiler) {
    self.compiler = compiler
    self.location = location
    let vocabularies = compiler.resources[location.resource].vocabularies
    for member in location.value.members {
      guard let keyword = Keyword.named(member.key),
        !vocabularies.isDisjoint(with: keyword.vocabulary)
      else { continue }
      if value(keyword) != nil {
        compiler.problem(
          at: member.value, in: location, "\"\(member.key)\" is given twice in one schema",
          fix: "keep one of them")
      } else {
        entries.append((keyword, member.value))
        parts.formUnion(keyword.group)
      }
    }
  }

  var assertsFormats: Bool {
    compiler.options.assertFormats
      || compiler.resources[location.resource].vocabularies.contains(.formatAssertion)
  }

  func value(_ keyword: Keyword) -> JSONValue? {
    entries.first { $0.keyword == keyword }?.value
  }

  func number(_ keyword: Keyword) -> JSONNumber? {
    guard let value = value(keyword) else { return nil }
    return value.number ?? mismatch(value, keyword, expected: "number")
  }

  func count(_ keyword: Keyword) -> Int? {
    guard let value = value(keyword) else { return nil }
    if let number = value.number, number.isInteger, !number.text.hasPrefix("-") || value.int == 0 {
      // No instance is large enough for a greater number to matter.
      return value.int ?? .max
    }
    return mismatch(value, keyword, expected: "a whole number, 0 or more")
  }

  func flag(_ keyword: Keyword) -> Bool {
    guard let value = value(keyword) else { return false }
    return value.bool ?? mismatch(value, keyword, expected: "true or false") ?? false
  }

  func string(_ keyword: Keyword) -> String? {
    guard let value = value(keyword) else { return nil }
    return value.string ?? mismatch(value, keyword, expected: "string")
  }

  func strings(_ keyword: Keyword) -> [String]? {
    value(keyword).flatMap { strings($0, keyword) }
  }

  private func strings(_ value: JSONValue, _ keyword: Keyword) -> [String]? {
    guard value.kind == .array else {
      return mismatch(value, keyword, expected: "array of strings")
    }
    return value.elements.compactMap { element in
      element.string ?? mismatch(element, keyword, expected: "string")
    }
  }

  func schema(_ keyword: Keyword) -> Int? {
    value(keyword).map { compiler.index(of: $0, in: location) }
  }

  func schemas(_ keyword: Keyword) -> [Int] {
    guard let value = value(keyword) else { return [] }
    guard value.kind == .array, value.count > 0 else {
      return mismatch(value, keyword, expected: "array of schemas") ?? []
    }
    return value.elements.map { compiler.index(of: $0, in: location) }
  }

  func namedSchemas(_ keyword: Keyword) -> [(name: String, schema: Int)] {
    members(keyword).compactMap { member in
      // Lists among the older `dependencies` are read by `namedLists`.
      if keyword == .dependencies, member.value.kind == .array { return nil }
      return (member.key, compiler.index(of: member.value, in: location))
    }
  }

  func patternSchemas(_ keyword: Keyword) -> [(pattern: Pattern, schema: Int)] {
    members(keyword).compactMap { member in
      compiler.pattern(member.key, at: member.value, in: location).map {
        ($0, compiler.index(of: member.value, in: location))
      }
    }
  }

  func pattern(_ keyword: Keyword) -> Pattern? {
    guard let value = value(keyword), let source = string(keyword) else { return nil }
    return compiler.pattern(source, at: value, in: location)
  }

  /// `dependentRequired`, and the lists in the older `dependencies`.
  func namedLists(_ keyword: Keyword) -> [(name: String, names: [String])] {
    members(keyword).compactMap { member in
      if keyword == .dependencies, member.value.kind != .array { return nil }
      return strings(member.value, keyword).map { (member.key, $0) }
    }
  }

  private func members(_ keyword: Keyword) -> [JSONMember] {
    guard let value = value(keyword) else { return [] }
    guard value.kind == .object else {
      return mismatch(value, keyword, expected: "object") ?? []
    }
    return Array(value.members)
  }

  /// Records the problem and returns `nil` of any type.
  func mismatch<Wanted>(
    _ value: JSONValue, _ keyword: Keyword, expected: String, fix: String? = nil
  ) -> Wanted? {
    noteMismatch(value, keyword, expected: expected, fix: fix)
    return nil
  }

  func noteMismatch(_ value: JSONValue, _ keyword: Keyword, expected: String, fix: String? = nil) {
    compiler.problem(
      at: value, in: location,
      "found \(value.summary) as \"\(keyword.rawValue)\", expected \(expected)", fix: fix)
  }
}
