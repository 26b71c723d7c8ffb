import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// The members of one JSON object by their known keys. Unknown, missing or mistyped members are
/// reported, and reading continues.
///
/// A class, since it is passed around more often than it is made.
final class Fields {
  let source: JSONValue
  let complaints: Complaints
  /// A sketch of the keys that are there: most that are asked for are not.
  private let sketch: JSONKeySketch
  /// Whether a key may seem missing only because it is misspelt.
  private let hasUnknownKeys: Bool
  /// What the object is, for messages: `a case`.
  private let noun: String

  /// The prefix of keys that belong to other tools.
  private static let extensionStart = "x-"

  /// Fails, with a complaint, when the value is not an object.
  init?(_ value: JSONValue, of noun: String, keys: JSONNames, _ complaints: Complaints) {
    guard Self.isObject(value, noun, complaints) else { return nil }
    sketch = value.keySketch
    hasUnknownKeys = !value.hasOnlyKeys(keys) && Self.complain(of: value, noun, keys, complaints)
    self.source = value
    self.noun = noun
    self.complaints = complaints
  }

  /// Reports members that are unknown, and those that are there twice; returns whether one is
  /// unknown.
  private static func complain(
    of value: JSONValue, _ noun: String, _ keys: JSONNames, _ complaints: Complaints
  ) -> Bool {
    var seen: Set<Int> = []
    var hasUnknownKeys = false
    for member in value.members {
      if let number = keys.number(of: member.key) {
        if !seen.insert(number).inserted { complainOfDuplicate(member, complaints) }
      } else if !member.key.hasPrefix(extensionStart) {
        hasUnknownKeys = true
        let names = keys.texts
        complaints.add(
          .unknownKey, atKeyOf: member, "unknown key \"\(member.key)\" in \(noun)",
          fix: suggestion(for: member.key, among: names)
            ?? "the keys of \(noun) are \(names.filter { $0 != "$schema" }.joined(separator: ", "))"
        )
      }
    }
    return hasUnknownKeys
  }

  /// What WireMock and others call a key of ours.
  private static let synonyms = [
    "json": "body", "jsonBody": "body", "bodyFile": "file", "bodyFileName": "file",
    "base64Body": "base64", "fixedDelayMilliseconds": "delay", "statusCode": "status",
    "url": "path", "urlPath": "path", "queryParameters": "query", "scenarioName": "when",
  ]

  private static func suggestion(for key: String, among names: [String]) -> String? {
    let synonym = synonyms[key].flatMap { names.contains($0) ? $0 : nil }
    return synonym.map { "write \"\($0)\"" } ?? Spelling.suggestion(for: key, among: names)
  }

  /// The members of an object whose keys are chosen by its author, in file order.
  static func named(
    _ value: JSONValue, of noun: String, _ complaints: Complaints
  ) -> JSONMembers {
    if isObject(value, noun, complaints), value.count > 1 {
      for duplicate in value.duplicateKeys { complainOfDuplicate(duplicate, complaints) }
    }
    return value.members
  }

  private static func isObject(
    _ value: JSONValue, _ noun: String, _ complaints: Complaints
  ) -> Bool {
    if value.kind == .object { return true }
    complaints.add(.wrongType, at: value, "found \(value.summary), expected an object: \(noun)")
    return false
  }

  private static func complainOfDuplicate(_ member: JSONMember, _ complaints: Complaints) {
    complaints.add(
      .duplicateKey, atKeyOf: member, "key \"\(member.key)\" is given twice",
      fix: "remove one of the two, or rename it")
  }

  subscript(_ key: String) -> JSONValue? { sketch.mayHave(key) ? source[key] : nil }

  func has(_ key: String) -> Bool { self[key] != nil }

  /// The first of these keys that is present.
  func first(of keys: [String]) -> String? { keys.first(where: has) }

  /// Which of these keys are present, in the given order.
  func present(_ keys: [String]) -> [String] { keys.filter(has) }

  func complain(_ rule: FindingType, _ key: String, _ message: String, fix: String? = nil) {
    complaints.add(rule, at: self[key] ?? source, message, fix: fix)
  }

  func require(_ key: String) -> JSONValue? {
    guard let value = self[key] else {
      complaints.add(
        .missingKey, at: source, "missing \"\(key)\" in \(noun)", fix: "add \"\(key)\"")
      return nil
    }
    return value
  }

  /// Reports more than one of these keys.
  func atMostOne(of keys: [String]) {
    guard keys.count(where: has) > 1 else { return }
    let found = present(keys)
    complain(
      .conflictingKeys, found[1],
      "found \"\(found[0])\" and \"\(found[1])\" in \(noun), expected at most one of \(listed(keys))",
      fix: "remove one of the two")
  }

  /// The only one of these keys that is present, or `nil` with a complaint.
  func exactlyOne(of keys: [String]) -> String? {
    let found = first(of: keys)
    if source.count == 1, found != nil { return found }
    if found == nil, !hasUnknownKeys {
      complaints.add(
        .missingKey, at: source, "found none of \(listed(keys)) in \(noun), expected one")
    }
    atMostOne(of: keys)
    return keys.count(where: has) == 1 ? found : nil
  }
}

extension Fields {
  /// The comparison of dates that its members are; `nil`, with a complaint, for a wrong one.
  func date() -> DateCondition? {
    DateCondition(reading: source) { place, failure in
      complaints.add(.badValue, at: place, failure.message, fix: failure.fix)
    }
  }

  func string(_ key: String) -> String? {
    read(key, as: "string") { $0.string }
  }

  func bool(_ key: String) -> Bool? {
    read(key, as: "true or false") { $0.bool }
  }

  func int(_ key: String, in range: ClosedRange<Int>, _ expected: String) -> Int? {
    guard let value = self[key] else { return nil }
    guard let int = value.int else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected \(expected)",
        fix: value.string.flatMap { Int($0) }.map { "remove the quotes: \($0)" })
      return nil
    }
    guard range.contains(int) else {
      complaints.add(.badValue, at: value, "found \(int), expected \(expected)")
      return nil
    }
    return int
  }

  func strings(_ key: String) -> [String]? {
    self[key].map { strings(in: $0) }
  }

  func strings(in value: JSONValue) -> [String] {
    guard value.kind == .array else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected an array of strings",
        fix: value.string.map { "put it in brackets: [\"\($0)\"]" })
      return []
    }
    return value.elements.compactMap { element in
      guard let string = element.string else {
        complaints.add(.wrongType, at: element, "found \(element.summary), expected string")
        return nil
      }
      return string
    }
  }

  /// A value of an enumeration.
  func choice<Choice>(_ key: String, _: Choice.Type = Choice.self, rule: FindingType = .badValue)
    -> Choice?
  where Choice: CaseIterable & RawRepresentable<String> {
    guard let value = self[key] else { return nil }
    return choice(value, rule: rule)
  }

  func choice<Choice>(_ value: JSONValue, rule: FindingType = .badValue) -> Choice?
  where Choice: CaseIterable & RawRepresentable<String> {
    if let choice = value.string.flatMap(Choice.init(rawValue:)) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let isUnquoted = value.number.flatMap { Choice(rawValue: $0.text) } != nil
    complaints.add(
      value.kind == .string ? rule : .wrongType, at: value,
      "found \(value.summary), expected \(names.count > 1 ? "one of " : "")\(listed(names))",
      fix: isUnquoted
        ? "put it in quotes"
        : value.string.flatMap { Spelling.suggestion(for: $0, among: names) })
    return nil
  }

  func pattern(_ key: String) -> Pattern? { self[key].flatMap { pattern(in: $0) } }

  func pattern(in value: JSONValue) -> Pattern? {
    guard let source = value.string else {
      complaints.add(.wrongType, at: value, "found \(value.summary), expected string")
      return nil
    }
    do throws(PatternError) {
      return try Pattern(source, from: complaints.run?.patterns)
    } catch {
      complaints.add(
        .badPattern, at: value, "\(error.message), at character \(error.offset + 1) of the pattern",
        fix: error.fix)
      return nil
    }
  }

  func duration(_ key: String) -> Duration? {
    self[key].flatMap { duration(of: $0) }
  }

  func duration(of value: JSONValue) -> Duration? {
    let text = value.string ?? value.number?.text
    guard let text else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected a duration such as \"250ms\"")
      return nil
    }
    guard let duration = value.string.flatMap({ Duration(contractText: $0) }) else {
      let isNumber = Double(text) != nil
      complaints.add(
        isNumber ? .delayUnit : .badValue, at: value,
        "found \(value.summary), expected a duration with a unit: ms, s, m or h",
        fix: isNumber && !text.hasPrefix("-")
          ? "write \"\(text)ms\" or \"\(text)s\""
          : "write it like \"250ms\" or \"1.5s\", from 0s to 277777h")
      return nil
    }
    return duration
  }

  private func read<Value>(
    _ key: String, as expected: String, _ get: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = self[key] else { return nil }
    guard let result = get(value) else {
      complaints.add(.wrongType, at: value, "found \(value.summary), expected \(expected)")
      return nil
    }
    return result
  }
}
